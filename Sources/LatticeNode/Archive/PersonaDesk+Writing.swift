import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire

// What a person writes: checked, signed, stored.
extension PersonaDesk {
    /// Follows and the profile live a year and are renewed after half of it.
    private static let renewAfter: Int64 = 182 * 86_400_000
    private static let renewedMax = 256

    func post(_ post: NewPost, photo: BodyPhoto?, at now: WallTime) async throws(RequestError) -> ItemInfo {
        let isUrgent = post.isUrgent ? try await reader.mayBeUrgent(at: now) : false
        let (body, lifetime) = try await checked(post, photo: photo, isUrgent: isUrgent, at: now)
        let id = try await publish(
            .post, body: body.body, lifetime: lifetime ?? PostRules.postLifetime, at: now)
        return try await reader.info(of: id, at: now)
    }

    /// - Returns: also how many seconds it lasts, if its author chose that.
    func checked(
        _ post: NewPost, photo: BodyPhoto?, isUrgent: Bool, written: WallTime? = nil, at now: WallTime
    ) async throws(RequestError) -> (body: PostBody, lifetime: UInt32?) {
        let rules = try await rules(at: now)
        var faults = PostRules.Faults()
        let text = rules.text(post.text, &faults)
        let placeName = rules.placeName(post.placeName, &faults)
        let photo = rules.photo(photo, alt: post.alt, &faults)
        let lifetime = post.lifetime.map { rules.lifetime($0, &faults) }
        let place = rules.place(try await reader.orHere(post.at), blur: post.blur, &faults)
        let unlock = rules.unlock(post.unlockMetres, &faults)
        try faults.check()
        guard let place else { preconditionFailure("a post without a place is at fault") }
        let body = PostBody(
            name: try await reader.authorName(), place: place, text: text, placeName: placeName,
            isUrgent: isUrgent, photo: photo, atPlace: post.atPlace, unlockMetres: unlock, written: written)
        return (body, lifetime)
    }

    func comment(on target: ItemReference, _ text: String, at now: WallTime) async throws(RequestError) -> ItemInfo {
        let rules = try await rules(at: now)
        var faults = PostRules.Faults()
        let text = rules.text(text, &faults)
        try faults.check()
        let item = try await reader.find(target, at: now)
        guard item.kind != .comment else {
            throw .commentOnComment
        }
        try PostRules.mustBeThere(item)
        try await mustBeReadable(item)
        let body = CommentBody(name: try await reader.authorName(), text: text)
        let id = try await publish(
            .comment, topic: item.id.hash.bytes, body: body.body, lifetime: lifetime(about: item, at: now), at: now)
        return try await reader.info(of: id, at: now)
    }

    /// Sets or removes a like or an attendance. If nothing changes, nothing is written.
    func react(
        _ kind: RecordKind, to target: ItemReference, _ holds: Bool, at now: WallTime
    ) async throws(RequestError) -> ItemInfo {
        let item = try await reader.find(target, at: now)
        if kind == .attendance, item.kind != .event {
            throw .attendNoEvent(kind: item.infoKind)
        }
        // Checked even if nothing changes, so that the person gets the error.
        if holds { try PostRules.mustBeThere(item) }
        let isSo = kind == .like ? item.isLikedByOwner : item.isAttendedByOwner
        if isSo != holds {
            if holds { try await mustBeReadable(item) }
            try await publish(
                kind, topic: item.id.hash.bytes, body: Statement(holds: holds).body,
                lifetime: lifetime(about: item, at: now), at: now)
        }
        return try await reader.info(of: item.id, at: now)
    }

