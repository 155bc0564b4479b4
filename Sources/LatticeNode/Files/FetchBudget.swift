import LatticeCore
import LatticeWire

/// Which photos of others are fetched before anybody looks at them.
struct FetchBudget {
    struct Limits {
        /// A day, for one author.
        var authorBytes: Int64 = 16 << 20
        /// A day, for all contacts.
        var contactsBytes: Int64 = 256 << 20
        /// A day, for all strangers.
        var strangersBytes: Int64 = 256 << 20
        /// At a time. A link has 64 questions open at most, and people need some for files.
        var countMax = 32
        var givenUpAfter: Duration = .seconds(300)
    }

    private struct Fetch {
        let author: PeerID
        let isContact: Bool
        let bytes: Int64
        let until: Instant
        var hasBegun = false
    }

    /// A photo counts as this many bytes at least, so that the table of authors is bounded.
    static let chargedMin: Int64 = 32 << 10
    private static let day: Duration = .seconds(86_400)

    private let limits: Limits
    private var dayBegan: Instant?
    private var spent: [PeerID: Int64] = [:]
    private var contactsSpent: Int64 = 0
    private var strangersSpent: Int64 = 0
    private var fetches: [BlobName: Fetch] = [:]

    init(_ limits: Limits = Limits()) { self.limits = limits }

    var isFull: Bool { fetches.count >= limits.countMax }

    /// - Returns: whether the photo may be fetched now; then it counts.
    mutating func begin(_ name: BlobName, by author: PeerID, isContact: Bool, at now: Instant) -> Bool {
        renew(at: now)
        guard fetches[name] == nil, !isFull, name.size <= BodyPhoto.bytesMax else { return false }
        let bytes = max(Self.chargedMin, name.size)
        let (all, limit) =
            isContact ? (contactsSpent, limits.contactsBytes) : (strangersSpent, limits.strangersBytes)
        guard all + bytes <= limit, spent[author, default: 0] + bytes <= limits.authorBytes else { return false }
        charge(author, isContact: isContact, bytes)
        fetches[name] = Fetch(
            author: author, isContact: isContact, bytes: bytes, until: now.advanced(by: limits.givenUpAfter))
        return true
    }

    /// Some of it came.
    mutating func progressed(_ name: BlobName) { fetches[name]?.hasBegun = true }

    mutating func ended(_ name: BlobName) { fetches[name] = nil }

    /// - Returns: those that took too long, in the order of their names. One of which nothing came does not count.
    mutating func givenUp(at now: Instant) -> [BlobName] {
        let late = fetches.filter { $0.value.until <= now }.sorted { $0.key < $1.key }
        for (name, fetch) in late {
            fetches[name] = nil
            // A later day has forgotten it already.
            if !fetch.hasBegun, spent[fetch.author] != nil {
                charge(fetch.author, isContact: fetch.isContact, -fetch.bytes)
            }
        }
        return late.map(\.key)
    }

    private mutating func charge(_ author: PeerID, isContact: Bool, _ bytes: Int64) {
        let own = max(0, spent[author, default: 0] + bytes)
        spent[author] = own == 0 ? nil : own
        if isContact {
            contactsSpent = max(0, contactsSpent + bytes)
        } else {
            strangersSpent = max(0, strangersSpent + bytes)
        }
    }

    private mutating func renew(at now: Instant) {
        if let dayBegan, dayBegan.duration(to: now) < Self.day { return }
        dayBegan = now
        (spent, contactsSpent, strangersSpent) = ([:], 0, 0)
    }
}
