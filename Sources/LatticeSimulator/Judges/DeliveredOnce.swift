/// A line is shown to a peer at most once in a life, and not again after a restart with its disk.
struct DeliveredOnce {
    private(set) var list = FaultList(of: "delivered once")

    mutating func shownAgain(_ track: Int, to peer: Int, at time: Int64) {
        list.add("was shown r\(track) twice", at: time, peer: peer)
    }
}