    func delete(_ target: ItemReference, at now: WallTime) async throws(RequestError) -> ItemInfo {
        let item = try await reader.find(target, at: now)
        let isOnMine: Bool
        if item.kind == .comment, let parent = item.parent {
            isOnMine =
                try await stored { () throws(StoreError) in try await archive.store.items.item(parent, at: now) }?
                .author
                == me
        } else {
            isOnMine = false
        }
        guard item.author == me || isOnMine else {
            throw .notTheAuthor(kind: item.infoKind, act: .delete)
        }
        // It is already deleted by somebody who may: another deletion would change nothing.
        let isSaid = item.state == .deletedByAuthor || (item.state == .deletedByParentAuthor && item.author != me)
        guard !isSaid else { return try await reader.info(of: item.id, at: now) }
        try await publish(
            .deletion, topic: item.id.hash.bytes, body: [], lifetime: PostRules.seconds(until: item.expires, from: now),
            at: now)
        try await deleteFiles(of: item.id, at: now)
        return try await reader.info(of: item.id, at: now)
    }

    func edit(_ change: EditItem, photo: BodyPhoto?, at now: WallTime) async throws(RequestError) -> ItemInfo {
        let item = try await reader.findMine(change.item, at: now)
        let rules = try await rules(at: now)
        var faults = PostRules.Faults()
        // An edit without anything is at fault like one with an empty text.
        let changesPhoto = change.photo != nil || change.alt != nil
        let said = change.text ?? (changesPhoto ? item.text : "")
        let isNamed = item.kind == .event || item.kind == .place
        let text = isNamed ? rules.eventText(said, &faults) : rules.text(said, &faults)
        if item.kind == .comment, changesPhoto { faults.add(.photoOfComment) }
        let kept = change.photo == nil ? try await self.photo(of: item, at: now) : nil
        let photo = rules.photo(photo, else: kept, alt: change.alt, &faults)
        try faults.check()
        let body: [UInt8]
        switch item.kind {
        case .post:
            guard let place = item.place else {
                throw .placeLost
            }
            body =
                PostBody(
                    name: try await reader.authorName(), place: place, text: text, placeName: item.placeName,
                    photo: photo, atPlace: item.atPlace, unlockMetres: item.unlockMetres, written: item.written
                ).body
        case .comment: body = CommentBody(name: try await reader.authorName(), text: text).body
        case .place:
            return try await editPlace(
                item, PlaceDraft(text: text, alt: change.alt), photo: photo, removesPhoto: change.photo == .remove,
                at: now)
        default:
            return try await editEvent(
                item, EventDraft(text: text), photo: photo, removesPhoto: change.photo == .remove, at: now)
        }
        let edited = try await edit(item, body, lifetime: PostRules.seconds(until: item.expires, from: now), at: now)
        if change.photo != nil { try await deleteFiles(of: item.id, at: now) }
        return edited
    }

    /// A file of an item that this persona wrote.
    func attach(
        _ file: ManifestBody, to item: ItemInfo, at now: WallTime
    ) async throws(RequestError) -> RecordID {
        try await publish(
            .manifest, topic: item.id.hash.bytes, body: file.body,
            lifetime: PostRules.seconds(until: item.expires, from: now), at: now)
    }

    /// Deletes this persona's files of an item: the originals of photos that it has no more.
    func deleteFiles(of item: RecordID, at now: WallTime) async throws(RequestError) {
        let files = try await stored { () throws(StoreError) in
            try await archive.store.manifests.files(of: item, by: me, at: now)
        }
        for file in files { try await delete(file: file.id, at: now) }
    }

    /// The photo that an edit keeps.
    func photo(of item: StoredItem, at now: WallTime) async throws(RequestError) -> BodyPhoto? {
        guard item.photo != nil else { return nil }
        return try await stored { () throws(StoreError) in
            try await archive.store.photos.photo(of: item.id, at: now)
        }?.photo
    }

    func edit(
        _ item: StoredItem, _ body: [UInt8], lifetime: UInt32, at now: WallTime
    ) async throws(RequestError) -> ItemInfo {
        try await publish(.edit, topic: item.id.hash.bytes, body: body, lifetime: lifetime, at: now)
        return try await reader.info(of: item.id, at: now)
    }

