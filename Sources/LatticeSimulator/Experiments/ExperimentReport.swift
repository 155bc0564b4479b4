/// The result of one experiment, or means over several.
package struct ExperimentReport: Sendable {
    package let peers: Int
    package let records: [RecordFigures]
    /// Mean number of neighbours of the peers that are up at the end.
    package let linksMean: Double
    /// Share of those peers that have none.
    package let isolated: Double
    /// Reliability of each line said after the failure, among the survivors; empty if nobody failed.
    package let afterFailure: [Double]
    /// When the last of them received it, in milliseconds.
    package let afterFailureLast: [Double]
    /// Frames sent from the first line on.
    package let tally: FrameTally
    /// Frames sent before the first line, while the mesh formed.
    package let joiningTally: FrameTally
    package let events: Int
    package let faults: [Fault]

    init(_ world: World, failAfter: Int?) {
        let tallies = world.records.tracks.map(\.tallyAtFirst) + [world.tally]
        var records: [RecordFigures] = []
        for (number, track) in world.records.tracks.enumerated() {
            records.append(RecordFigures(track, in: world, tally: tallies[number + 1].since(tallies[number])))
        }
        self.records = records
        let up = world.peers.indices.filter { world.isUp($0) }
        peers = world.peers.count
        let links = up.map { world.connectedCount(of: $0) }
        linksMean = up.isEmpty ? 0 : Double(links.reduce(0, +)) / Double(up.count)
        isolated = up.isEmpty ? 0 : Double(links.count { $0 == 0 }) / Double(up.count)
        afterFailure = failAfter.map { records.dropFirst($0).map(\.reliability) } ?? []
        afterFailureLast = failAfter.map { records.dropFirst($0).map(\.last) } ?? []
        tally = world.tally.since(tallies[0])
        joiningTally = tallies[0]
        events = world.events
        faults = world.faults
    }

    package var mean: RecordFigures { RecordFigures.mean(of: records) }
    package var first: RecordFigures { records.first ?? RecordFigures() }
    package var secondHalf: RecordFigures { RecordFigures.mean(of: records.suffix((records.count + 1) / 2)) }
}
