import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

/// Posts and events around a place as one persona sees them.
struct NearGuide: Sendable {
    let reader: PersonaReader

    func list(_ query: NearQuery, at now: WallTime) async throws(RequestError) -> ItemPage {
        let isNewest = query.order == .newest
        let radius = try reader.checked(radius: query.radius)
        // Posts out of reach are listed up to the search limit; events out of reach are not.
        let reach = query.what == .posts && !isNewest ? PostLimit.searchMax : radius
        let within = try reader.checked(radius: query.within ?? reach)
        let limit = try reader.checked(limit: query.page.limit)
        let after = try query.page.after.map { (cursor) throws(RequestError) in
            try Mark(cursor, isNewest ? .time : .near)
        }
        let (setting, blocked) = (reader.placeSetting, reader.store.blockedAuthors)
        let answer = try await stored { () throws(StoreError) in
            try reader.store.snapshot { snapshot -> Answer? in
                guard let centre = try query.centre ?? setting.place(in: snapshot) else { return nil }
                var search = NearSearch(
                    kind: query.what == .posts ? .post : .event, centre: centre, reachMetres: within,
                    since: query.since, now: now, limit: limit + 1)
                let found: [Listed]
                if isNewest {
                    search.limit = NearQuery.sortedMax
                    found = Self.newest(try snapshot.near(search), before: after?.time, limit: limit + 1)
                } else {
                    search.after = after.map { NearMark(metres: $0.metres, seq: $0.seq) }
                    found = try snapshot.near(search).map {
                        Listed(item: $0.item, end: Mark(metres: $0.metres, seq: $0.item.seq).cursor(.near))
                    }
                }
                let page = found.prefix(limit).map(\.item).filter { !blocked.contains($0.author) }
                return Answer(
                    centre: centre, page: page, shorts: try snapshot.short(of: page.map(\.id)),
                    next: found.count > limit ? found[limit - 1].end : nil)
            }
        }
        guard let answer else { throw .placeNeeded }
        // On a map it does not matter whom I follow.
        let viewer = Viewer(
            me: reader.me, followed: [], position: query.reader ?? answer.centre, radius: radius, isStrict: true)
        return ItemPage(
            items: zip(answer.page, answer.shorts).map { viewer.info($0, short: $1) }, centre: answer.centre,
            radius: radius, next: answer.next)
    }

    /// An item, and the cursor of a page that ends with it.
    private struct Listed {
        let item: StoredItem
        let end: PageCursor
    }

    /// The contents of one store snapshot.
    private struct Answer {
        let centre: Coordinate
        let page: [StoredItem]
        let shorts: [String]
        /// Where the next page begins, if there is one.
        let next: PageCursor?
    }

    private static func newest(_ found: [Found], before mark: TimeMark?, limit: Int) -> [Listed] {
        func time(_ item: StoredItem) -> (Int64, Int64) { (item.date.milliseconds, item.seq) }
        let items = found.map(\.item).sorted { time($0) > time($1) }
        let rest = items.drop { item in mark.map { time(item) >= ($0.date.milliseconds, $0.seq) } ?? false }
        return rest.prefix(limit).map { Listed(item: $0, end: Mark(date: $0.date, seq: $0.seq).cursor(.time)) }
    }
}
