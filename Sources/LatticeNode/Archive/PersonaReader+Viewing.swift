import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

// What a person sees.
extension PersonaReader {
    func show(_ target: ItemReference, from: Coordinate?, at now: WallTime) async throws(RequestError) -> ItemDetail {
        let item = try await find(target, at: now)
        let viewer = try await viewer(at: from)
        var parent: StoredItem?
        if let id = item.parent {
            parent = try await stored { () throws(StoreError) in try await store.items.item(id, at: now) }
        }
        let shorts = try await shorts([item] + (parent.map { [$0] } ?? []))
        var detail = ItemDetail(item: viewer.info(item, short: shorts[0], parent: parent))
        let carrier = try await stored { () throws(StoreError) in try await store.items.carrier(of: item) }
        detail.item.via = RecordVia(carrier)
        if let parent { detail.parent = viewer.info(parent, short: shorts[1]) }
        guard detail.item.state != .tooFar else { return detail }
        let comments = try await stored { () throws(StoreError) in
            try await store.items.comments(of: item.id, at: now, limit: ItemDetail.commentsMax)
        }
        detail.comments = try await infos(unblocked(comments), by: viewer)
        detail.likedBy = try await peopleWho(.like, item.id, at: now)
        detail.attendedBy = try await peopleWho(.attendance, item.id, at: now)
        detail.mayEdit = try await PlaceGuide(reader: self).mayEdit(item)
        if item.kind == .place, item.edited != nil { detail.versions = try await versions(of: item) }
        if detail.item.photo != nil {
            detail.original = try await ItemFile(originalOf: item, in: store, at: now)
        }
        return detail
    }

    private func versions(of place: StoredItem) async throws(RequestError) -> [PlaceVersion] {
        let stored = try await stored { () throws(StoreError) in
            try await store.places.versions(of: place.id, limit: ItemDetail.versionsMax)
        }
        // Those of blocked people, too: the place is as they left it.
        return stored.map { version in
            let body = version.body
            return PlaceVersion(
                by: version.author, called: body.author.text, at: version.date, title: body.name,
                category: body.category, hours: body.hours, text: body.text, place: body.coordinate,
                isOriginal: version.isOriginal)
        }
    }

    func timeline(_ request: ListTimeline, at now: WallTime) async throws(RequestError) -> ItemPage {
        let limit = try checked(limit: request.page.limit)
        let before = try request.page.after.map { (cursor) throws(RequestError) in try Mark(cursor, .time) }
        let author: PeerID? =
            if let who = request.author { try await find(who, at: now).peer } else { nil }
        let found = try await stored { () throws(StoreError) in
            guard let author else {
                return try await store.timeline.items(at: now, limit: limit + 1, before: before?.time)
            }
            return try await store.timeline.items(
                by: author, onlyPhotos: request.onlyPhotos, at: now, limit: limit + 1, before: before?.time)
        }
        let page = found.prefix(limit)
        let next = found.count > limit ? page.last.map { Mark(date: $0.date, seq: $0.seq).cursor(.time) } : nil
        var items = try await infos(unblocked(page), by: try await viewer(at: author == nil ? nil : request.from))
        if author != nil, request.onlyPhotos { items.removeAll { $0.photo == nil } }
        return ItemPage(items: items, next: next)
    }

    /// Only readable text is searched: a hit in a hidden one would reveal it.
    func search(_ query: SearchQuery, at now: WallTime) async throws(RequestError) -> ItemPage {
        let radius = try checked(radius: query.radius)
        let limit = try checked(limit: query.page.limit)
        guard query.words.contains(where: { $0.isLetter || $0.isNumber }) else {
            throw .invalid(faults: [.noWord])
        }
        let after = try query.page.after.map { (cursor) throws(RequestError) in try Mark(cursor, .search) }
        let position = query.near == nil ? try await here() : query.near
        let search = WordSearch(
            words: query.words, isNearestFirst: query.near != nil, position: position, readableMetres: radius, now: now,
            limit: limit + 1, after: after.map { NearMark(metres: $0.metres, seq: $0.seq) })
        let found = try await stored { () throws(StoreError) in try await store.items.search(search) }
        let page = found.prefix(limit)
        let items = try await infos(unblocked(page.map(\.item)), by: try await viewer(at: position, radius: radius))
        let next =
            found.count > limit ? page.last.map { Mark(metres: $0.metres, seq: $0.item.seq).cursor(.search) } : nil
        return ItemPage(
            items: items, centre: query.near, radius: query.near == nil ? nil : radius, next: next)
    }

