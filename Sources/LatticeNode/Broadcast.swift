import LatticeAPI

/// Tells every front what happens. A front that falls behind loses the newest events and is told how many.
struct Broadcast {
    /// Some 16,000 lines: more than a person reads in a day, and at most a few MB each.
    static let eventsMax = 16_384

    private struct Reader {
        let input: AsyncStream<NodeEvent>.Continuation
        var missed = 0
        var isGone = false

        mutating func tell(_ event: NodeEvent) {
            if missed > 0, case .enqueued = input.yield(.missed(missed)) { missed = 0 }
            switch input.yield(event) {
            case .enqueued: return
            case .terminated: isGone = true
            case .dropped: missed += 1
            @unknown default: return
            }
        }
    }

    private var readers: [Reader] = []

    mutating func add() -> AsyncStream<NodeEvent> {
        let (stream, input) = AsyncStream<NodeEvent>.makeStream(bufferingPolicy: .bufferingOldest(Self.eventsMax))
        readers.append(Reader(input: input))
        return stream
    }

    mutating func tell(_ event: NodeEvent) {
        var isAnyGone = false
        for index in readers.indices {
            readers[index].tell(event)
            isAnyGone = isAnyGone || readers[index].isGone
        }
        if isAnyGone { readers.removeAll(where: \.isGone) }
    }

    func finish() {
        for reader in readers { reader.input.finish() }
    }
}
