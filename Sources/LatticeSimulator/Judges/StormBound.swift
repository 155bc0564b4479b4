/// A record crosses each connection at most once in each direction: those open when it was said, and those opened
/// since, which may carry it to new peers. Each frame that the network lost or delayed may be requested again, and a
/// peer that hears an announcement before the record, over a slow path, may request it once or twice.
struct StormBound {
    private(set) var list = FaultList(of: "storm bound")
    /// Lines already reported.
    private var exceeded: Set<Int> = []

    static func framesMax(connections: Int, mishaps: Int, peers: Int) -> Int {
        2 * connections + 2 * mishaps + 2 * peers
    }

    mutating func counted(
        _ frames: Int, of track: Int, connections: Int, mishaps: Int, peers: Int, by peer: Int, at time: Int64
    ) {
        let framesMax = Self.framesMax(connections: connections, mishaps: mishaps, peers: peers)
        guard frames > framesMax, exceeded.insert(track).inserted else { return }
        list.add("sent frame \(frames) of r\(track), where \(framesMax) are enough", at: time, peer: peer)
    }
}
