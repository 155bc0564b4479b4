import LatticeAPI
import NIOCore

/// Hands what happens to whoever subscribed: written down once, however many they are.
actor ControlHub {
    struct Told: Sendable {
        let topic: ControlTopic?
        let line: ByteBuffer
    }

    private struct Reader {
        let topics: Set<ControlTopic>
        let input: AsyncStream<ByteBuffer>.Continuation
        var missed = 0
    }

    private var readers: [Int: Reader] = [:]
    private var lastReader = 0
    private var clientsCount = 0
    /// Whether this peer listens and looks for others.
    private(set) var isReady = false

    /// - Returns: whether there is room for one more client.
    func admit() -> Bool {
        guard clientsCount < ControlLimit.clientsMax else { return false }
        clientsCount += 1
        return true
    }

    func leave() { clientsCount -= 1 }

    /// - Returns: its lines; they end when this peer does.
    func add(_ topics: Set<ControlTopic>) -> AsyncStream<ByteBuffer> {
        let (stream, input) = AsyncStream<ByteBuffer>.makeStream(
            bufferingPolicy: .bufferingOldest(ControlLimit.eventsWaitingMax))
        lastReader += 1
        readers[lastReader] = Reader(topics: topics, input: input)
        return stream
    }

    func run(_ events: AsyncStream<NodeEvent>) async {
        for await event in events {
            if case .ready = event { isReady = true }
            guard !readers.isEmpty else { continue }
            let topic = ControlTopic(of: event)
            let line = Self.line(event)
            for (number, reader) in readers where topic.map(reader.topics.contains) ?? true {
                readers[number] = Self.tell(line, reader)
            }
        }
        for reader in readers.values { reader.input.finish() }
        readers = [:]
    }

    /// - Returns: `nil` for who does not listen any more.
    private static func tell(_ line: ByteBuffer, _ reader: Reader) -> Reader? {
        var reader = reader
        if reader.missed > 0, case .enqueued = reader.input.yield(Self.line(.missed(reader.missed))) {
            reader.missed = 0
        }
        switch reader.input.yield(line) {
        case .enqueued: return reader
        case .terminated: return nil
        case .dropped:
            reader.missed += 1
            return reader
        @unknown default: return reader
        }
    }

    private static func line(_ event: NodeEvent) -> ByteBuffer {
        ByteBuffer(bytes: ControlLine.bytes(of: ControlReply.event(event)))
    }
}
