import LatticeCore
import LatticeWire

/// How many records a store has of each author, and the floors below which it does not accept evicted records again.
struct StoreRoom {
    private(set) var count = 0
    private(set) var countOfAuthor: [PeerID: Int] = [:]
    /// Floors by group: records dated then or earlier are declined.
    private(set) var floors: [SyncScope.Group: HybridTime] = [:]
    private(set) var authorFloors: [PeerID: HybridTime] = [:]

    func isBelowFloor(_ row: SimulatedStore.Row) -> Bool {
        // Deletions do not count toward quotas, and their targets may come at any time.
        guard row.record.kind != .deletion else { return false }
        return isBelowFloor(group: row.group, author: row.record.author, rank: row.rank)
    }

    func isBelowFloor(group: SyncScope.Group, author: PeerID, rank: HybridTime) -> Bool {
        let floor = max(floors[group] ?? Self.ground, authorFloors[author] ?? Self.ground)
        return floor > Self.ground && rank <= floor
    }

    /// Below everything.
    private static let ground = HybridTime(rawValue: 0)

    mutating func took(_ row: SimulatedStore.Row) {
        count += 1
        countOfAuthor[row.record.author, default: 0] += 1
    }

    mutating func gave(_ row: SimulatedStore.Row) {
        count -= 1
        countOfAuthor[row.record.author, default: 0] -= 1
    }

    mutating func raiseFloor(of group: SyncScope.Group, to rank: HybridTime) {
        floors[group] = max(floors[group] ?? Self.ground, rank)
    }

    mutating func raiseFloor(of author: PeerID, to rank: HybridTime) {
        authorFloors[author] = max(authorFloors[author] ?? Self.ground, rank)
    }

    /// Once less than half of a quota is used, evicted records are accepted again.
    mutating func lowerFloors(to settings: StoreSettings) {
        if count < settings.quota / 2 { floors.removeAll() }
        guard !authorFloors.isEmpty else { return }
        authorFloors = authorFloors.filter { countOfAuthor[$0.key, default: 0] >= settings.authorQuota / 2 }
    }
}

extension SimulatedStore {
    /// Evicts what exceeds the quotas, oldest first: for each author, then for all others together. Records of equal
    /// rank are evicted together, so that the result does not depend on the order of arrival.
    mutating func evict(dropped: inout [RecordID], hasFloors: Bool) {
        let crowded = room.countOfAuthor.filter { $0.value > settings.authorQuota }.map(\.key).sorted()
        for author in crowded {
            evict(room.countOfAuthor[author, default: 0] - settings.authorQuota, dropped: &dropped) { row in
                row.record.author == author
            } floor: { store, row in
                if hasFloors { store.room.raiseFloor(of: author, to: row.rank) }
            }
        }
        evict(room.count - settings.quota, dropped: &dropped) { _ in
            true
        } floor: { store, row in
            if hasFloors { store.room.raiseFloor(of: row.group, to: row.rank) }
        }
    }

    private mutating func evict(
        _ excess: Int, dropped: inout [RecordID], where isMeant: (Row) -> Bool,
        floor: (inout SimulatedStore, Row) -> Void
    ) {
        guard excess > 0 else { return }
        let oldest = rows.values.filter { !$0.isErased && $0.counts(for: owner) && isMeant($0) }.sorted {
            ($0.rank, $0.record.id) < ($1.rank, $1.record.id)
        }
        guard oldest.count >= excess else { return }
        let last = oldest[excess - 1].rank
        for row in oldest.prefix(while: { $0.rank <= last }) {
            floor(&self, row)
            remove(row.record.id)
            letGo.insert(row.record.id)
            dropped.append(row.record.id)
        }
    }

    /// The announcement to neighbours of what is stored here.
    func keeping(hasFloors: Bool) -> Keeping {
        let entries = settings.groups.map { group in
            let floor = hasFloors ? room.floors[group] : nil
            let since = floor.map { HybridTime(rawValue: $0.rawValue + 1) }
            return Keeping.Entry(group, since: since ?? HybridTime(rawValue: 0))
        }
        return Keeping(entries, rooms: settings.rooms)
    }
}
