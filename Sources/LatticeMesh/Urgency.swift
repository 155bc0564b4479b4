import DequeModule
package import LatticeCore
import LatticeWire

/// Judges which records are urgent: of those that claim it, the first `MeshLimit.urgentMax` of an author in a day. All
/// others are as any record.
///
/// Each peer judges for itself, once, when a record arrives; the answer travels with the record through every queue
/// here, and no frame carries it. A record counts by its id, so a copy gets the answer of the first. Fetched records
/// are counted apart: what a newcomer catches up with must not take the place of what happens now.
package struct Urgency: Sendable {
    /// How a record came.
    package enum Way: Sendable {
        /// Just written, here or elsewhere.
        case relayed
        /// From a neighbour's store.
        case fetched
    }

    /// One that was urgent, and when it came.
    package struct Counted: Hashable, Sendable {
        package let id: RecordID
        package let author: PeerID
        package let at: Instant
        package let way: Way

        package init(_ id: RecordID, by author: PeerID, _ way: Way, at time: Instant) {
            (self.id, self.author, at, self.way) = (id, author, time, way)
        }
    }

    private var authors: [PeerPrefix: [Counted]] = [:]
    /// The keys of `authors`, in the order in which they are checked next.
    private var order: Deque<PeerPrefix> = []
    private var ids: Set<RecordID> = []

    /// Authors in the table.
    var authorCount: Int { authors.count }
    /// Records in the table.
    var count: Int { ids.count }

    /// Whether this record was judged urgent in the last day.
    package func contains(_ id: RecordID) -> Bool { ids.contains(id) }

    /// How many more records of this author are urgent now.
    package func left(of author: PeerID, at now: Instant) -> Int {
        MeshLimit.urgentMax - Self.count(of: authors[author.prefix] ?? [], .relayed, at: now)
    }

    /// Whether this record is urgent, and how it should count if it is taken.
    ///
    /// - Parameter isTrusted: whether the author gets a row even if the table is full of strangers.
    mutating func allows(_ record: VerifiedRecord, by way: Way, isTrusted: Bool, at now: Instant) -> Bool {
        guard record.claimsUrgency else { return false }
        if ids.contains(record.id) { return true }
        guard let counted = authors[record.author.prefix] else {
            if authors.count >= MeshLimit.peopleMax { forgetSome(at: now) }
            return isTrusted || authors.count < MeshLimit.peopleMax
        }
        return Self.count(of: counted, way, at: now) < MeshLimit.urgentMax
    }

    /// Counts a record that is urgent.
    mutating func count(_ record: VerifiedRecord, by way: Way, at now: Instant) {
        count(Counted(record.id, by: record.author, way, at: now), at: now)
    }

    /// Counts those that came before this process began.
    mutating func remember(_ earlier: [Counted], at now: Instant) {
        for counted in earlier where counted.at + MeshLimit.urgentFor > now && authors.count < MeshLimit.peopleMax {
            count(counted, at: now)
        }
    }

    private mutating func count(_ counted: Counted, at now: Instant) {
        guard ids.insert(counted.id).inserted else { return }
        let author = counted.author.prefix
        if authors[author] == nil {
            forgetSome(at: now)
            order.append(author)
        } else {
            forgetOld(of: author, at: now)
        }
        authors[author, default: []].append(counted)
    }

    private static func count(of counted: [Counted], _ way: Way, at now: Instant) -> Int {
        counted.count { $0.way == way && $0.at + MeshLimit.urgentFor > now }
    }

    /// Each new author has two others checked, so that the table holds little more than the authors of a day.
    private mutating func forgetSome(at now: Instant) {
        for _ in 0..<2 {
            guard let oldest = order.popFirst() else { return }
            forgetOld(of: oldest, at: now)
            if authors[oldest]?.isEmpty ?? true { authors[oldest] = nil } else { order.append(oldest) }
        }
    }

    private mutating func forgetOld(of author: PeerPrefix, at now: Instant) {
        for counted in authors[author] ?? [] where counted.at + MeshLimit.urgentFor <= now { ids.remove(counted.id) }
        authors[author]?.removeAll { $0.at + MeshLimit.urgentFor <= now }
    }
}
