import Foundation
import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

/// Named places as one persona finds them: by name, around a coordinate, inside each other.
struct PlaceGuide: Sendable {
    let reader: PersonaReader

    /// Places among which a name is looked up: the nearest ones, or the newest if the persona has set no place.
    private static let knownMax = 1_000
    /// Places of one name whose surroundings are looked at. Anybody can make many.
    private static let namesakesMax = 32
    /// Places of a chain such as `Camp/Kitchen`. A chain that others wrote may be a circle.
    private static let depthMax = 8
    private static let similarMax = 3
    /// Metres within which any other place may be the same one.
    private static let sameMetres = 30.0
    /// Metres within which a place of a similar name may be the same one.
    private static let sameNameMetres = 250.0

    /// The name without case and accents, for comparing.
    static func folded(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        let text = PostRules.tidied(name).lowercased().decomposedStringWithCanonicalMapping
        for scalar in text.unicodeScalars where scalar.properties.generalCategory != .nonspacingMark {
            scalars.append(scalar)
        }
        return String(scalars).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// - Throws: `unknownPlace` with similar names.
    func find(_ reference: PlaceReference, at now: WallTime) async throws(RequestError) -> StoredItem {
        if let place = try await place(withID: reference.text, at: now) { return place }
        let names = reference.text.split(separator: "/").map { Self.folded(String($0)) }
        let known = try await known(at: now)
        guard let name = names.last, !name.isEmpty else { throw unknown(reference, among: known) }
        for place in known.lazy.filter({ Self.folded($0.title) == name }).prefix(Self.namesakesMax) {
            if try await isInside(place, names.dropLast(), among: known, at: now) { return place }
        }
        throw unknown(reference, among: known)
    }

    private func place(withID text: String, at now: WallTime) async throws(RequestError) -> StoredItem? {
        do throws(RequestError) {
            let item = try await reader.find(ItemReference(text), at: now)
            return item.kind == .place && item.state == .shown ? item : nil
        } catch {
            switch error {
            case .invalid, .unknownItem, .ambiguousItem: return nil  // It is a name.
            default: throw error
            }
        }
    }

    /// Whether the places around it have these names, from the outside in. Names may be left out in between.
    private func isInside(
        _ place: StoredItem, _ names: ArraySlice<String>, among known: [StoredItem], at now: WallTime
    ) async throws(RequestError) -> Bool {
        var names = names
        var inner = place
        for _ in 0..<Self.depthMax {
            guard let name = names.last else { return true }
            guard let outer = try await outer(of: inner, among: known, at: now) else { return false }
            if Self.folded(outer.title) == name { names.removeLast() }
            inner = outer
        }
        return names.isEmpty
    }

    /// The place that a place is part of; `nil` if there is none here.
    private func outer(
        of place: StoredItem, among known: [StoredItem], at now: WallTime
    ) async throws(RequestError) -> StoredItem? {
        guard let id = place.parent else { return nil }
        if let place = known.first(where: { $0.id == id }) { return place }
        let item = try await stored { () throws(StoreError) in try await reader.store.items.item(id, at: now) }
        return item.flatMap { $0.kind == .place && $0.state == .shown ? $0 : nil }
    }

    private func unknown(_ reference: PlaceReference, among known: [StoredItem]) -> RequestError {
        let name = Self.folded(reference.text.split(separator: "/").last.map(String.init) ?? "")
        let similar = known.lazy.map(\.title).filter { Self.areSimilar(Self.folded($0), name) }
        return .unknownPlace(name: String(reference.text.prefix(64)), similar: Array(similar.prefix(Self.similarMax)))
    }

    private static func areSimilar(_ one: String, _ other: String) -> Bool {
        guard !one.isEmpty, !other.isEmpty else { return false }
        return one.contains(other) || other.contains(one) || one.count > 3 && other.difference(from: one).count <= 3
    }

    /// The nearest first, or the newest if the persona has set no place; without those of blocked people.
    private func known(at now: WallTime) async throws(RequestError) -> [StoredItem] {
        try await around(nil, within: PostLimit.searchMax, at: now)
    }

    private func around(
        _ centre: Coordinate?, within metres: Double, at now: WallTime
    ) async throws(RequestError) -> [StoredItem] {
        let centre = try await reader.orHere(centre)
        let (store, blocked) = (reader.store, reader.store.blockedAuthors)
        let found = try await stored { () throws(StoreError) in
            guard let centre else { return try await store.places.newest(at: now, limit: Self.knownMax) }
            return try await store.items.near(
                NearSearch(kind: .place, centre: centre, reachMetres: metres, now: now, limit: Self.knownMax)
            ).map(\.item)
        }
        return found.filter { !blocked.contains($0.author) }
    }

    /// Places that may be the one that somebody wants to make.
    ///
    /// - Parameter outer: the place that the new one is part of. Parts of a place stand close together, so there only names count.
    func similar(
        to name: String, at coordinate: Coordinate, in outer: StoredItem?, at now: WallTime
    ) async throws(RequestError) -> [SimilarPlace] {
        let name = Self.folded(name)
        let around = try await around(coordinate, within: Self.sameNameMetres, at: now)
        let outside = try await surroundings(of: outer, among: around, at: now)
        let near = around.filter { place in
            guard let other = place.place?.coordinate, !outside.contains(place.id) else { return false }
            let theirs = Self.folded(place.title)
            let isBeside = outer == nil && coordinate.distance(to: other) <= Self.sameMetres
            return isBeside || theirs.contains(name) || name.contains(theirs)
        }
        let shown = Array(near.prefix(Self.similarMax))
        return zip(shown, try await reader.shorts(shown)).map { place, short in
            SimilarPlace(
                id: place.id, short: short, name: place.title,
                metres: place.place.map { coordinate.distance(to: $0.coordinate) } ?? 0)
        }
    }

    /// A place and those around it.
    private func surroundings(
        of place: StoredItem?, among known: [StoredItem], at now: WallTime
    ) async throws(RequestError) -> Set<RecordID> {
        var all: Set<RecordID> = []
        var next = place
        while let place = next, all.count < Self.depthMax {
            all.insert(place.id)
            next = try await outer(of: place, among: known, at: now)
        }
        return all
    }

    /// Whether this person may change an item: their own, or a place that names them as an editor.
    func mayEdit(_ item: StoredItem) async throws(RequestError) -> Bool {
        guard item.author != reader.me, item.kind == .place else { return item.author == reader.me }
        return try await stored { () throws(StoreError) in
            try await reader.store.places.isEditor(reader.me, of: item.id)
        }
    }

    /// Places that the card of the mesh names come first, in addition to the others; not in a narrower search.
    func list(_ query: ListPlaces, at now: WallTime) async throws(RequestError) -> ItemPage {
        var page = try await unpinned(query, at: now)
        guard query.partOf == nil, query.category == nil, query.within == nil else { return page }
        let pinned = try await pinnedByCard(at: now)
        guard !pinned.isEmpty else { return page }
        let ids = Set(pinned.map(\.id))
        page.items.removeAll { ids.contains($0.id) }
        guard query.page.after == nil else { return page }
        var infos = try await infos(pinned, by: try await reader.viewer(at: page.centre), at: now)
        for index in infos.indices { infos[index].isPinned = true }
        page.items = infos + page.items
        return page
    }

    private func unpinned(_ query: ListPlaces, at now: WallTime) async throws(RequestError) -> ItemPage {
        let limit = try reader.checked(limit: query.page.limit)
        if query.partOf == nil, let centre = try await reader.orHere(query.centre) {
            return try await near(centre, query, at: now)
        }
        let before = try query.page.after.map { (cursor) throws(RequestError) in try Mark(cursor, .time) }
        let outer: RecordID? = if let name = query.partOf { try await find(name, at: now).id } else { nil }
        let store = reader.store
        let page = try await stored { () throws(StoreError) in
            try await store.places.newest(partOf: outer, at: now, limit: limit + 1, before: before?.time)
        }
        let shown = page.prefix(limit)
        let next = page.count > limit ? shown.last.map { Mark(date: $0.date, seq: $0.seq).cursor(.time) } : nil
        return ItemPage(
            items: try await infos(unblocked(shown, query), by: try await reader.viewer(at: query.centre), at: now),
            next: next)
    }

    private func near(_ centre: Coordinate, _ query: ListPlaces, at now: WallTime) async throws(RequestError)
        -> ItemPage
    {
        let after = try query.page.after.map { (cursor) throws(RequestError) in try Mark(cursor, .near) }
        let limit = query.page.limit
        let search = NearSearch(
            kind: .place, centre: centre, reachMetres: try reader.checked(radius: query.within ?? PostLimit.searchMax),
            now: now, limit: limit + 1, after: after.map { NearMark(metres: $0.metres, seq: $0.seq) })
        let store = reader.store
        let found = try await stored { () throws(StoreError) in try await store.items.near(search) }
        let page = found.prefix(limit)
        let next =
            found.count > limit ? page.last.map { Mark(metres: $0.metres, seq: $0.item.seq).cursor(.near) } : nil
        return ItemPage(
            items: try await infos(
                unblocked(page.map(\.item)[...], query), by: try await reader.viewer(at: centre), at: now),
            centre: centre, next: next)
    }

    /// A page of them may be shorter than asked for.
    private func unblocked(_ items: ArraySlice<StoredItem>, _ query: ListPlaces) -> [StoredItem] {
        let blocked = reader.store.blockedAuthors
        let category = query.category.map(Self.folded)
        return items.filter { item in
            !blocked.contains(item.author) && category.map { Self.folded(item.placeName) == $0 } ?? true
        }
    }

    /// With the names of the places around them.
    func infos(_ places: [StoredItem], by viewer: Viewer, at now: WallTime) async throws(RequestError) -> [ItemInfo] {
        var infos = try await reader.infos(places, by: viewer)
        for (number, place) in places.enumerated() {
            infos[number].partOf = try await outer(of: place, among: places, at: now)?.title
        }
        return infos
    }

    func info(_ place: StoredItem, at now: WallTime) async throws(RequestError) -> ItemInfo {
        try await infos([place], by: try await reader.viewer(), at: now)[0]
    }
}
