import CMosquitto
import Glibc
import LatticeBridge
import LatticeConcurrency

/// A connection that its library keeps and opens again, with one thread of its own.
///
/// Safety: libmosquitto allows any thread to publish on a connection that its thread serves; the connection lives as long as this
/// object. What it hands to a callback is read within the call, with the size that it names. Texts and payloads are lent to it for
/// the length of a call; it copies what it keeps. The inbox is retained until the thread has ended.
final class MqttConnection: @unchecked Sendable {
    private let connection: OpaquePointer
    private let inbox: Unmanaged<MqttInbox>
    /// Seconds without a message after which the broker is asked whether it is there.
    private static let keepAlive: Int32 = 10
    private static let unconfirmedMax: Int32 = 128

    /// Blocks until there is a connection or that has failed.
    ///
    /// - Parameter client: the name under which the broker keeps what comes while we are away.
    init(_ address: MqttAddress, client: String, inbox: MqttInbox) throws(BrokerFault) {
        _ = Self.isLibraryReady
        let retained = Unmanaged.passRetained(inbox)
        guard let connection = mosquitto_new(client, false, retained.toOpaque()) else {
            retained.release()
            throw .unreachable("out of memory")
        }
        (self.connection, self.inbox) = (connection, retained)
        try Self.set(address, on: connection)
        Self.listen(on: connection)
        let status = mosquitto_connect(connection, address.host, Int32(address.port), Self.keepAlive)
        guard status == MOSQ_ERR_SUCCESS.rawValue else {
            throw BrokerFault(status, errno, "\(address.host):\(address.port)")
        }
        guard mosquitto_loop_start(connection) == MOSQ_ERR_SUCCESS.rawValue else {
            throw .unreachable("no thread for the connection")
        }
    }

    deinit {
        mosquitto_disconnect(connection)
        // Its thread may be within a connection attempt, which takes minutes if nobody answers.
        let remains = MqttRemains(connection: connection, inbox: inbox)
        DedicatedThread.start { remains.remove() }
    }

    private static let isLibraryReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

    private static func set(_ address: MqttAddress, on connection: OpaquePointer) throws(BrokerFault) {
        func check(_ status: Int32, _ what: String) throws(BrokerFault) {
            guard status == MOSQ_ERR_SUCCESS.rawValue else { throw .refused("\(what): \(words(of: status))") }
        }
        mosquitto_reconnect_delay_set(connection, 1, 1, false)
        mosquitto_int_option(connection, MOSQ_OPT_SEND_MAXIMUM, unconfirmedMax)
        mosquitto_int_option(connection, MOSQ_OPT_TCP_NODELAY, 1)
        if let login = address.login {
            try check(mosquitto_username_pw_set(connection, login.user, login.password), login.user)
        }
        guard address.usesTLS else { return }
        mosquitto_int_option(connection, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
        let certificate = address.certificate
        let status = address.authority.withOptionalCString { authority in
            (certificate?.file).withOptionalCString { file in
                (certificate?.key).withOptionalCString { key in
                    mosquitto_tls_set(connection, authority, nil, file, key, nil)
                }
            }
        }
        try check(status, address.authority ?? certificate?.file ?? "TLS")
    }

    private static func listen(on connection: OpaquePointer) {
        mosquitto_connect_with_flags_callback_set(connection) { connection, inbox, code, flags in
            guard let connection, let inbox = MqttInbox.of(inbox) else { return }
            guard code == 0 else { return inbox.failed(BrokerFault(refusal: code)) }
            // Greetings are of no use later, so the broker keeps none.
            mosquitto_subscribe(connection, nil, inbox.greetings, 0)
            var number: Int32 = 0
            let status = subscribe(inbox.kept, &number, connection)
            guard status == MOSQ_ERR_SUCCESS.rawValue else {
                return inbox.failed(.closed("subscribing to topics: \(words(of: status))"))
            }
            inbox.accepted(hasSession: flags & 1 == 1, subscribing: number)
        }
        mosquitto_subscribe_callback_set(connection) { _, inbox, number, count, granted in
            guard let inbox = MqttInbox.of(inbox), let granted else { return }
            let levels = UnsafeBufferPointer(start: granted, count: Int(count))
            inbox.subscribed(number, isGranted: levels.allSatisfy { (0...2).contains($0) })
        }
        mosquitto_disconnect_callback_set(connection) { _, inbox, code in
            MqttInbox.of(inbox)?.disconnected(words(of: code))
        }
        mosquitto_publish_callback_set(connection) { _, inbox, number in
            MqttInbox.of(inbox)?.confirmed(number)
        }
        mosquitto_message_callback_set(connection) { _, inbox, message in
            guard let inbox = MqttInbox.of(inbox), let message = message?.pointee, let topic = message.topic else {
                return
            }
            // Longer ones are looked at by nobody.
            let count = min(Int(message.payloadlen), LiveWrapping.payloadMax + 1)
            let bytes = UnsafeRawBufferPointer(start: message.payload, count: message.payload == nil ? 0 : count)
            inbox.came(LiveMessage(topic: String(cString: topic), payload: Array(bytes)))
        }
    }

    /// - Returns: its number; `nil` if the library does not take it.
    func publish(_ message: LiveMessage) -> Int32? {
        var number: Int32 = 0
        let status = message.payload.withUnsafeBytes { payload in
            mosquitto_publish(
                connection, &number, message.topic, Int32(payload.count), payload.baseAddress, 1, false)
        }
        return status == MOSQ_ERR_SUCCESS.rawValue ? number : nil
    }
}

/// What is left of a connection that nobody uses any more.
///
/// Safety: one thread has it, and uses it once.
private struct MqttRemains: @unchecked Sendable {
    let connection: OpaquePointer
    let inbox: Unmanaged<MqttInbox>

