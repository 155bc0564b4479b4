import LatticeCore
import LatticeMesh
import LatticeWire

/// What one peer keeps, by the rules of the true store and without its database: lifetimes, deletions, newest of a topic,
/// quotas and floors. Dates are those of the peer's own clock, in milliseconds.
struct SimulatedStore {
    struct Row {
        let record: VerifiedRecord
        let group: SyncScope.Group
        /// When it was made or, if that is still to come by this peer's clock, when somebody first had it.
        let date: Int64
        /// The same as it is compared with floors: where it was made in a known order, in that.
        let rank: HybridTime
        let expires: Int64
        /// Taken back by its author: the place is kept, so that it cannot come back.
        var isErased = false
    }

    /// An author, a kind and a topic, of which only the newest record counts.
    struct Statement: Hashable {
        let author: PeerID
        let kind: RecordKind
        let topic: [UInt8]
    }

    let owner: PeerID
    let settings: StoreSettings
    /// Reads its size and its members; never its order.
    private(set) var rows: [RecordID: Row] = [:]
    /// What is compared: by group, all that is here and not taken back.
    private(set) var sets = [ReconciliationSet](repeating: ReconciliationSet(), count: SyncScope.Group.allCases.count)
    private var newest: [Statement: RecordID] = [:]
    /// Deletions by what they name.
    private var deletions: [RecordID: [RecordID]] = [:]
    var room = StoreRoom()
    /// No row ends before.
    private(set) var nextExpiry = Int64.max

    // What judges ask.

    /// How often each record came in on this disk.
    private(set) var additions: [RecordID: Int] = [:]
    /// Taken back here once.
    private(set) var erasedEver: Set<RecordID> = []
    /// Gone because it was over, or for want of room; or not taken for that.
    var letGo: Set<RecordID> = []

    init(owner: PeerID, settings: StoreSettings) {
        self.owner = owner
        self.settings = settings
    }

    func holds(_ id: RecordID) -> Bool { rows[id].map { !$0.isErased } ?? false }

    /// In the order in which they are compared.
    func ids(of group: SyncScope.Group) -> [RecordID] {
        var ids: [RecordID] = []
        let set = sets[Self.index(group)]
        set.forEach(in: 0..<set.count) { ids.append(RecordID($0.id)) }
        return ids
    }

    // MARK: - In

    /// - Parameters:
    ///   - age: for how many seconds the giver says it was known.
    ///   - now: by this peer's clock.
    ///   - dropped: what is not kept any more because of it is added here.
    mutating func insert(
        _ record: VerifiedRecord, age: UInt32, at now: Int64, dropped: inout [RecordID]
    ) -> KeptRecord.Outcome {
        guard let group = SyncScope.Group(of: record.kind) else { return .declined }
        if let known = rows[record.id] { return known.isErased ? .declined : .known }
        let isOwn = record.author == owner
        guard isOwn || settings.keeps(record.record, in: group) else { return .declined }
        let created = record.record.created.wall.milliseconds
        let lifetime = record.record.lifetimeSeconds
        let date = created <= now ? created : now - Int64(min(age, lifetime)) * 1_000
        let rank = created <= now ? record.record.created : HybridTime(wall: WallTime(milliseconds: date))
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

    // MARK: - Out

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

    /// What is over goes.
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
    /// `nil` for a date that the protocol cannot name.
    var item: ReconciliationItem? {
        ReconciliationItem(timestamp: record.record.created.rawValue, id: record.id.hash)
    }

    /// Whether it takes room that quotas are about.
    func counts(for owner: PeerID) -> Bool { record.author != owner && record.kind != .deletion }

    /// What somebody who asks now is told of its age.
    func ageSeconds(at now: Int64) -> UInt32 { UInt32(clamping: max(0, now - date) / 1_000) }
}
