import GRDB
import LatticeCore

/// The newest date on a record of the owner's or on what they have seen of others', kept in the file: so dates grow from one
/// process to the next, a like made after an unlike is newer whatever the wall clock did, and an answer stands behind what it
/// answers (hybrid logical clock; Kulkarni et al. 2014).
enum OwnClock {
    /// Seven days: others' dates that are further ahead do not carry this clock along.
    static let aheadMax: Int64 = 604_800_000

    static func last(in database: Database) throws -> UInt64 {
        try Settings.value(.clock, in: database).flatMap { UInt64($0) } ?? 0
    }

    /// After any before it, and not before the wall clock.
    static func next(at wall: WallTime, in database: Database) throws -> HybridTime {
        let last = try last(in: database)
        let fresh = HybridTime(wall: wall).rawValue
        let (next, isAtItsEnd) = last.addingReportingOverflow(1)
        let time = fresh > last || isAtItsEnd ? fresh : next
        try pass(time, in: database)
        return HybridTime(rawValue: time)
    }

    /// A record of this date was made, here or elsewhere.
    static func pass(_ date: UInt64, in database: Database) throws {
        if try date > last(in: database) { try Settings.set(.clock, "\(date)", in: database) }
    }
}
