import GRDB
import LatticeCore
import LatticeWire

extension Store {
    /// Readable, unexpired, not deleted posts and events with all of the words. Pages neither overlap nor leave anything
    /// out.
    package func search(_ search: WordSearch) async throws(StoreError) -> [Found] {
        let viewer = author
        return try await read { database in
            guard search.limit > 0, let matches = try WordMatches(database, search.words) else { return [] }
            var scan = try WordScan(database, search, viewer: viewer)
            try scan.find(among: matches)
            var reader = try ItemReader(database, viewer: viewer)
            return try scan.best.elements.compactMap { rank in
                try reader.item(rank.seq, now: search.now).map { Found(item: $0, metres: rank.value) }
            }
        }
    }
}
