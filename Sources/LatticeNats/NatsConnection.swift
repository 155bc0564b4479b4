import CNats
import Glibc
import LatticeBridge
import Synchronization

/// How to reach a broker.
package struct NatsAddress: Sendable {
    package enum Credentials: Sendable {
        case none
        /// A seed of an nkey.
        case seed(file: String, publicKey: String)
        /// A JWT with its seed.
        case credentials(file: String)
        case password(user: String, password: String)
    }

    /// `nats://HOST:PORT` or `tls://HOST:PORT`; one of them is enough to reach all of a cluster.
    package var servers: [String]
    package var credentials = Credentials.none
    /// Certificates that are trusted beside those of the system, in PEM.
    package var authority: String?
    /// The JetStream domain of the streams, if the broker is a leaf; `nil` is the broker's own.
    package var domain: String?

    package init(servers: [String]) { self.servers = servers }

    package var usesTLS: Bool { authority != nil || servers.contains { $0.hasPrefix("tls:") } }
}

/// A connection that its library keeps and opens again.
///
/// Safety: libnats allows any thread to use a connection and its context; both live as long as this object.
final class NatsConnection: @unchecked Sendable {
    private let connection: OpaquePointer
    let context: OpaquePointer
    /// Milliseconds for each request to JetStream.
    private static let requestTimeout: Int64 = 4_000
    private static let pendingMax: Int64 = 1_024
    private static let reconnectWait: Int64 = 500

    /// Blocks until the connection is there or has failed.
    init(_ address: NatsAddress, acks: NatsAcks) throws(BrokerFault) {
        let connection = try Self.connect(address)
        var options = jsOptions()
        jsOptions_Init(&options)
        options.Wait = Self.requestTimeout
        options.PublishAsync.MaxPending = Self.pendingMax
        options.PublishAsync.StallWait = Self.requestTimeout
        options.PublishAsync.AckHandler = { _, message, ack, error, closure in
            guard let message, let closure else { return }
            let acks = Unmanaged<NatsAcks>.fromOpaque(closure).takeUnretainedValue()
            acks.came(message, PublishOutcome(ack, error))
            natsMsg_Destroy(message)
        }
        // A handler may still run while the connection ends, so this small object is never released.
        options.PublishAsync.AckHandlerClosure = Unmanaged.passRetained(acks).toOpaque()
        var context: OpaquePointer?
        let status = address.domain.withOptionalCString { domain in
            options.Domain = domain
            return natsConnection_JetStream(&context, connection, &options)
        }
        guard status == NATS_OK, let context else {
            natsConnection_Destroy(connection)
            throw BrokerFault(status, jsErrCode(0), "JetStream")
        }
        (self.connection, self.context) = (connection, context)
    }

    deinit {
        natsConnection_Close(connection)
        jsCtx_Destroy(context)
        natsConnection_Destroy(connection)
    }

    var isConnected: Bool { natsConnection_Status(connection) == NATS_CONN_STATUS_CONNECTED }

    /// The library has given up, as it does where a broker rejects the login of an open connection twice.
    var isClosed: Bool { natsConnection_Status(connection) == NATS_CONN_STATUS_CLOSED }

    private static func connect(_ address: NatsAddress) throws(BrokerFault) -> OpaquePointer {
        var made: OpaquePointer?
        guard natsOptions_Create(&made) == NATS_OK, let options = made else { throw .unreachable("out of memory") }
        defer { natsOptions_Destroy(options) }
        try set(address, on: options)
        var connection: OpaquePointer?
        let status = natsConnection_Connect(&connection, options)
        guard status == NATS_OK, let connection else {
            throw BrokerFault(status, jsErrCode(0), "\(address.servers[0])")
        }
        return connection
    }

    private static func set(_ address: NatsAddress, on options: OpaquePointer) throws(BrokerFault) {
        func check(_ status: natsStatus, _ what: String) throws(BrokerFault) {
            guard status == NATS_OK else { throw .refused("\(what): \(status.words.lowercased())") }
        }
        try check(
            withCStrings(address.servers) { natsOptions_SetServers(options, $0, Int32(address.servers.count)) },
            address.servers.joined(separator: ","))
        natsOptions_SetName(options, "lattice-bridge")
        natsOptions_SetMaxReconnect(options, -1)
        natsOptions_SetReconnectWait(options, reconnectWait)
        // The bridge publishes again what a lost connection left unconfirmed; the library must not send it as well.
        natsOptions_SetReconnectBufSize(options, 0)
        natsOptions_SetPingInterval(options, 10_000)
        natsOptions_SetMaxPingsOut(options, 2)
        if let authority = address.authority {
            try check(natsOptions_LoadCATrustedCertificates(options, authority), authority)
        }
        // The library does not look at the scheme.
        if address.usesTLS { try check(natsOptions_SetSecure(options, true), "TLS") }
        switch address.credentials {
        case .none: break
        case .seed(let file, let key): try check(natsOptions_SetNKeyFromSeed(options, key, file), file)
        case .credentials(let file): try check(natsOptions_SetUserCredentialsFromFiles(options, file, nil), file)
        case .password(let user, let password): try check(natsOptions_SetUserInfo(options, user, password), user)
        }
    }
}

/// What became of parcels that are on their way, as a thread of libnats learns it.
final class NatsAcks: Sendable {
    private let outcomes = Mutex<[String: PublishOutcome]>([:])

    func came(_ message: OpaquePointer, _ outcome: PublishOutcome) {
        var id: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(message, "Nats-Msg-Id", &id) == NATS_OK, let id else { return }
        let key = String(cString: id)
        outcomes.withLock { $0[key] = outcome }
    }

    /// - Returns: outcomes by the ids of parcels. One that comes late is as true for the same parcel published again.
    func take() -> [String: PublishOutcome] {
        outcomes.withLock { outcomes in
            defer { outcomes = [:] }
            return outcomes
        }
    }
}

extension PublishOutcome {
    /// JetStream says 10077 for every failure to store; here that is a stream without space.
    private static let storeFailed: UInt32 = 10_077

    init(_ ack: UnsafeMutablePointer<jsPubAck>?, _ error: UnsafeMutablePointer<jsPubAckErr>?) {
        if let ack {
            self = ack.pointee.Duplicate ? .known : .stored
        } else if let error {
            let fault = error.pointee
            let words = fault.ErrText.map { String(cString: $0) } ?? fault.Err.words
            self = fault.ErrCode.rawValue == Self.storeFailed ? .full : .failed(words)
        } else {
            self = .failed("no answer")
        }
    }
}

extension String? {
    func withOptionalCString<Value>(_ body: (UnsafePointer<CChar>?) -> Value) -> Value {
        guard let self else { return body(nil) }
        return self.withCString { body($0) }
    }
}

/// Lends texts to C as an array of pointers.
func withCStrings<Value>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Value
) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var pointers = copies.map { UnsafePointer($0) }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress) }
}
