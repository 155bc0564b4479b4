package import LatticeCore
package import LatticeWire

/// What the date of a relayed record says about it. A date ahead of the clock here says nothing (rule 12).
package enum RecordAge: Hashable, Sendable {
    case live
    /// Older than `liveMilliseconds`: shown with its date, and stored.
    case late
    /// Its lifetime is over: not shown, stored or relayed. A presence is still relayed, because the clock here may be
    /// wrong.
    case over

    /// Clocks of honest peers may differ by this much without a warning; an author whose clock is behind by less is
    /// still here.
    package static let skewMilliseconds: Int64 = 120_000
    /// An older record is not shown as new: a new one takes seconds to arrive, and clocks differ by up to two minutes.
    package static let liveMilliseconds: Int64 = 300_000

    package init(of record: VerifiedRecord, at now: WallTime) {
        let age = now.milliseconds - record.created.wallTime.milliseconds
        let lifetime = Int64(record.record.lifetimeSeconds) * 1_000
        switch record.kind {
        // A presence lives by its age alone; its date only exposes a replayed old one.
        case .presence: self = age > min(lifetime, Presence.hereMillisecondsMax) + Self.skewMilliseconds ? .over : .live
        case _ where age >= lifetime: self = .over
        default: self = age > Self.liveMilliseconds ? .late : .live
        }
    }
}
