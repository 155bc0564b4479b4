import LatticeAPI
import LatticeCore
import LatticeStore

/// Events that somebody announced, or goes to, as one persona sees them.
struct EventList: Sendable {
    let reader: PersonaReader

    func page(_ request: ListEvents, at now: WallTime) async throws(RequestError) -> ItemPage {
        let limit = try reader.checked(limit: request.page.limit)
        let after = try request.page.after.map { (cursor) throws(RequestError) in
            let isPast = cursor.text.hasPrefix(Mark.List.past.rawValue)
            return EventReader.Mark(isPast: isPast, start: try Mark(cursor, isPast ? .past : .coming).time)
        }
        let person: PeerID = if let who = request.person { try await reader.find(who, at: now).peer } else { reader.me }
        let store = reader.store
        let found = try await stored { () throws(StoreError) in
            try await store.events.events(
                of: person, isAttending: request.isAttending, at: now, limit: limit + 1, after: after)
        }
        let page = found.prefix(limit)
        var next: PageCursor?
        if found.count > limit, let last = page.last, let starts = last.starts {
            next = Mark(date: starts, seq: last.seq).cursor(last.isPast ? .past : .coming)
        }
        let blocked = store.blockedAuthors
        let shown = page.filter { !blocked.contains($0.author) }
        return ItemPage(items: try await reader.infos(shown, by: try await reader.viewer()), next: next)
    }
}
