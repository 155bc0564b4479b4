import DequeModule
import LatticeCore
import LatticeWire

/// Ids of the most recent records, and for each author the date up to which ids were forgotten.
///
/// So a copy that arrives after its id was forgotten still counts as seen, however slow its link is.
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
    /// Fetched records are kept apart: their old dates would push out current ids and raise the date limit wrongly.
    private var fetched = RecentSet<RecordID>(countMax: MeshLimit.fetchedMax)

    func contains(_ id: RecordID) -> Bool {
        ids.contains(id) || isFetched(id)
    }

    /// It came from a store, not by relay.
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

    /// Undoes the last insertion.
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
