import LatticeAPI

/// Tells every front what happens. A front that falls behind loses the newest events and is told how many.
struct Broadcast {
    /// Some 16,000 lines: more than a person reads in a day, and at most a few MB each.
    static let eventsMax = 16_384

    private enum Input {
        case stream(AsyncStream<NodeEvent>.Continuation)
        case feed(EventFeed)
    }

    private enum Outcome {
        case put
        case full
        case gone
    }

    private struct Reader {
        let input: Input
        var missed = 0
        var isGone = false

        mutating func tell(_ event: NodeEvent) {
            if missed > 0, put(.missed(missed)) == .put { missed = 0 }
            switch put(event) {
            case .put: return
            case .full: missed += 1
            case .gone: isGone = true
            }
        }

        private func put(_ event: NodeEvent) -> Outcome {
            switch input {
            case .feed(let feed): return feed.put(event) ? .put : .full
            case .stream(let input):
                switch input.yield(event) {
                case .enqueued: return .put
                case .dropped: return .full
                case .terminated: return .gone
                @unknown default: return .put
                }
            }
        }
    }

    private var readers: [Reader] = []

    mutating func add() -> AsyncStream<NodeEvent> {
        let (stream, input) = AsyncStream<NodeEvent>.makeStream(bufferingPolicy: .bufferingOldest(Self.eventsMax))
        readers.append(Reader(input: .stream(input)))
        return stream
    }

    /// It is told as long as the node runs.
    mutating func addFeed() -> EventFeed {
        let feed = EventFeed(eventsMax: Self.eventsMax)
        readers.append(Reader(input: .feed(feed)))
        return feed
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
        for reader in readers {
            switch reader.input {
            case .stream(let input): input.finish()
            case .feed(let feed): feed.finish()
            }
        }
    }
}
