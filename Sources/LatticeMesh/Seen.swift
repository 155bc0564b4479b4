import DequeModule
import LatticeCore
import LatticeWire

/// Which records have come by: the ids of the last so many, and for each author the date below which ids were forgotten.
///
/// A copy that comes so late that its id is gone is thus still known for old, however far a link lags behind the others.
struct Seen: Sendable {
    private struct Entry: Sendable {
        let id: RecordID
        let author: PeerPrefix
        let created: HybridTime
    }

    private var ids: Set<RecordID> = []
    private var order: Deque<Entry> = []
    private var forgotten: [PeerPrefix: HybridTime] = [:]
    private var forgottenOrder: Deque<PeerPrefix> = []
    /// What was fetched stands apart: its dates, which are old, would else push out, and be taken for those of, what is said now.
    private var fetched = RecentSet<RecordID>(countMax: MeshLimit.fetchedMax)

    func contains(_ id: RecordID) -> Bool {
        ids.contains(id) || isFetched(id)
    }

    /// It came from a store, and not by the flood.
    mutating func fetched(_ id: RecordID) {
        fetched.insert(id)
    }

    private func isFetched(_ id: RecordID) -> Bool {
        fetched.count > 0 && fetched.contains(id)
    }

    /// - Returns: whether it is new.
    mutating func insert(_ record: VerifiedRecord) -> Bool {
        if !forgotten.isEmpty, let limit = forgotten[record.author.prefix], record.created <= limit {
            return false
        }
        guard !isFetched(record.id), ids.insert(record.id).inserted else { return false }
        order.append(Entry(id: record.id, author: record.author.prefix, created: record.created))
        if order.count > MeshLimit.seenMax { forget(order.removeFirst()) }
        return true
    }

    /// The record that was inserted last is new again.
    mutating func takeBack(_ record: VerifiedRecord) {
        precondition(order.last?.id == record.id, "only what was inserted last is taken back")
        order.removeLast()
        ids.remove(record.id)
    }

    private mutating func forget(_ entry: Entry) {
        ids.remove(entry.id)
        if let known = forgotten[entry.author] {
            forgotten[entry.author] = max(known, entry.created)
            return
        }
        forgotten[entry.author] = entry.created
        forgottenOrder.append(entry.author)
        if forgottenOrder.count > MeshLimit.peopleMax { forgotten[forgottenOrder.removeFirst()] = nil }
    }
}
