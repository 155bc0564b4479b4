/// A record is not sent back to the peer that just delivered it.
struct GiverSpared {
    private(set) var list = FaultList(of: "giver spared")

    mutating func answered(_ path: Safety.Path, by peer: Int, at time: Int64) {
        list.add("sent a record back over the link by which it had just come", at: time, peer: peer)
    }
}
