/// Whoever gives a record does not get it straight back.
struct GiverSpared {
    private(set) var list = FaultList(of: "giver spared")

    mutating func answered(_ path: Safety.Path, by peer: Int, at time: Int64) {
        list.add("sent a record back over the link by which it had just come", at: time, peer: peer)
    }
}
