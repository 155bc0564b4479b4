import LatticeBridge
import LatticeConcurrency
import Synchronization

/// What the thread of libmosquitto has heard. It only puts things here and wakes who waits for them.
final class MqttInbox: Sendable {
    private static let eventsMax = 8_192
    private static let bytesMax = 8 << 20

    private struct Box {
        var events: [LiveEvent] = []
        var bytes = 0
        /// Messages were dropped since somebody last looked.
        var isOverflown = false
        var fault: BrokerFault?
        var isConnected = false
        var wasConnected = false
        /// The broker's word on the session, until our topics are subscribed.
        var hasSession = false
        /// The request with which the last topics are subscribed.
        var subscribing: Int32?
        /// Messages without a confirmation, by their numbers.
        var unconfirmed: [Int32: (receipt: MqttReceipt, index: Int)] = [:]
    }

    private let box = Mutex(Box())
    private let signal = Signal()
    private let topics: LiveTopics

    init(_ topics: LiveTopics) { self.topics = topics }

    var greetings: String { topics.greetings }
    var kept: [String] { topics.kept }

    var isConnected: Bool { box.withLock(\.isConnected) }

    /// Waits until our topics are subscribed for the first time.
    func opened() async throws(BrokerFault) {
        while !Task.isCancelled {
            let (isConnected, fault) = box.withLock { ($0.isConnected, $0.fault) }
            if let fault { throw fault }
            if isConnected { return }
            await signal.wait()
        }
    }

    /// Waits until there is something.
    func next() async throws(BrokerFault) -> [LiveEvent] {
        while true {
            let (events, fault) = box.withLock { box in
                defer { (box.events, box.bytes, box.isOverflown, box.fault) = ([], 0, false, nil) }
                return (box.events + (box.isOverflown ? [.overflowed] : []), box.fault)
            }
            if let fault { throw fault }
            guard events.isEmpty, !Task.isCancelled else { return events }
            await signal.wait()
        }
    }

    // MARK: - Called by the thread of libmosquitto

    /// The broker has accepted the connection; it is usable once the request of this number is answered.
    func accepted(hasSession: Bool, subscribing: Int32) {
        box.withLock { ($0.hasSession, $0.subscribing) = (hasSession, subscribing) }
    }

    func subscribed(_ number: Int32, isGranted: Bool) {
        let isNews = box.withLock { box in
            guard isGranted else {
                box.fault = .refused("a right to read topics is missing")
                return true
            }
            guard box.subscribing == number else { return false }
            (box.subscribing, box.isConnected, box.wasConnected) = (nil, true, true)
            box.events.append(.connected(hasSession: box.hasSession))
            return true
        }
        if isNews { signal.raise() }
    }

    func failed(_ fault: BrokerFault) {
        box.withLock { $0.fault = fault }
        signal.raise()
    }

    func disconnected(_ why: String) {
        let receipts = box.withLock { box in
            if box.isConnected { box.events.append(.disconnected(why: why)) }
            if !box.wasConnected, box.fault == nil { box.fault = .unreachable(why) }
            (box.isConnected, box.subscribing) = (false, nil)
            defer { box.unconfirmed = [:] }
            return box.unconfirmed.values.map(\.receipt)
        }
        for receipt in receipts { receipt.abandon() }
        signal.raise()
    }

    func came(_ message: LiveMessage) {
        box.withLock { box in
            guard box.events.count < Self.eventsMax, box.bytes + message.payload.count <= Self.bytesMax else {
                box.isOverflown = true
                return
            }
            box.bytes += message.payload.count
            box.events.append(.message(message))
        }
        signal.raise()
    }

    func confirmed(_ number: Int32) {
        let entry = box.withLock { $0.unconfirmed.removeValue(forKey: number) }
        entry?.receipt.confirm(entry?.index ?? 0)
    }

    // MARK: - Called by who publishes

    /// - Parameter send: gives a message to the library, which does not call back meanwhile; returns its number.
    func expect(_ receipt: MqttReceipt, _ index: Int, _ send: () -> Int32?) {
        let isSent = box.withLock { box in
            guard box.isConnected, let number = send() else { return false }
            box.unconfirmed[number] = (receipt, index)
            return true
        }
        if !isSent { receipt.abandon() }
    }
}

/// Messages that were published together, until the broker has confirmed each or is gone.
final class MqttReceipt: Sendable {
    private struct State {
        var confirmed: [Bool]
        var missing: Int
        var isAbandoned = false
    }

    private let state: Mutex<State>
    private let signal = Signal()

    init(count: Int) {
        state = Mutex(State(confirmed: [Bool](repeating: false, count: count), missing: count))
    }

    func confirm(_ index: Int) {
        let isLast = state.withLock { state in
            guard !state.confirmed[index] else { return false }
            state.confirmed[index] = true
            state.missing -= 1
            return state.missing == 0
        }
        if isLast { signal.raise() }
    }

    /// The rest will not be confirmed.
    func abandon() {
        state.withLock { $0.isAbandoned = true }
        signal.raise()
    }

    func outcome() async -> [Bool] {
        while !Task.isCancelled {
            let outcome = state.withLock { $0.missing == 0 || $0.isAbandoned ? $0.confirmed : nil }
            if let outcome { return outcome }
            await signal.wait()
        }
        return state.withLock(\.confirmed)
    }
}
