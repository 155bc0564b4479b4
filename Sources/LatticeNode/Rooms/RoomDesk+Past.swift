import LatticeAPI
import LatticeCore
import LatticeStore

// History.
extension RoomDesk {
    func all() async throws(RequestError) -> [RoomName] {
        try await asked { () throws(StoreError) in try await store.rooms.names() }
    }

    /// The store answers in portions, so this pages backwards from the end.
    func history(_ query: HistoryQuery) async throws(RequestError) -> HistoryPage {
        var found: [StoredRoomLine] = []
        var hasMore = true
        while hasMore, found.count < query.limit {
            let (before, limit) = (found.first?.record ?? query.before, query.limit - found.count)
            let page = try await asked { () throws(StoreError) in
                try await store.rooms.history(of: query.room, before: before, limit: limit)
            }
            found = page.lines + found
            hasMore = page.hasMore && !page.lines.isEmpty
        }
        return HistoryPage(lines: found.map { Message($0, me: me) }, hasMore: hasMore)
    }

    static func name(_ text: String?) -> PeerName? {
        guard let text else { return nil }
        do {
            return try PeerName(text)
        } catch {
            return nil  // The name was valid when it was stored; the rules have changed.
        }
    }
}
