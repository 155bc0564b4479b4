import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import OrderedCollections
import Synchronization

/// The store's keys in the order that reconciliation uses, updated as the file changes.
///
/// A separate actor: strangers' requests cost work that must not delay chat. Starting does not wait for it; until the
/// store is read, comparisons are answered with "not now".
actor Catalogue {
    /// Changes read at a time: a few milliseconds during which no comparison runs.
    private static let changesMax = 4_096
    /// Single-room sets kept between two messages; further ones are built again for each message.
    private static let roomsMax = 8

    let store: Store
    /// `nil` until the store is read.
    private var mark: CatalogueMark?
    private var groups: [SyncScope.Group: ReconciliationSet] = [:]
    private var rooms: OrderedDictionary<RoomKey, ReconciliationSet> = [:]
    /// Counts chat changes: a set read before the latest change is not kept.
    private var roomsRevision = 0

    private struct RoomKey: Hashable {
        let topic: [UInt8]
        let since: HybridTime
    }

    /// Records that left the store.
    struct Departures: Sendable {
        /// Must not be fetched again for a while.
        var forGood: [RecordID] = []
        /// Something was removed because its author was blocked, which may no longer hold.
        var mayReturn = false
    }

    init(store: Store) {
        self.store = store
    }

    var isLoaded: Bool { mark != nil }

    /// Reads all keys from the store.
    func load() async throws(StoreError) {
        mark = nil
        let collected = Collector()
        let mark = try await store.catalogue.eachKey { collected.add($0) }
        groups = collected.sets()
        forgetRooms()
        self.mark = mark
    }

    /// Applies changes to the file, by any process.
    ///
    /// - Returns: what left the store.
    func follow() async throws(StoreError) -> Departures {
        var gone = Departures()
        while let mark {
            let changes = try await store.catalogue.changes(after: mark, limit: Self.changesMax)
            if changes.isReset {
                try await load()
                return gone
            }
            apply(changes)
            gone.forGood += changes.removed.map(\.id).filter { !changes.returning.contains($0) }
            gone.mayReturn = gone.mayReturn || !changes.returning.isEmpty
            self.mark = changes.mark
            if !changes.hasMore { break }
        }
        return gone
    }

    private func apply(_ changes: CatalogueChanges) {
        for key in changes.removed {
            if let item = ReconciliationItem(key) { groups[key.group]?.remove(item) }
        }
        for key in changes.added {
            if let item = ReconciliationItem(key) { groups[key.group, default: ReconciliationSet()].insert(item) }
        }
        let hasLines = (changes.removed + changes.added).contains { $0.group == .chat }
        if hasLines { forgetRooms() }
    }

    private func forgetRooms() {
        rooms = [:]
        roomsRevision += 1
    }

    /// - Returns: `nil` until the store is read.
    func set(of scope: SyncScope, since: HybridTime) async throws(StoreError) -> ReconciliationSet? {
        guard mark != nil else { return nil }
        guard let topic = scope.room else { return groups[scope.group] ?? ReconciliationSet() }
        let key = RoomKey(topic: topic, since: since)
        if let made = rooms[key] { return made }
        let revision = roomsRevision
        let made = ReconciliationSet(
            try await store.catalogue.keys(ofRoom: topic, since: since).compactMap(ReconciliationItem.init))
        guard revision == roomsRevision else { return made }
        if rooms.count >= Self.roomsMax { rooms.removeFirst() }
        rooms[key] = made
        return made
    }
}

/// Collects the store's keys by group.
private final class Collector: Sendable {
    private let items = Mutex<[SyncScope.Group: [ReconciliationItem]]>([:])

    func add(_ keys: [StoredKey]) {
        items.withLock { items in
            for key in keys {
                if let item = ReconciliationItem(key) { items[key.group, default: []].append(item) }
            }
        }
    }

    func sets() -> [SyncScope.Group: ReconciliationSet] {
        items.withLock { items in
            defer { items = [:] }
            return items.mapValues(ReconciliationSet.init)
        }
    }
}

extension ReconciliationItem {
    /// - Returns: `nil` for the date that the protocol reserves for infinity: such a record is never reconciled.
    init?(_ key: StoredKey) {
        self.init(timestamp: key.created.rawValue, id: key.id.hash)
    }
}
