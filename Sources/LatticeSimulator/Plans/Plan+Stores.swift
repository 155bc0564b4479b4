import LatticeCore
import LatticeWire

// Plans about stores, generated from a seed: people write for an hour, some peers are absent for most of it, and
// incidents happen.
extension Plan {
    /// The end of the storm, in milliseconds.
    private static let calmAt: Int64 = 1_800_000
    /// As in plans about broadcasts, with time for a few more reconciliations.
    private static let quiet: Int64 = 200_000
    /// Idle links reconcile at least once an hour, and declined records are forgotten after an hour. This finds what
    /// was lost unnoticed, or seemed expired by a clock that leapt.
    private static let longQuiet: Int64 = 7_500_000

    package static func stores(seed: UInt64) -> Plan {
        var generator = SeededGenerator(seed: seed ^ 0x7374_6F72_6573)
        let topology = Topology.small(using: &generator)
        let isRough = Int.random(in: 0..<6, using: &generator) == 0
        let quiet = isRough ? longQuiet : quiet
        var plan = Plan(topology, seed: seed, linesSince: calmAt + quiet, end: calmAt + quiet + 60_000)
        plan.settings.timeToLive = 32
        plan.network = NetworkConditions(latency: 1...Int64.random(in: 1...80, using: &generator))
        if isRough { plan.network.lossPerMille = Int.random(in: 1...50, using: &generator) }
        plan.stores = (0..<topology.count).map { _ in StoreSettings.random(using: &generator) }
        for peer in 0..<topology.count {
            plan.weather += beginning(of: peer, using: &generator)
            plan.weather += writings(of: peer, isRough: isRough, using: &generator)
        }
        for _ in 0..<Int.random(in: 0...topology.count, using: &generator) {
            plan.weather += storm(over: topology, using: &generator)
        }
        plan.weather.append(.calm(at: calmAt))
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let peer = Int.random(in: 0..<topology.count, using: &generator)
            plan.weather.append(.say(peer, at: plan.linesSince + Int64.random(in: 0...5_000, using: &generator)))
        }
        return plan
    }

    private static func beginning(of peer: Int, using generator: inout SeededGenerator) -> [Weather] {
        let time = Int64.random(in: 0...3_000, using: &generator)
        var weather: [Weather] = []
        switch Int.random(in: 0..<8, using: &generator) {
        // Clocks are off by days, or by seconds as if set by hand. In between, a record's date could pass within its
        // lifetime, and no bound would hold.
        case 0: weather.append(.skewClock(peer, Int64.random(in: 86_400_000...259_200_000, using: &generator), at: 0))
        case 1: weather.append(.skewClock(peer, -Int64.random(in: 86_400_000...259_200_000, using: &generator), at: 0))
        case 2, 3: weather.append(.skewClock(peer, Int64.random(in: -30_000...30_000, using: &generator), at: 0))
        default: break
        }
        return weather + [.start(peer, at: time), .discover(peer, at: time)]
    }

    private static func writings(
        of peer: Int, isRough: Bool, using generator: inout SeededGenerator
    ) -> [Weather] {
        let count = Int.random(in: 0...30, using: &generator)
        return (0..<count).map { _ in
            let time = Int64.random(in: 2_000..<calmAt, using: &generator)
            return .write(peer, Writing.random(isLong: isRough, using: &generator), at: time)
        }
    }

    /// A single incident.
    private static func storm(over topology: Topology, using generator: inout SeededGenerator) -> [Weather] {
        let peer = Int.random(in: 0..<topology.count, using: &generator)
        let other = (peer + Int.random(in: 1..<max(topology.count, 2), using: &generator)) % topology.count
        let start = Int64.random(in: 4_000..<1_200_000, using: &generator)
        let end = Int64.random(in: start + 10..<calmAt, using: &generator)
        let withDisk = Int.random(in: 0..<3, using: &generator) > 0
        switch Int.random(in: 0..<11, using: &generator) {
        case 0, 1: return awayHalfTheTime(peer, withDisk: withDisk, from: start, using: &generator)
        case 2: return [.crash(peer, at: start), .restart(peer, withDisk: withDisk, at: end), .discover(peer, at: end)]
        case 3: return [.leave(peer, at: start)]
        case 4: return [.cut(peer, other, at: start), .mend(peer, other, at: end)]
        case 5: return [.cutOneWay(peer, other, at: start), .mend(peer, other, at: end)]
        case 6, 7: return walker(peer, over: topology, from: start, to: end, using: &generator)
        case 8: return [.failStore(peer, true, at: start), .failStore(peer, false, at: end)]
        case 9:
            let leap = Int64.random(in: -259_200_000...259_200_000, using: &generator)
            let isBack = Bool.random(using: &generator)
            return [.skewClock(peer, leap, at: start)] + (isBack ? [.skewClock(peer, 0, at: end)] : [])
        default:
            // If a hostile peer can separate others, nothing is guaranteed. Only full topologies exclude that.
            guard case .full = topology, topology.count > 3 else { return [] }
            return [.hostile(0, Hostility.ofStores.randomElement(using: &generator) ?? .swallows, at: start)]
        }
    }

    private static func awayHalfTheTime(
        _ peer: Int, withDisk: Bool, from start: Int64, using generator: inout SeededGenerator
    ) -> [Weather] {
        var weather: [Weather] = []
        var time = start
        while time < calmAt {
            let back = min(time + Int64.random(in: 20_000...300_000, using: &generator), calmAt)
            weather += [
                .crash(peer, at: time), .restart(peer, withDisk: withDisk, at: back), .discover(peer, at: back),
            ]
            time = back + Int64.random(in: 20_000...300_000, using: &generator)
        }
        return weather
    }

    /// Two islands, and a peer that moves between them.
    private static func walker(
        _ walker: Int, over topology: Topology, from start: Int64, to end: Int64, using generator: inout SeededGenerator
    ) -> [Weather] {
        let others = (0..<topology.count).filter { $0 != walker }
        let (left, right) = (others.filter { $0 % 2 == 0 }, others.filter { $0 % 2 == 1 })
        var weather: [Weather] = []
        var time = start
        var isLeft = true
        while time < end {
            let sides = isLeft ? [left + [walker], right] : [left, right + [walker]]
            weather += [.partition(sides, at: time), .discover(walker, at: time + 1)]
            time += Int64.random(in: 30_000...240_000, using: &generator)
            isLeft.toggle()
        }
        return weather + [.heal(at: end)]
    }
}

