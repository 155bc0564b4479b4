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

    /// - Throws: `fileTooLarge`, `filesOfDayFull`; then nothing is counted.
    mutating func take(_ count: Int64, of visitor: PeerID, at now: WallTime) throws(RequestError) {
        guard count <= Self.fileBytesMax else { throw .fileTooLarge(bytesMax: Self.fileBytesMax) }
        let today = now.milliseconds / Self.dayMilliseconds
        if today != day { (day, bytes) = (today, [:]) }
        let sum = bytes[visitor, default: 0] + count
        // Visitors who come and go do not let it grow.
        guard sum <= Self.dayBytesMax, bytes[visitor] != nil || bytes.count < MeshLimit.visitorsMax * 4 else {
            throw .filesOfDayFull(bytesMax: Self.dayBytesMax)
        }
        bytes[visitor] = sum
    }

    /// What was taken was not used.
    mutating func giveBack(_ count: Int64, of visitor: PeerID) {
        bytes[visitor] = max(0, bytes[visitor, default: 0] - count)
    }
}
