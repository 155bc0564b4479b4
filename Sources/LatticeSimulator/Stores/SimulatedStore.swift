import LatticeCore
import LatticeMesh
import LatticeWire

/// The store of one peer. It follows the rules of the real store without its database: lifetimes, deletions, newest of
/// a topic, quotas and floors. Dates are in milliseconds of the peer's own clock.
struct SimulatedStore {
    struct Row {
        let record: VerifiedRecord
        let group: SyncScope.Group
        /// The creation date or, if that is in the future by this peer's clock, when somebody first had it.
        let date: Int64
        /// The rank compared with floors: the creation time if it is not in the future, else derived from `date`.
        let rank: HybridTime
        let expires: Int64
        /// Deleted by its author: the row stays, so that the record cannot come back.
        var isErased = false
    }

    /// An author, kind and topic, of which only the newest record counts.
    struct Statement: Hashable {
        let author: PeerID
        let kind: RecordKind
        let topic: [UInt8]
    }

    let owner: PeerID
    let settings: StoreSettings
    /// Its order is never used.
    private(set) var rows: [RecordID: Row] = [:]
    /// The sets to reconcile: for each group, all records that are here and not deleted.
    private(set) var sets = [ReconciliationSet](repeating: ReconciliationSet(), count: SyncScope.Group.allCases.count)
    private var newest: [Statement: RecordID] = [:]
    private var deletions: [RecordID: [RecordID]] = [:]
    var room = StoreRoom()
    /// No row expires earlier.
    private(set) var nextExpiry = Int64.max

    // For judges.

    /// How often each record entered on this disk.
    private(set) var additions: [RecordID: Int] = [:]
    private(set) var erasedEver: Set<RecordID> = []
    /// Records that expired, were evicted, or were declined for those reasons.
    var letGo: Set<RecordID> = []

    init(owner: PeerID, settings: StoreSettings) {
        self.owner = owner
        self.settings = settings
    }

    func holds(_ id: RecordID) -> Bool { row(id) != nil }

    /// `nil` for a record that is not here or that was deleted.
    func row(_ id: RecordID) -> Row? { rows[id].flatMap { $0.isErased ? nil : $0 } }

    /// In reconciliation order.
    func ids(of group: SyncScope.Group) -> [RecordID] {
        var ids: [RecordID] = []
        let set = sets[Self.index(group)]
        set.forEach(in: 0..<set.count) { ids.append(RecordID($0.id)) }
        return ids
    }

    /// The newest post here, or the owner's own newest.
    func newestPost(isOwn: Bool) -> Row? {
        let posts = ids(of: .posts).compactMap { rows[$0] }
        return posts.last { !isOwn || $0.record.author == owner }
    }

    // MARK: - Inserting

    /// - Parameters:
    ///   - age: how many seconds the giver says it has existed.
    ///   - now: by this peer's clock.
    ///   - dropped: receives the records that this one replaces or evicts.
    mutating func insert(
        _ record: VerifiedRecord, age: UInt32, at now: Int64, dropped: inout [RecordID]
    ) -> KeptRecord.Outcome {
        guard let group = SyncScope.Group(of: record.kind) else { return .declined }
        if let known = rows[record.id] { return known.isErased ? .declined : .known }
        let isOwn = record.author == owner
        guard isOwn || settings.keeps(record.record, in: group) else { return .declined }
        let created = record.record.created.wallTime.milliseconds
        let lifetime = record.record.lifetimeSeconds
        let date = created <= now ? created : now - Int64(min(age, lifetime)) * 1_000
        let rank = created <= now ? record.record.created : HybridTime(wallTime: WallTime(milliseconds: date))
        let row = Row(
            record: record, group: group, date: date, rank: rank, expires: date + Int64(lifetime) * 1_000)
        guard row.expires > now else { return created > now && age > 0 ? .declinedForAge : .declined }
        if !isOwn, room.isBelowFloor(row) {
            letGo.insert(record.id)
            return .declined
        }
        switch record.kind {
        case .deletion: return insertDeletion(row, dropped: &dropped)
        case _ where record.kind.isReplaceable: return insertNewest(row, dropped: &dropped)
        default: return insertTarget(row)
        }
    }

