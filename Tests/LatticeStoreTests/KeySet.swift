import LatticeStore
import Synchronization

/// A copy of a store's keys, kept by what the store tells of them.
struct KeySet {
    private(set) var keys: Set<StoredKey> = []
    private(set) var mark: CatalogueMark
    /// How often all was loaded.
    private(set) var loads = 1

    init(_ store: Store) async throws {
        (keys, mark) = try await Self.all(store)
    }

    mutating func follow(_ store: Store, limit: Int) async throws {
        while true {
            let changes = try await store.catalogue.changes(after: mark, limit: limit)
            if changes.isReset {
                (keys, mark) = try await Self.all(store)
                loads += 1
                return
            }
            keys.subtract(changes.removed)
            keys.formUnion(changes.added)
            mark = changes.mark
            if !changes.hasMore { return }
        }
    }

    static func all(_ store: Store) async throws -> (Set<StoredKey>, CatalogueMark) {
        let (keys, mark) = try await list(store)
        return (Set(keys), mark)
    }

    /// In the order in which the store tells them.
    static func list(_ store: Store) async throws -> ([StoredKey], CatalogueMark) {
        let told = Told()
        let mark = try await store.catalogue.eachKey { portion in told.keys.withLock { $0 += portion } }
        return (told.keys.withLock { $0 }, mark)
    }
}

private final class Told: Sendable {
    let keys = Mutex<[StoredKey]>([])
}