extension Topology {
    fileprivate static func small(using generator: inout SeededGenerator) -> Topology {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0...2: .full(Int.random(in: 2...7, using: &generator))
        case 3: .line(Int.random(in: 3...6, using: &generator))
        case 4: .random(Int.random(in: 4...9, using: &generator), degree: 3)
        default: .islands(2, size: Int.random(in: 2...5, using: &generator))
        }
    }
}

extension StoreSettings {
    fileprivate static func random(using generator: inout SeededGenerator) -> StoreSettings {
        var settings = StoreSettings()
        settings.frameBytesMax = Int.random(in: 4_096...Comparison.messageBytesMax, using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: settings.quota = Int.random(in: 5...40, using: &generator)
        case 1: settings.authorQuota = Int.random(in: 2...8, using: &generator)
        case 2: settings.groups = SyncScope.Group.allCases.filter { _ in Bool.random(using: &generator) }
        case 3: settings.rooms = [Writing.room(0), Writing.room(1)]
        default: break
        }
        return settings
    }
}

extension Writing {
    /// - Parameter isLong: whether it must still exist after hours.
    fileprivate static func random(isLong: Bool, using generator: inout SeededGenerator) -> Writing {
        let lifetimes: [ClosedRange<UInt32>] =
            isLong ? [86_400...172_800] : [60...600, 600...3_600, 3_600...7_200, 7_200...86_400]
        let lifetime = UInt32.random(in: lifetimes.randomElement(using: &generator) ?? 60...60, using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...3: return .line(room: Int.random(in: 0..<3, using: &generator), lifetime: lifetime)
        case 4...6: return .post(lifetime: lifetime)
        case 7: return .deletion
        // All have one lifetime, as in practice: a newer like that expires sooner would leave the older one.
        case 8, 9: return .like(Bool.random(using: &generator), lifetime: 86_400)
        case 10: return .profile(lifetime: 86_400)
        default: return .unknown(lifetime: lifetime)
        }
    }
}