    private mutating func insertNewest(_ row: Row, dropped: inout [RecordID]) -> KeptRecord.Outcome {
        let statement = Statement(row.record)
        if let standing = newest[statement].flatMap({ rows[$0] }) {
            guard standing.record.record.created < row.record.record.created else { return .declined }
            remove(standing.record.id)
            dropped.append(standing.record.id)
        }
        newest[statement] = row.record.id
        enter(row)
        return .added
    }

    private mutating func insertDeletion(_ row: Row, dropped: inout [RecordID]) -> KeptRecord.Outcome {
        guard let hash = Bytes32(row.record.record.topic) else { return .faulty }
        let target = RecordID(hash)
        if let known = rows[target] {
            guard known.record.author == row.record.author else { return .faulty }
            if !known.isErased {
                takeOut(known)
                rows[target]?.isErased = true
                erasedEver.insert(target)
                dropped.append(target)
            }
        }
        deletions[target, default: []].append(row.record.id)
        enter(row)
        return .added
    }

    private mutating func insertTarget(_ row: Row) -> KeptRecord.Outcome {
        var row = row
        let id = row.record.id
        let isTakenBack = (deletions[id] ?? []).contains { rows[$0]?.record.author == row.record.author }
        guard isTakenBack else {
            enter(row)
            return .added
        }
        row.isErased = true
        rows[id] = row
        erasedEver.insert(id)
        nextExpiry = min(nextExpiry, row.expires)
        return .declined
    }

    private mutating func enter(_ row: Row) {
        rows[row.record.id] = row
        additions[row.record.id, default: 0] += 1
        nextExpiry = min(nextExpiry, row.expires)
        if let item = row.item { sets[Self.index(row.group)].insert(item) }
        if row.counts(for: owner) { room.took(row) }
    }

    // MARK: - Removing

    mutating func remove(_ id: RecordID) {
        guard let row = rows.removeValue(forKey: id) else { return }
        if !row.isErased { takeOut(row) }
        if row.record.kind.isReplaceable {
            let statement = Statement(row.record)
            if newest[statement] == id { newest[statement] = nil }
        }
        guard row.record.kind == .deletion, let hash = Bytes32(row.record.record.topic) else { return }
        deletions[RecordID(hash)]?.removeAll { $0 == id }
        if deletions[RecordID(hash)]?.isEmpty == true { deletions[RecordID(hash)] = nil }
    }

    private mutating func takeOut(_ row: Row) {
        if let item = row.item { sets[Self.index(row.group)].remove(item) }
        if row.counts(for: owner) { room.gave(row) }
    }

    mutating func expire(at now: Int64, dropped: inout [RecordID]) {
        guard nextExpiry <= now else { return }
        let over = rows.values.filter { $0.expires <= now }.map(\.record.id).sorted()
        for id in over {
            if holds(id) { dropped.append(id) }
            letGo.insert(id)
            remove(id)
        }
        nextExpiry = rows.values.reduce(Int64.max) { min($0, $1.expires) }
        room.lowerFloors(to: settings)
    }

    static func index(_ group: SyncScope.Group) -> Int { Int(group.rawValue) - 1 }
}

extension SimulatedStore.Statement {
    init(_ record: VerifiedRecord) {
        self.init(author: record.author, kind: record.kind, topic: record.record.topic)
    }
}

extension SimulatedStore.Row {
    /// `nil` for a date that the protocol cannot express.
    var item: ReconciliationItem? {
        ReconciliationItem(timestamp: record.record.created.rawValue, id: record.id.hash)
    }

    /// Whether it counts toward quotas.
    func counts(for owner: PeerID) -> Bool { record.author != owner && record.kind != .deletion }

    /// The age in seconds to report to others.
    func ageSeconds(at now: Int64) -> UInt32 { UInt32(clamping: max(0, now - date) / 1_000) }
}
