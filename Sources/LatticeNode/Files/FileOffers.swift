import LatticeCore
import LatticeMesh
import LatticeWire

/// Private files that neighbours keep for somebody who is away: whom this node asks, and what it keeps for others.
///
/// An offer says that a blob is here and should be kept (`LatticeWire.md`, "Blobs"). It is a wish: nobody answers it.
struct FileOffers {
    struct Limits {
        /// A larger file is neither offered nor taken.
        var fileBytes: Int64 = 32 << 20
        /// Neighbours that are asked to keep one file.
        var neighbours = 3
        /// Own files that wait for a recipient.
        var ownMax = 64
        /// What is taken of one neighbour in a day.
        var neighbourBytes: Int64 = 64 << 20
        /// What is taken of all in a day.
        var bytes: Int64 = 256 << 20
    }

    private struct Own {
        let recipient: PeerID
        var asked: Set<PeerID> = []
    }

    /// The least that a file is charged, in bytes. It bounds the number of files in the table.
    private static let chargedMin: Int64 = 64 << 10
    private static let day: Duration = .seconds(86_400)

    private let limits: Limits
    private var own: [BlobName: Own] = [:]
    private var dayBegan: Instant?
    private var taken: [PeerID: Int64] = [:]
    private var takenInAll: Int64 = 0

    init(_ limits: Limits = Limits()) { self.limits = limits }

    // MARK: - Own files

    /// - Returns: `false` if the file is too large, or too many wait.
    mutating func add(_ name: BlobName, for recipient: PeerID) -> Bool {
        guard name.size <= limits.fileBytes, own[name] != nil || own.count < limits.ownMax else { return false }
        if own[name] == nil { own[name] = Own(recipient: recipient) }
        return true
    }

    /// Whom to ask now. A file whose recipient is among them needs nobody to keep it.
    ///
    /// - Parameter links: those that are open, one for each neighbour.
    mutating func ask(_ links: [(link: LinkID, peer: PeerID)]) -> [(name: BlobName, links: [LinkID])] {
        let here = Set(links.map(\.peer))
        own = own.filter { !here.contains($0.value.recipient) }
        var questions: [(name: BlobName, links: [LinkID])] = []
        for (name, file) in own.sorted(by: { $0.key < $1.key }) {
            let new = links.filter { !file.asked.contains($0.peer) }.prefix(limits.neighbours - file.asked.count)
            guard !new.isEmpty else { continue }
            own[name]?.asked.formUnion(new.map(\.peer))
            questions.append((name, new.map(\.link)))
        }
        return questions
    }

    var areAny: Bool { !own.isEmpty }

    // MARK: - Files of others

    /// - Returns: whether the file is fetched to keep it; then it counts.
    mutating func take(_ name: BlobName, from peer: PeerID, at now: Instant) -> Bool {
        renew(at: now)
        let bytes = max(Self.chargedMin, name.size)
        guard name.size <= limits.fileBytes, taken[peer, default: 0] + bytes <= limits.neighbourBytes,
            takenInAll + bytes <= limits.bytes
        else { return false }
        taken[peer, default: 0] += bytes
        takenInAll += bytes
        return true
    }

    private mutating func renew(at now: Instant) {
        if let dayBegan, dayBegan.duration(to: now) < Self.day { return }
        dayBegan = now
        (taken, takenInAll) = ([:], 0)
    }
}
