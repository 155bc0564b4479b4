import LatticeWire

/// No copy travels further than its author allowed: its TTL is 1–64, and the sum of TTL and hops never grows.
struct TimeToLive {
    private(set) var list = FaultList(of: "time to live")

    /// - Parameter limit: the initial TTL of all records; `nil` if somebody lies about it.
    mutating func sent(_ path: Safety.Path, by peer: Int, limit: UInt8?, at time: Int64) {
        if path.timeToLive == 0 || path.timeToLive > RecordFrame.timeToLiveMax {
            return list.add("sent a frame with TTL \(path.timeToLive)", at: time, peer: peer)
        }
        if path.hops == 0 || path.hops > RecordFrame.timeToLiveMax {
            return list.add("sent a frame that says it has travelled \(path.hops) links", at: time, peer: peer)
        }
        // At the author TTL is the limit and hops is 1; each relay decrements one and increments the other.
        if let limit, Int(path.timeToLive) + Int(path.hops) > Int(limit) + 1 {
            list.add("sent a frame with TTL \(path.timeToLive) after \(path.hops) hops", at: time, peer: peer)
        }
    }
}
