import LatticeCore

/// A large mesh forms, settles, and broadcasts a number of lines one after the other. Measures how reliably, how fast
/// and at what cost they travel.
package struct Experiment: Sendable {
    package enum Senders: String, Sendable, CaseIterable {
        case one
        case random
    }

    package var topology: Topology
    package var seed: UInt64
    package var records: Int
    package var senders = Senders.one
    package var network: NetworkConditions
    package var settings = MeshSettings()
    /// Milliseconds over which the starts of peers are spread evenly.
    package var joinTime: Int64 = 5_000
    /// From the last start to the first line, in milliseconds.
    package var settleTime: Int64 = 5_000
    /// Whether peers announce presence; its frames count, too.
    package var isPresenceOn = false
    /// Time between lines, in milliseconds.
    package var interval: Int64 = 1_000
    /// The share of all peers that is killed at once, right before the line after the first `failAfter`.
    package var failShare = 0.0
    package var failAfter = 10

    package init(_ topology: Topology, seed: UInt64, records: Int, network: NetworkConditions) {
        self.topology = topology
        self.seed = seed
        self.records = records
        self.network = network
    }

    package func report() -> ExperimentReport {
        var generator = SeededGenerator(seed: seed ^ 0x6578_7072)
        let count = topology.count
        let speaker = Int.random(in: 0..<count, using: &generator)
        let victims = drawVictims(sparing: speaker, using: &generator)
        var world = World(topology, seed: seed, network: network, settings: settings, isPresenceOn: isPresenceOn)
        world.plan(joining(world.network.adjacency, using: &generator))
        let first = joinTime + settleTime
        for line in 0..<records {
            let time = first + Int64(line) * interval
            if line == failAfter { world.plan(victims.map { .crash($0, at: time - 1) }) }
            world.plan([.say(sender(of: line, speaker, sparing: victims, using: &generator), at: time)])
        }
        world.run(until: first + Int64(records) * interval)
        return ExperimentReport(world, failAfter: victims.isEmpty ? nil : failAfter)
    }

    /// In a full topology each peer gets the address of an earlier one, as a person would give it. In other topologies
    /// everybody within reach is discovered.
    private func joining(_ adjacency: Adjacency, using generator: inout SeededGenerator) -> [Weather] {
        let count = topology.count
        var weather: [Weather] = []
        for peer in 0..<count {
            let time = Int64(peer) * joinTime / Int64(count)
            weather.append(.start(peer, at: time))
            if case .full = topology {
                guard peer > 0 else { continue }
                weather.append(.give(peer, Int.random(in: 0..<peer, using: &generator), at: time))
            } else {
                weather.append(.discover(peer, at: time))
            }
        }
        return weather
    }

    /// In ascending order.
    private func drawVictims(sparing speaker: Int, using generator: inout SeededGenerator) -> [Int] {
        guard failAfter < records else { return [] }
        let everybody = (0..<topology.count).filter { $0 != speaker }.shuffled(using: &generator)
        return everybody.prefix(Int((Double(topology.count) * failShare).rounded())).sorted()
    }

    private func sender(
        of line: Int, _ speaker: Int, sparing victims: [Int], using generator: inout SeededGenerator
    ) -> Int {
        guard senders == .random else { return speaker }
        guard line >= failAfter, !victims.isEmpty else { return Int.random(in: 0..<topology.count, using: &generator) }
        let gone = Set(victims)
        let survivors = (0..<topology.count).filter { !gone.contains($0) }
        return survivors.randomElement(using: &generator) ?? speaker
    }
}