    /// Blocks until the connection's thread has ended.
    func remove() {
        mosquitto_loop_stop(connection, false)
        mosquitto_destroy(connection)
        inbox.release()
    }
}

extension MqttInbox {
    fileprivate static func of(_ pointer: UnsafeMutableRawPointer?) -> MqttInbox? {
        pointer.map { Unmanaged<MqttInbox>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Asks for these topics, each message at least once.
private func subscribe(_ topics: [String], _ number: inout Int32, _ connection: OpaquePointer) -> Int32 {
    let copies = topics.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { copies in
        mosquitto_subscribe_multiple(connection, &number, Int32(copies.count), copies.baseAddress, 1, 0, nil)
    }
}

private func words(of status: Int32) -> String {
    mosquitto_strerror(status).map { String(cString: $0) }?.trimmed ?? "error \(status)"
}

extension String {
    /// The library's sentences become parts of ours.
    fileprivate var trimmed: String {
        let text = hasSuffix(".") ? dropLast() : self[...]
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

extension BrokerFault {
    /// - Parameter what: what was tried.
    fileprivate init(_ status: Int32, _ number: Int32, _ what: String) {
        switch status {
        case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_TLS_HANDSHAKE.rawValue: self = .refused("\(what): \(words(of: status))")
        case MOSQ_ERR_ERRNO.rawValue: self = .unreachable("\(what): \(String(cString: strerror(number)))")
        default: self = .unreachable("\(what): \(words(of: status))")
        }
    }

    /// - Parameter refusal: the code with which a broker answers a connection (MQTT 3.1.1 section 3.2.2.3).
    fileprivate init(refusal: Int32) {
        let words = mosquitto_connack_string(refusal).map { String(cString: $0) }?.trimmed ?? "code \(refusal)"
        self = refusal == 3 ? .unreachable(words) : .refused(words)
    }
}

extension String? {
    fileprivate func withOptionalCString<Value>(_ body: (UnsafePointer<CChar>?) -> Value) -> Value {
        guard let self else { return body(nil) }
        return self.withCString { body($0) }
    }
}
