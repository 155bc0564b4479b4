import LatticeCore

/// The judges that watch while the storm blows: what they forbid must never happen, whatever the weather.
struct Safety {
    /// How often everybody's queues are looked at, in milliseconds.
    static let inspectionInterval: Int64 = 1_000

    var deliveredOnce = DeliveredOnce()
    var timeToLive = TimeToLive()
    var giverSpared = GiverSpared()
    var stormBound = StormBound()
    var queuesWithinLimit = QueuesWithinLimit()
    var nothingComesBack = NothingComesBack()
    var fetchedOnce = FetchedOnce()
    var progressTold = ProgressTold()
    var deadGone = DeadGone()
    /// False once somebody lies about hops and TTL: honest peers then pass lies on.
    var isHopsTrusted = true
    /// The record that is being handled and the link that it came by.
    var giver: LinkID?
    var given = 0

    /// One copy of a record on its way over one link.
    struct Path {
        let record: Int
        let timeToLive: UInt8
        let hops: UInt8
        let link: LinkID
    }

    var faults: [Fault] {
        let lists = [
            deliveredOnce.list, timeToLive.list, giverSpared.list, stormBound.list, queuesWithinLimit.list,
            nothingComesBack.list, fetchedOnce.list, progressTold.list, deadGone.list,
        ]
        return lists.flatMap(\.faults).sorted { $0.time < $1.time }
    }

    mutating func sent(_ path: Path, by peer: Int, limit: UInt8, at time: Int64) {
        timeToLive.sent(path, by: peer, limit: isHopsTrusted ? limit : nil, at: time)
        if giver == path.link, given == path.record { giverSpared.answered(path, by: peer, at: time) }
    }
}
