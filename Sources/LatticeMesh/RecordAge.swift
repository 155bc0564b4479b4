package import LatticeCore
package import LatticeWire

/// What the date of a record that came by the flood says of it. A date ahead of the clock here says nothing (rule 12).
package enum RecordAge: Hashable, Sendable {
    /// Said just now.
    case live
    /// Said a while ago: shown with its date, and kept.
    case late
    /// Its lifetime is over: neither shown nor kept nor passed on. A presence is passed on, since the clock here may be wrong.
    case over

    /// What clocks of honest peers differ by without anybody being told; an author whose clock is behind by less is still here.
    package static let skewMilliseconds: Int64 = 120_000
    /// A record older than this is not shown as said now: what was said just now takes seconds, and clocks differ by two minutes.
    package static let liveMilliseconds: Int64 = 300_000

    package init(of record: VerifiedRecord, at now: WallTime) {
        let age = now.milliseconds - record.created.wall.milliseconds
        let lifetime = Int64(record.record.lifetimeSeconds) * 1_000
        switch record.kind {
        // It lives by its age alone; its date only tells those who play an old one.
        case .presence: self = age > min(lifetime, Presence.hereMillisecondsMax) + Self.skewMilliseconds ? .over : .live
        case _ where age >= lifetime: self = .over
        default: self = age > Self.liveMilliseconds ? .late : .live
        }
    }
}
