/// How one line travelled, or means over several.
package struct RecordFigures: Hashable, Sendable {
    /// Share of the peers that were up, without the author, that received it.
    package var reliability = 0.0
    /// Relative message redundancy: copies received for each peer that had to receive one, minus the one it needs.
    package var redundancy = 0.0
    /// Last delivery hop: the longest path of a delivered copy.
    package var lastHop = 0.0
    /// Delivery times in milliseconds: median, 99th percentile, last.
    package var median = 0.0
    package var nearlyAll = 0.0
    package var last = 0.0
    /// All frames and bytes sent until the next line was said.
    package var frames = 0.0
    package var bytes = 0.0
    package var recordFrames = 0.0

    init() {}

    /// - Parameter tally: the frames sent from this line to the next.
    init(_ track: RecordTrack, in world: World, tally: FrameTally) {
        var times: [Int64] = []
        var audience = 0
        for peer in world.peers.indices where world.isUp(peer) && peer != track.author {
            guard world.startedAt(peer) <= track.saidAt else { continue }
            audience += 1
            if let time = track.shown(at: peer) { times.append(time - track.saidAt) }
        }
        times.sort()
        guard audience > 0 else { return }
        reliability = Double(times.count) / Double(audience)
        redundancy = Double(track.receptions) / Double(audience) - 1
        lastHop = Double(track.hopsMax)
        median = Self.percentile(50, of: times)
        nearlyAll = Self.percentile(99, of: times)
        last = Double(times.last ?? 0)
        frames = Double(tally.frames)
        bytes = Double(tally.bytes)
        recordFrames = Double(track.frames)
    }

    package static func mean(of figures: some Collection<RecordFigures>) -> RecordFigures {
        var mean = RecordFigures()
        guard !figures.isEmpty else { return mean }
        let fields: [WritableKeyPath<RecordFigures, Double>] = [
            \.reliability, \.redundancy, \.lastHop, \.median, \.nearlyAll, \.last, \.frames, \.bytes, \.recordFrames,
        ]
        for field in fields {
            mean[keyPath: field] = figures.reduce(0) { $0 + $1[keyPath: field] } / Double(figures.count)
        }
        return mean
    }

    /// The nearest-rank percentile.
    private static func percentile(_ percent: Int, of sorted: [Int64]) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let rank = (percent * sorted.count + 99) / 100
        return Double(sorted[min(max(rank, 1), sorted.count) - 1])
    }
}
