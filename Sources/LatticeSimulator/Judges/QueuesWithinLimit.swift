import LatticeMesh

struct QueuesWithinLimit {
    private(set) var list = FaultList(of: "queues within limit")

    static let unconfirmedMax = MeshLimit.outboxSentMax + MeshLimit.outboxWaitingMax
    /// Active links and those of uninvited peers; the same number may be closing.
    static let linksMax = 2 * (MeshLimit.linksMax + MeshLimit.uninvitedMax)

    mutating func inspected(unconfirmed: Int, links: Int, of peer: Int, at time: Int64) {
        if unconfirmed > Self.unconfirmedMax {
            list.add(
                "\(unconfirmed) lines wait to be confirmed, at most \(Self.unconfirmedMax) may", at: time, peer: peer)
        }
        if links > Self.linksMax {
            list.add("it has \(links) links, at most \(Self.linksMax) are allowed", at: time, peer: peer)
        }
    }

    mutating func inspected(wanted: Int, of peer: Int, at time: Int64) {
        guard wanted > MeshLimit.wantedMax else { return }
        list.add("\(wanted) records are wanted, at most \(MeshLimit.wantedMax) may be", at: time, peer: peer)
    }
}
