import LatticeCore
import LatticeMesh

/// A large mesh in which several peers say more than its links carry, and some quiet peers say an urgent line each.
/// Measures how much later the last peer gets those than in the same mesh while it is idle, how long usual lines of the
/// same authors take, and what a liar gains who claims that everything is urgent.
package struct UrgencyExperiment: Sendable {
    package var topology: Topology
    package var seed: UInt64
    package var network: NetworkConditions
    package var settings = MeshSettings()
    /// Peers that say too much. The first of them claims that all of it is urgent.
    package var speakers = 8
    /// What they say together, as a multiple of what one direction of one link carries.
    package var load = 1.4
    /// Bytes of each of their lines.
    package var lineBytes = 16_000
    /// Urgent lines, each by another quiet peer.
    package var urgent = 10
    /// Milliseconds from the start of the load to the first urgent line.
    package var crowdingTime: Int64 = 2_000
    /// Milliseconds between two urgent lines.
    package var interval: Int64 = 100

    package init(_ topology: Topology, seed: UInt64, network: NetworkConditions) {
        precondition(network.bytesPerSecond != nil, "only a limited network is under full load")
        self.topology = topology
        self.seed = seed
        self.network = network
    }

    private static let joinTime: Int64 = 5_000
    private static let settleTime: Int64 = 5_000
    /// Lines said before the measurement, so that there is a tree.
    private static let warmUpLines = 10
    private static let warmUpInterval: Int64 = 500
    /// How long the last lines may take.
    private static let patience: Int64 = 20_000
    /// The first line of the measurement.
    private static var beginning: Int64 {
        joinTime + settleTime + Int64(warmUpLines) * warmUpInterval + 2_000
    }

    package func report() -> UrgencyReport {
        let idle = measured(isLoaded: false)
        let loaded = measured(isLoaded: true)
        return UrgencyReport(
            peers: topology.count, idle: idle.urgent, loaded: loaded.urgent, usual: loaded.usual, liar: loaded.liar,
            honest: loaded.honest, busyShare: loaded.busyShare, overflows: loaded.overflows,
            faults: idle.faults + loaded.faults)
    }

    private struct Measured {
        var urgent: [RecordFigures] = []
        var usual: [RecordFigures] = []
        var liar: [RecordFigures] = []
        var honest: [RecordFigures] = []
        var busyShare = 0.0
        var overflows = 0
        var faults: [Fault] = []
    }

    private func measured(isLoaded: Bool) -> Measured {
        var generator = SeededGenerator(seed: seed ^ 0x7572_6765)
        let everybody = Array(0..<topology.count).shuffled(using: &generator)
        let loud = Array(everybody.prefix(speakers))
        let quiet = Array(everybody.dropFirst(speakers).prefix(urgent))
        var world = World(topology, seed: seed, network: network, settings: settings, isPresenceOn: false)
        world.plan(joining(using: &generator))
        for line in 0..<Self.warmUpLines {
            let time = Self.joinTime + Self.settleTime + Int64(line) * Self.warmUpInterval
            world.plan([.say(everybody[everybody.count - 1 - line % everybody.count], at: time)])
        }
        let first = Self.beginning + crowdingTime
        let end = first + Int64(urgent) * interval
        if isLoaded { world.plan(loading(loud, until: end)) }
        for (number, peer) in quiet.enumerated() {
            let time = first + Int64(number) * interval
            world.plan([.speak(peer, bytes: 100, isUrgent: true, at: time)])
            world.plan([.speak(peer, bytes: 101, isUrgent: false, at: time + 1)])
        }
        world.run(until: end)
        var measured = Measured()
        measured.busyShare = world.network.busyShare
        world.run(until: end + Self.patience)
        for track in world.records.tracks where track.saidAt >= first {
            let figures = RecordFigures(track, in: world, tally: FrameTally())
            if let number = quiet.firstIndex(of: track.author) {
                let isUrgent = (track.saidAt - first - Int64(number) * interval) == 0
                if isUrgent { measured.urgent.append(figures) } else { measured.usual.append(figures) }
            } else if track.author == loud.first {
                measured.liar.append(figures)
            } else {
                measured.honest.append(figures)
            }
        }
        measured.overflows = world.network.overflowCount
        measured.faults = world.faults
        return measured
    }

    private func joining(using generator: inout SeededGenerator) -> [Weather] {
        var weather: [Weather] = []
        for peer in 0..<topology.count {
            let time = Int64(peer) * Self.joinTime / Int64(topology.count)
            weather.append(.start(peer, at: time))
            if case .full = topology {
                if peer > 0 { weather.append(.give(peer, Int.random(in: 0..<peer, using: &generator), at: time)) }
            } else {
                weather.append(.discover(peer, at: time))
            }
        }
        return weather
    }

    /// All of them say as much, evenly spread.
    private func loading(_ loud: [Int], until end: Int64) -> [Weather] {
        let bytesPerSecond = Double(network.bytesPerSecond ?? 1) * load
        let gap = Double(lineBytes) / bytesPerSecond * 1_000
        var weather: [Weather] = []
        var time = Double(Self.beginning)
        while Int64(time) < end {
            let peer = loud[weather.count % loud.count]
            weather.append(.speak(peer, bytes: lineBytes, isUrgent: peer == loud.first, at: Int64(time)))
            time += gap
        }
        return weather
    }
}

package struct UrgencyReport: Sendable {
    package let peers: Int
    /// The urgent lines in the idle mesh, and under load.
    package let idle: [RecordFigures]
    package let loaded: [RecordFigures]
    /// Usual lines of the same authors under load.
    package let usual: [RecordFigures]
    /// What the liar said under load, and what the other loud ones said; only while urgent lines were said.
    package let liar: [RecordFigures]
    package let honest: [RecordFigures]
    /// Share of link directions whose send queue is full when the load ends.
    package let busyShare: Double
    package let overflows: Int
    package let faults: [Fault]

    /// How much later the last peer gets an urgent line under load than without, on average.
    package var ratio: Double {
        RecordFigures.mean(of: loaded).last / max(1, RecordFigures.mean(of: idle).last)
    }

    /// The same of the worst line and the worst idle line.
    package var worstRatio: Double {
        (loaded.map(\.last).max() ?? 0) / max(1, idle.map(\.last).max() ?? 0)
    }
}
