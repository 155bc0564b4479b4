import GRDB
import LatticeCore
import LatticeWire

extension Store {
    /// Posts and events with certain words that may be read, have not expired and were not taken back. Pages do not overlap and
    /// leave nothing out.
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
