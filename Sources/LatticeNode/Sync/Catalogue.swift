import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import OrderedCollections
import Synchronization

/// What is in the store, in the order in which neighbours compare it, kept right as the file changes.
///
/// An actor of its own: a stranger's questions cost work, which must not hold up what people say. Nothing waits for it at the
/// start; until the store is read, comparisons are answered with "not now".
actor Catalogue {
    /// Changes read at a time: a few milliseconds, in which no comparison goes on.
    private static let changesMax = 4_096
    /// Rooms compared one by one at a time whose sets are kept between two messages; more are made anew for each message.
    private static let roomsMax = 8

    let store: Store
    /// `nil` until the store is read.
    private var mark: CatalogueMark?
    private var groups: [SyncScope.Group: ReconciliationSet] = [:]
    private var rooms: OrderedDictionary<RoomKey, ReconciliationSet> = [:]
    /// Counts changes of what was said: a set that was read before one of them is not kept.
    private var roomsRevision = 0

    private struct RoomKey: Hashable {
        let topic: [UInt8]
        let since: HybridTime
    }

    /// What left the store.
    struct Departures: Sendable {
        /// Not to be fetched again for a while.
        var forGood: [RecordID] = []
        /// Something went because its author was blocked, which may be over already.
        var mayReturn = false
    }

    init(store: Store) {
        self.store = store
    }

    var isLoaded: Bool { mark != nil }

    /// Reads all keys of the store.
    func load() async throws(StoreError) {
        mark = nil
        let collected = Collector()
        let mark = try await store.eachKey { collected.add($0) }
        groups = collected.sets()
        forgetRooms()
        self.mark = mark
    }

    /// Takes over what has changed in the file since, whoever changed it.
    ///
    /// - Returns: what is there no more.
    func follow() async throws(StoreError) -> Departures {
        var gone = Departures()
        while let mark {
            let changes = try await store.changes(after: mark, limit: Self.changesMax)
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

    /// - Returns: `nil` while the store is not read.
    func set(of scope: SyncScope, since: HybridTime) async throws(StoreError) -> ReconciliationSet? {
        guard mark != nil else { return nil }
        guard let topic = scope.room else { return groups[scope.group] ?? ReconciliationSet() }
        let key = RoomKey(topic: topic, since: since)
        if let made = rooms[key] { return made }
        let revision = roomsRevision
        let made = ReconciliationSet(
            try await store.keys(ofRoom: topic, since: since).compactMap(ReconciliationItem.init))
        guard revision == roomsRevision else { return made }
        if rooms.count >= Self.roomsMax { rooms.removeFirst() }
        rooms[key] = made
        return made
    }
}

/// Gathers the keys of a store by their groups.
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
    /// - Returns: `nil` for the one date that the protocol keeps for infinity: what bears it is never compared.
    init?(_ key: StoredKey) {
        self.init(timestamp: key.created.rawValue, id: key.id.hash)
    }
}