    func profile(_ reference: PeerReference?, at now: WallTime) async throws(RequestError) -> PersonInfo {
        guard let reference else { return try await info(ofPerson: me, at: now) }
        return infos([try await find(reference, at: now)])[0]
    }

    func people(at now: WallTime) async throws(RequestError) -> [PersonInfo] {
        infos(try await stored { () throws(StoreError) in try await store.people.all(at: now, limit: Self.peopleMax) })
    }

    /// Nobody reads a longer list.
    private static let peopleMax = 1_000

    private func peopleWho(
        _ kind: RecordKind, _ id: RecordID, at now: WallTime
    ) async throws(RequestError) -> [PersonInfo] {
        let people = try await stored { () throws(StoreError) in
            try await store.people.who(kind, id, at: now, limit: ItemDetail.peopleMax)
        }
        return infos(people)
    }

    // MARK: - Where one is

    var placeSetting: PlaceSetting { PlaceSetting(of: me, isOwner: store.author == store.owner) }

    func here() async throws(RequestError) -> Coordinate? {
        let setting = placeSetting
        return try await stored { () throws(StoreError) in try store.snapshot(setting.place) }
    }

    func orHere(_ coordinate: Coordinate?) async throws(RequestError) -> Coordinate? {
        if let coordinate { return coordinate }
        return try await here()
    }

    // MARK: - Views

    func viewer(
        at position: Coordinate? = nil, radius: Double = PostLimit.radius
    ) async throws(RequestError) -> Viewer {
        let setting = placeSetting
        let (followed, here) = try await stored { () throws(StoreError) in
            try store.snapshot { (try $0.followed(), try position ?? setting.place(in: $0)) }
        }
        return Viewer(me: me, followed: followed, position: here, radius: radius, isStrict: false)
    }

    /// An own item just written or changed.
    func info(of id: RecordID, at now: WallTime) async throws(RequestError) -> ItemInfo {
        guard let item = try await stored({ () throws(StoreError) in try await store.items.item(id, at: now) }) else {
            throw .store(fault: .unreadable)
        }
        return try await infos([item], by: try await viewer())[0]
    }

    func info(ofPerson peer: PeerID, at now: WallTime) async throws(RequestError) -> PersonInfo {
        infos([try await stored { () throws(StoreError) in try await store.people.person(peer, at: now) }])[0]
    }

    func infos(_ items: [StoredItem], by viewer: Viewer) async throws(RequestError) -> [ItemInfo] {
        zip(items, try await shorts(items)).map { viewer.info($0, short: $1) }
    }

    /// A page of them may be shorter than asked for.
    private func unblocked(_ items: some Sequence<StoredItem>) -> [StoredItem] {
        let blocked = store.blockedAuthors
        return items.filter { !blocked.contains($0.author) }
    }

    func shorts(_ items: [StoredItem]) async throws(RequestError) -> [String] {
        try await stored { () throws(StoreError) in try await store.items.short(of: items.map(\.id)) }
    }

    func checked(radius: Double) throws(RequestError) -> Double {
        guard radius > 0, radius <= PostLimit.searchMax else {
            throw .invalid(faults: [.radius(maxKilometres: Int(PostLimit.searchMax / 1_000))])
        }
        return radius
    }

    func checked(limit: Int) throws(RequestError) -> Int {
        guard PostLimit.pageSizeRange.contains(limit) else {
            throw .invalid(faults: [.pageSize(max: PostLimit.pageSizeRange.upperBound)])
        }
        return limit
    }
}

extension PersonInfo {
    init(_ person: StoredPerson, me: PeerID) {
        self.init(
            id: person.peer, name: person.name, about: person.about, colour: person.colour,
            photo: person.photo.map { PhotoInfo($0) }, isMe: person.peer == me,
            isFollowedByMe: person.isFollowedByOwner, posts: person.posts, followers: person.followers,
            following: person.following)
    }
}

extension ItemFile {
    /// The file of an item that is a picture; `nil` if there is none.
    init?(originalOf item: StoredItem, in store: Store, at now: WallTime) async throws(RequestError) {
        let files = try await stored { () throws(StoreError) in
            try await store.manifests.files(of: item.id, by: item.author, at: now)
        }
        guard let file = files.first(where: { $0.body.type.text.hasPrefix("image/") }) else { return nil }
        self.init(id: file.id, name: file.body.name.text, type: file.body.type.text, size: file.body.blob.size)
    }
}
