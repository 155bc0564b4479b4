import LatticeMesh

/// The peers that one peer shows as present, and since when.
struct Sights {
    private(set) var here: [Int: Int64] = [:]

    mutating func saw(_ peer: Int, isHere: Bool, at time: Int64) {
        if !isHere {
            here[peer] = nil
        } else if here[peer] == nil {
            here[peer] = time
        }
    }
}

/// Nobody shows a peer as present 45 s after its death, unless a liar passes its presences to somebody who never heard
/// of it.
struct DeadGone {
    private(set) var list = FaultList(of: "the dead are gone")
    /// In milliseconds.
    static let patience: Int64 = 45_000
    /// Whether a liar passes off old presences as new. A peer that hears of the dead for the first time, and soon, may
    /// then believe it once.
    var isRevived = false
    private static let revivalPatience = RecordAge.liveMilliseconds

    mutating func shown(_ dead: Int, endedAt: Int64, since: Int64, by peer: Int, at time: Int64) {
        var limit = endedAt + Self.patience
        if isRevived { limit = max(limit, min(since + Self.patience, endedAt + Self.revivalPatience)) }
        guard time > limit else { return }
        list.add("shows peer \(dead), which ended \((time - endedAt) / 1_000) s ago", at: time, peer: peer)
    }
}

/// All honest peers that have been up for a while show each other as present if the topology joins them.
enum LivingHere {
    /// In milliseconds.
    static let patience: Int64 = 45_000
    /// Peers whose clocks differ by more do not show each other across hops.
    private static let skewMax = RecordAge.skewMilliseconds

    static func faults(of world: World) -> [Fault] {
        guard world.isPresenceOn else { return [] }
        var list = FaultList(of: "the living are here")
        let possible = Components.possible(in: world)
        let settled = world.peers.indices.filter { peer in
            world.isUp(peer) && world.isHonest(peer) && world.startedAt(peer) + patience <= world.milliseconds
        }
        for peer in settled {
            for other in settled where other != peer && possible[other] == possible[peer] {
                let skew = abs(world.peers[peer].clockSkew - world.peers[other].clockSkew)
                guard skew < skewMax, world.peers[other].leaptAt < 0, world.peers[peer].sights.here[other] == nil else {
                    continue
                }
                list.add("does not show peer \(other), which is here", at: world.milliseconds, peer: peer)
            }
        }
        return list.faults
    }
}
