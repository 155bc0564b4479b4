import LatticeBridge
import LatticeConcurrency
import LatticeCore

/// An MQTT broker in memory: it keeps a little for who is away, and can lose, double and shuffle.
actor FakeLiveBroker {
    private final class Client {
        let topics: LiveTopics
        let signal = Signal()
        var isConnected = false
        /// The broker remembers it.
        var hasSession = false
        var kept: [LiveMessage] = []
        /// What it has not read yet.
        var events: [LiveEvent] = []

        init(_ topics: LiveTopics) { self.topics = topics }
    }

    private var clients: [String: Client] = [:]
    private var random: SeededGenerator
    /// How much is kept for one who is away.
    private var keptMax = 1_000
    /// How many of a hundred deliveries come twice.
    private var copies = 0
    /// How many of a hundred deliveries overtake the one before.
    private var swaps = 0
    private(set) var isDown = false
    /// All that was published.
    private(set) var published: [LiveMessage] = []

    init(seed: UInt64 = 0) { random = SeededGenerator(seed: seed) }

    func set(keptMax: Int) { self.keptMax = keptMax }

    func set(copies: Int, swaps: Int) { (self.copies, self.swaps) = (copies, swaps) }

    /// How many records were published.
    var recordCount: Int { published.count { $0.topic.contains("/r/") } }

    /// The broker ends, and forgets everybody.
    func end() {
        isDown = true
        for (name, client) in clients {
            leave(name)
            (client.hasSession, client.kept) = (false, [])
        }
    }

    func begin() { isDown = false }

    /// A bridge connects, with a new connection or again.
    func join(_ name: String, _ topics: LiveTopics) {
        guard !isDown else { return }
        let client = clients[name] ?? Client(topics)
        clients[name] = client
        client.events = [.connected(hasSession: client.hasSession)]
        client.events += client.kept.map { .message($0) }
        (client.isConnected, client.hasSession, client.kept) = (true, true, [])
        client.signal.raise()
    }

    /// A bridge that still runs connects again.
    func rejoin(_ name: String) {
        if let client = clients[name] { join(name, client.topics) }
    }

    /// - Parameter isForgotten: its session is over, too.
    func leave(_ name: String, isForgotten: Bool = false) {
        guard let client = clients[name] else { return }
        if client.isConnected { client.events.append(.disconnected(why: "gone")) }
        client.isConnected = false
        if isForgotten { (client.hasSession, client.kept) = (false, []) }
        client.signal.raise()
    }

    /// Delivers a message that no bridge has sent.
    func insert(_ message: LiveMessage) { deliver(message) }

    /// All that was published comes again.
    func replay() {
        for message in published { deliver(message) }
    }

    func topics(of name: String) -> LiveTopics? { clients[name]?.topics }

    func isConnected(_ name: String) -> Bool { clients[name]?.isConnected ?? false }

    fileprivate func next(_ name: String) async -> [LiveEvent] {
        while !Task.isCancelled, let client = clients[name] {
            if !client.events.isEmpty {
                defer { client.events = [] }
                return client.events
            }
            await client.signal.wait()
        }
        return []
    }

    fileprivate func publish(_ messages: [LiveMessage], from name: String) -> [Bool] {
        guard clients[name]?.isConnected == true else { return messages.map { _ in false } }
        for message in messages {
            published.append(message)
            deliver(message)
        }
        return messages.map { _ in true }
    }

    private func deliver(_ message: LiveMessage) {
        for name in clients.keys.sorted() {
            guard let client = clients[name], client.hasSession, Self.isFor(message.topic, client.topics) else {
                continue
            }
            if client.isConnected {
                enqueue(message, client)
                if Int.random(in: 0..<100, using: &random) < copies { enqueue(message, client) }
                client.signal.raise()
            } else if message.topic != client.topics.greetings, client.kept.count < keptMax {
                client.kept.append(message)
            }
        }
    }

    private func enqueue(_ message: LiveMessage, _ client: Client) {
        let isFirst = Int.random(in: 0..<100, using: &random) < swaps
        if isFirst, case .message = client.events.last {
            client.events.insert(.message(message), at: client.events.count - 1)
        } else {
            client.events.append(.message(message))
        }
    }

    private static func isFor(_ topic: String, _ topics: LiveTopics) -> Bool {
        topic == topics.greetings
            || topics.kept.contains { $0 == topic || $0.hasSuffix("+") && topic.hasPrefix($0.dropLast()) }
    }
}

/// One bridge's connection.
struct FakeLivePort: LiveBroker {
    let broker: FakeLiveBroker
    let name: String

    func next() async throws(BrokerFault) -> [LiveEvent] { await broker.next(name) }

    func publish(_ messages: [LiveMessage]) async -> [Bool] { await broker.publish(messages, from: name) }
}
