import LatticeCore

// Plans generated from a seed. A seed alone is therefore a complete bug report.
extension Plan {
    /// The end of the storm, in milliseconds.
    private static let calmAt: Int64 = 70_000
    /// Longer than the longest wait of the mesh: a backoff of a minute, and the time to find a link dead.
    private static let quiet: Int64 = 130_000

    package static func random(seed: UInt64) -> Plan {
        var generator = SeededGenerator(seed: seed ^ 0x706C_616E)
        let topology = Topology.random(using: &generator)
        var plan = Plan(topology, seed: seed, linesSince: calmAt + quiet, end: calmAt + quiet + 30_000)
        plan.network = NetworkConditions.random(using: &generator)
        // The longest path visits every peer.
        plan.settings.timeToLive = UInt8(clamping: min(64, max(32, topology.count)))
        for peer in 0..<topology.count {
            let time = Int64.random(in: 0...3_000, using: &generator)
            plan.weather += [.start(peer, at: time), .discover(peer, at: time)]
        }
        let count = Int.random(in: 0...2 + topology.count / 2, using: &generator)
        for _ in 0..<count { plan.weather += storm(over: topology, using: &generator) }
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let peer = Int.random(in: 0..<topology.count, using: &generator)
            plan.weather.append(.say(peer, at: Int64.random(in: 1_000..<calmAt, using: &generator)))
        }
        plan.weather.append(.calm(at: calmAt))
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
            let peer = Int.random(in: 0..<topology.count, using: &generator)
            plan.weather.append(.say(peer, at: plan.linesSince + Int64.random(in: 0...5_000, using: &generator)))
        }
        return plan
    }

    /// A single incident; most end before the storm does.
    private static func storm(over topology: Topology, using generator: inout SeededGenerator) -> [Weather] {
        let peer = Int.random(in: 0..<topology.count, using: &generator)
        let other = (peer + Int.random(in: 1..<max(topology.count, 2), using: &generator)) % topology.count
        let start = Int64.random(in: 4_000..<50_000, using: &generator)
        let end = Int64.random(in: start + 10..<calmAt, using: &generator)
        let isBack = Int.random(in: 0..<4, using: &generator) > 0
        let withDisk = Bool.random(using: &generator)
        let back: [Weather] = isBack ? [.restart(peer, withDisk: withDisk, at: end), .discover(peer, at: end)] : []
        switch Int.random(in: 0..<9, using: &generator) {
        case 0, 1: return [.crash(peer, at: start)] + back
        case 2: return [.leave(peer, at: start)] + back
        case 3: return [.cut(peer, other, at: start), .mend(peer, other, at: end)]
        case 4: return [.cutOneWay(peer, other, at: start), .mend(peer, other, at: end)]
        case 5:
            let everybody = Array(0..<topology.count)
            let groups = [everybody.filter { $0 % 2 == peer % 2 }, everybody.filter { $0 % 2 != peer % 2 }]
            return [.partition(groups, at: start), .heal(at: end)]
        case 6: return [.skewClock(peer, Int64.random(in: -3_600_000...3_600_000, using: &generator), at: start)]
        case 7: return [.slow(peer, Int64.random(in: 50...2_000, using: &generator), at: start)]
        default:
            // If a hostile peer can separate others, nothing is guaranteed. Only full topologies exclude that.
            guard case .full = topology, topology.count > 4 else { return [] }
            let hostility = Hostility.ofFloods.randomElement(using: &generator) ?? .swallows
            return [.hostile(0, hostility, at: start)]
        }
    }
}

extension Topology {
    fileprivate static func random(using generator: inout SeededGenerator) -> Topology {
        // Most bugs show with few peers, which are fast to simulate.
        let isLarge = Int.random(in: 0..<10, using: &generator) == 0
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...2: return .full(Int.random(in: isLarge ? 13...40 : 2...12, using: &generator))
        case 3: return .line(Int.random(in: isLarge ? 9...24 : 2...8, using: &generator))
        case 4: return .ring(Int.random(in: isLarge ? 9...30 : 3...8, using: &generator))
        case 5:
            let sides = isLarge ? 4...6 : 2...3
            return .grid(
                width: Int.random(in: sides, using: &generator), height: Int.random(in: sides, using: &generator))
        case 6:
            let degree = Int.random(in: 3...5, using: &generator)
            return .random(Int.random(in: isLarge ? 13...30 : 5...12, using: &generator), degree: degree)
        default:
            return .islands(
                Int.random(in: 2...(isLarge ? 5 : 3), using: &generator),
                size: Int.random(in: isLarge ? 4...7 : 2...4, using: &generator))
        }
    }
}

extension NetworkConditions {
    fileprivate static func random(using generator: inout SeededGenerator) -> NetworkConditions {
        let latencies: [ClosedRange<Int64>] = [1...1, 1...50, 10...50, 1...200]
        var conditions = NetworkConditions(latency: latencies.randomElement(using: &generator) ?? 1...50)
        if Bool.random(using: &generator) { conditions.jitter = 0...Int64.random(in: 1...40, using: &generator) }
        // Worse than TCP, so only in some plans.
        if Int.random(in: 0..<3, using: &generator) == 0 {
            conditions.lossPerMille = Int.random(in: 0...100, using: &generator)
            conditions.duplicationPerMille = Int.random(in: 0...50, using: &generator)
            conditions.reorderingPerMille = Int.random(in: 0...50, using: &generator)
        }
        return conditions
    }
}