    func follow(_ peer: PeerReference, _ holds: Bool, at now: WallTime) async throws(RequestError) -> PersonInfo {
        let person = try await reader.find(peer, at: now)
        guard person.peer != me else { throw .followSelf }
        if person.isFollowedByOwner != holds {
            try await publish(
                .follow, topic: person.peer.key.bytes, body: Statement(holds: holds).body, lifetime: PostRules.year,
                at: now)
        }
        return try await reader.info(ofPerson: person.peer, at: now)
    }

    /// Follows those of these people who were seen since then and are not followed yet.
    func follow(
        _ met: [KnownPerson], since: WallTime, at now: WallTime
    ) async throws(RequestError) -> [PersonInfo] {
        let seen = met.filter { person in
            person.id != me && person.blocked == nil && person.ignored == nil
                && person.lastSeen.map { $0 >= since } ?? false
        }.sorted { ($0.lastSeen?.milliseconds ?? 0, $0.id) > ($1.lastSeen?.milliseconds ?? 0, $1.id) }
        var people: [PersonInfo] = []
        for person in seen where people.count < FollowMet.peopleMax {
            let reference = PeerReference(person.id)
            guard try await !reader.find(reference, at: now).isFollowedByOwner else { continue }
            people.append(try await follow(reference, true, at: now))
        }
        return people
    }

    func setProfile(
        _ change: ProfileChange, photo: BodyPhoto?, at now: WallTime
    ) async throws(RequestError) -> PersonInfo {
        let old = try await stored { () throws(StoreError) in try await archive.store.people.person(me, at: now) }
        let rules = try await rules(at: now)
        var faults = PostRules.Faults()
        let about = rules.about(change.about ?? old.about, &faults)
        var kept: BodyPhoto?
        if change.photo != .remove, photo == nil, old.photo != nil {
            kept = try await stored { () throws(StoreError) in try await archive.store.photos.photo(of: me) }?.photo
        }
        let photo = rules.photo(photo, else: kept, alt: change.alt, &faults)
        try faults.check()
        if change.name != nil { archive.reader.author.choose(nil) }
        let name = if let name = change.name { name } else { try await reader.authorName() }
        let body = ProfileBody(name: name, about: about, colour: change.colour ?? old.colour, photo: photo)
        try await publish(.profile, body: body.body, lifetime: PostRules.year, at: now)
        return try await reader.info(ofPerson: me, at: now)
    }

    func setHere(_ coordinate: Coordinate?) async throws(RequestError) -> Coordinate? {
        let (store, setting) = (archive.store, reader.placeSetting)
        try await stored { () throws(StoreError) in
            try await store.set(setting.key, coordinate.map(PlaceSetting.text))
        }
        return try await reader.here()
    }

    /// Records about an item live as long as the item. An event may be postponed and a place edited, so
    /// records about them live at least a month.
    private func lifetime(about item: StoredItem, at now: WallTime) -> UInt32 {
        let left = PostRules.seconds(until: item.expires, from: now)
        return item.kind == .event || item.kind == .place
            ? max(left, UInt32(PostLimit.postLifetime.components.seconds)) : left
    }

    /// Renews records that should stay valid.
    func renew(at now: WallTime) async throws(RequestError) {
        try await renewCard(at: now)
        let limit = WallTime(milliseconds: now.milliseconds - Self.renewAfter)
        let old = try await stored { () throws(StoreError) in
            try await archive.store.people.ownReplaceable(olderThan: limit, limit: Self.renewedMax)
        }
        for record in old.map(\.record) {
            try await publish(
                record.kind, topic: record.topic, body: record.body, lifetime: record.lifetimeSeconds, at: now)
        }
    }

    private func mustBeReadable(_ item: StoredItem) async throws(RequestError) {
        guard try await reader.viewer().state(of: item) != .tooFar else {
            throw .tooFar
        }
    }
}
