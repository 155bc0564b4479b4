import LatticeAPI
import LatticeCore
import LatticeMesh

/// What visitors may do with files, which take space on the owner's disk.
struct VisitorFiles {
    /// Limit for one file that a visitor shares or fetches.
    static let fileBytesMax: Int64 = 64 << 20
    static let uploadsMax = 2
    /// Uploads and photos of all visitors: some are left for the owner.
    static let allUploadsMax = 8
    /// How long a photo waits for its post.
    static let photoKeptFor: Duration = .seconds(600)
    /// What one visitor shares and fetches in a day.
    static let dayBytesMax: Int64 = 256 << 20

    private static let dayMilliseconds: Int64 = 86_400_000

    private var day: Int64 = 0
    private var bytes: [PeerID: Int64] = [:]

    /// Days since 1970, in UTC.
    static func day(of date: WallTime) -> Int64 { date.milliseconds / dayMilliseconds }

    /// Whether it is known here what this visitor has used of the day.
    mutating func knows(_ visitor: PeerID, at now: WallTime) -> Bool {
        begin(Self.day(of: now))
        return bytes[visitor] != nil
    }

    /// What a visitor used of the day before this start.
    mutating func learn(_ count: Int64, of visitor: PeerID) {
        if count > 0, hasSpace(for: visitor) { bytes[visitor] = count }
    }

    /// - Throws: `fileTooLarge`, `filesOfDayFull`; then nothing is counted.
    mutating func take(_ count: Int64, of visitor: PeerID, at now: WallTime) throws(RequestError) {
        guard count <= Self.fileBytesMax else { throw .fileTooLarge(bytesMax: Self.fileBytesMax) }
        begin(Self.day(of: now))
        let sum = bytes[visitor, default: 0] + count
        guard sum <= Self.dayBytesMax, hasSpace(for: visitor) else {
            throw .filesOfDayFull(bytesMax: Self.dayBytesMax)
        }
        bytes[visitor] = sum
    }

    /// What was taken was not used.
    ///
    /// - Parameter date: when it was taken; another day has forgotten it already.
    mutating func giveBack(_ count: Int64, of visitor: PeerID, at date: WallTime) {
        guard Self.day(of: date) == day, let sum = bytes[visitor] else { return }
        bytes[visitor] = max(0, sum - count)
    }

    private mutating func begin(_ today: Int64) {
        if today != day { (day, bytes) = (today, [:]) }
    }

    /// Visitors who come and go do not let it grow.
    private func hasSpace(for visitor: PeerID) -> Bool {
        bytes[visitor] != nil || bytes.count < MeshLimit.visitorsMax * 4
    }
}
