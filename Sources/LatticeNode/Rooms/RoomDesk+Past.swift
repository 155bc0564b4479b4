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
        let all = found
        let answered = try await asked { () throws(StoreError) in try await self.answered(by: all, in: query.room) }
        return HistoryPage(
            lines: found.map { Message($0, me: me).answering { answered[$0] } }, hasMore: hasMore)
    }

    /// The lines of that room that others answer.
    func answered(
        by lines: [StoredRoomLine], in room: RoomName
    ) async throws(StoreError) -> [RecordID: LineReference] {
        let ids = Set(lines.compactMap(\.replyTo))
        guard !ids.isEmpty else { return [:] }
        let found = try await store.rooms.lines(Array(ids), of: room)
        return Dictionary(found.map { ($0.record, LineReference(Message($0, me: me))) }) { first, _ in first }
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
