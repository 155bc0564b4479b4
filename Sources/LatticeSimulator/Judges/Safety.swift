import LatticeCore

/// Judges that watch during the storm: what they forbid must never happen.
struct Safety {
    /// Interval between inspections of all queues, in milliseconds.
    static let inspectionInterval: Int64 = 1_000

    var deliveredOnce = DeliveredOnce()
    var timeToLive = TimeToLive()
    var giverSpared = GiverSpared()
    var stormBound = StormBound()
    var queuesWithinLimit = QueuesWithinLimit()
    var nothingComesBack = NothingComesBack()
    var fetchedOnce = FetchedOnce()
    var progressReported = ProgressReported()
    var deadGone = DeadGone()
    /// False once somebody lies about hops and TTL: honest peers then relay the lies.
    var isHopsTrusted = true
    /// The record being handled, and the link it arrived on.
    var giver: LinkID?
    var given = 0

    /// A copy of a record on one link.
    struct Path {
        let record: Int
        let timeToLive: UInt8
        let hops: UInt8
        let link: LinkID
    }

    var faults: [Fault] {
        let lists = [
            deliveredOnce.list, timeToLive.list, giverSpared.list, stormBound.list, queuesWithinLimit.list,
            nothingComesBack.list, fetchedOnce.list, progressReported.list, deadGone.list,
        ]
        return lists.flatMap(\.faults).sorted { $0.time < $1.time }
    }

    /// Some peer turns hostile: what its lies make undefined is no longer judged.
    mutating func distrust(_ hostility: Hostility) {
        if hostility == .repeatsOldRecords || hostility == .revivesTheDead { deadGone.isRevived = true }
        // Hops that a liar made up are relayed with honest copies, and so are ages.
        isHopsTrusted = false
        if hostility == .liesAboutAge || hostility == .servesUnasked { nothingComesBack.isAgeTrusted = false }
    }

    mutating func sent(_ path: Path, by peer: Int, limit: UInt8, at time: Int64) {
        timeToLive.sent(path, by: peer, limit: isHopsTrusted ? limit : nil, at: time)
        if giver == path.link, given == path.record { giverSpared.answered(path, by: peer, at: time) }
    }
}
