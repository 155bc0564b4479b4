import LatticeAPI

/// Tells every front what happens. A front that falls behind loses the newest events and is told how many.
struct Broadcast {
    /// Some 16,000 lines: more than a person reads in a day, and at most a few MB each.
    static let eventsMax = 16_384

    private struct Reader {
        let input: AsyncStream<NodeEvent>.Continuation
        var missed = 0
    }

    private var readers: [Reader] = []

    mutating func add() -> AsyncStream<NodeEvent> {
        let (stream, input) = AsyncStream<NodeEvent>.makeStream(bufferingPolicy: .bufferingOldest(Self.eventsMax))
        readers.append(Reader(input: input))
        return stream
    }

    mutating func tell(_ event: NodeEvent) {
        readers = readers.compactMap { reader in
            var reader = reader
            if reader.missed > 0, case .enqueued = reader.input.yield(.missed(reader.missed)) { reader.missed = 0 }
            switch reader.input.yield(event) {
            case .enqueued: return reader
            case .terminated: return nil
            case .dropped:
                reader.missed += 1
                return reader
            @unknown default: return reader
            }
        }
    }

    func finish() {
        for reader in readers { reader.input.finish() }
    }
}
