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

    static func set(_ date: UInt64, in database: Database) throws {
        try Settings.set(.clock, "\(date)", in: database)
    }
}
