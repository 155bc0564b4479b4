import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

// Who gets which key: invitations, removals, and keys that arrive by private message.
extension RoomDesk {
    /// Largest step from the number of a key to that of the next: a typed key comes without its number.
    private static let numberStepMax: UInt64 = 1_000
    private static let errandsMax = 1_024

    struct Offer: Sendable {
        let offer: StoredRoomOffer
        let text: RoomKeyText
    }

    // MARK: What a person asks

    func key(of room: RoomName) async throws(RequestError) -> String {
        guard let key = ring.key(try await current(room)) else { throw .keyMissing(room: room) }
        return key.text()
    }

    /// Members of the room and people who may enter it.
    func members(of room: RoomName) async throws(RequestError) -> [StoredRoomMember] {
        let key = try await current(room)
        return try await asked { () throws(StoreError) in try await store.rooms.members(under: key.seq) }
            .filter { $0.state == .here || $0.state == .invited }
    }

    func invite(
        _ peer: PeerID, _ theirs: PeerName?, to room: RoomName, at now: WallTime
    ) async throws(RequestError) {
        guard peer != me else { throw .inviteSelf(room: room) }
        let key = try await current(room)
        let known = try await asked { () throws(StoreError) in try await store.rooms.members(under: key.seq) }
        guard known.count < RoomKeyText.membersMax || known.contains(where: { $0.peer == peer }) else {
            throw .roomFull(room: room, max: RoomKeyText.membersMax)
        }
        let expires = WallTime(milliseconds: now.milliseconds + PrivateMail.lifetime)
        try await asked { () throws(StoreError) in
            try await store.rooms.invite(peer, name: theirs?.text, under: key.seq, expires: expires)
        }
        try await tell(RoomMemberText(.invited, peer, theirs ?? Self.name(of: peer)), in: room, at: now)
        _ = try await asked { () throws(StoreError) in try await sendKeys(at: now) }
    }

    private static func name(of peer: PeerID) -> PeerName {
        do {
            return try PeerName(peer.short)
        } catch {
            preconditionFailure("a short id is a name")
        }
    }

    func remove(_ peer: PeerID, from room: RoomName, at now: WallTime) async throws(RequestError) {
        guard peer != me else {
            throw .removeSelf(room: room)
        }
        let members = try await members(of: room)
        guard members.contains(where: { $0.peer == peer }) else {
            throw .notAMember(room: room)
        }
        let key = try await current(room)
        try await asked { () throws(StoreError) in
            try await renew(key, members, without: [peer], at: now)
            _ = try await sendKeys(at: now)
        }
    }

    private func current(_ room: RoomName) async throws(RequestError) -> StoredRoomKey {
        let held = try await asked { () throws(StoreError) in try await store.rooms.keys(of: room).first }
        if let held { return held }
        let isPrivate = try await asked { () throws(StoreError) in try await store.rooms.names() }.contains(room)
        if isPrivate { throw .keyMissing(room: room) }
        throw .notPrivate(room: room)
    }

    /// Makes a new key for all but some members.
    private func renew(
        _ key: StoredRoomKey, _ members: [StoredRoomMember], without removed: [PeerID], at now: WallTime
    ) async throws(StoreError) {
        let next = RoomKey.random()
        let rest = members.filter { !removed.contains($0.peer) && ($0.state == .here || $0.state == .invited) }
        let new = NewRoomKey(
            room: key.room, root: key.root, id: next.id, number: min(key.number + 1, RoomKeyText.numberMax),
            parent: key.id, sealed: safe.sealed(next), maker: me,
            members: rest.map { RoomKeyText.Member($0.peer, $0.state == .invited ? .invited : .here) },
            removed: removed)
        _ = try await store.rooms.hold(
            new, at: now, roomsMax: Self.roomsMax, keysMax: Self.keysMax, telling: rest.map(\.peer).filter { $0 != me },
            expires: WallTime(milliseconds: now.milliseconds + PrivateMail.lifetime))
    }

    // MARK: What came by private message

    /// The stored form of a message that brought a key.
    func offer(_ text: RoomKeyText) -> NewRoomOffer {
        let id = RoomKey(exported: text.secret).id
        return NewRoomOffer(
            room: text.room, id: id, purpose: text.purpose, sealed: safe.sealed(text.body, of: id))
    }

    func offers(of room: RoomName) async throws(RequestError) -> [Offer] {
        try await asked { () throws(StoreError) in try await store.rooms.offers() }
            .filter { $0.room == room }.compactMap(opened)
    }

    private func opened(_ offer: StoredRoomOffer) -> Offer? {
        do {
            return Offer(
                offer: offer, text: try RoomKeyText(decoding: try safe.text(of: offer.id, sealed: offer.sealed)))
        } catch {
            return nil  // From an identity that this person had before.
        }
    }

    /// Takes keys that follow the held ones, and finds new invitations.
    ///
    /// - Parameter unheard: peers whose invitations are not reported.
    func judge(at now: WallTime, unheard: Set<PeerID>) async throws(StoreError) -> [RoomNews] {
        var news: [RoomNews] = []
        var isMoving = true
        while isMoving {
            isMoving = false
            for offer in try await store.rooms.offers().compactMap(opened) {
                let held = try await store.rooms.keys(of: offer.text.room)
                switch try await verdict(on: offer, held) {
                case .drop: try await store.rooms.drop(offers: [offer.offer.number])
                case .wait: continue
                case .tell:
                    try await store.rooms.noteReported(offers: [offer.offer.number])
                    let author = offer.offer.author
                    if !unheard.contains(author) { news.append(.invitation(offer.text.room, by: author)) }
                case .take:
                    try await take(offer, held, at: now)
                    news.append(.removed(offer.text.room, offer.text.removed, by: offer.offer.author))
                    isMoving = true
                }
            }
        }
        return news
    }

    /// Invitations that were reported before and are still open.
    func pending(unheard: Set<PeerID>) async throws(StoreError) -> [RoomNews] {
        try await store.rooms.offers().filter { $0.purpose == .invitation && $0.isTold && !unheard.contains($0.author) }
            .map { .invitation($0.room, by: $0.author) }
    }

    private enum Verdict {
        case drop, wait, tell, take
    }

    private func verdict(on offer: Offer, _ held: [StoredRoomKey]) async throws(StoreError) -> Verdict {
        let (author, text) = (offer.offer.author, offer.text)
        if held.contains(where: { $0.id == offer.offer.id }) { return .drop }
        if let current = held.first {
            // Offers of removed people are dropped.
            let known = try await store.rooms.members(under: current.seq)
            if known.contains(where: { $0.peer == author && $0.state == .removed }) { return .drop }
        }
        guard text.purpose == .renewal else {
            if !Self.isNewer(text, than: held) { return .drop }
            return offer.offer.isTold ? .wait : .tell
        }
        guard let parent = held.first(where: { $0.id == text.parent }) else { return .wait }
        guard text.number > parent.number, text.number - parent.number <= Self.numberStepMax else { return .drop }
        let members = try await store.rooms.members(under: parent.seq)
        guard members.contains(where: { $0.peer == author && ($0.state == .here || $0.state == .invited) }) else {
            return .drop
        }
        for key in Self.descendants(of: parent, held) {
            let known = try await store.rooms.members(under: key.seq)
            if known.contains(where: { $0.peer == author && $0.state == .removed }) { return .drop }
        }
        return .take
    }

    private static func descendants(of key: StoredRoomKey, _ held: [StoredRoomKey]) -> [StoredRoomKey] {
        var ids: Set<Bytes32> = [key.id]
        var found: [StoredRoomKey] = []
        for next in held.sorted(by: { $0.number < $1.number }) {
            guard let parent = next.parent, ids.contains(parent) else { continue }
            ids.insert(next.id)
            found.append(next)
        }
        return found
    }

    /// If my own removal loses against a simultaneous one, it is repeated on top of that.
    private func take(_ offer: Offer, _ held: [StoredRoomKey], at now: WallTime) async throws(StoreError) {
        let text = offer.text
        let key = RoomKey(exported: text.secret)
        let new = NewRoomKey(
            room: text.room, root: text.root, id: key.id, number: text.number, parent: text.parent,
            sealed: safe.sealed(key), maker: offer.offer.author, members: text.members, removed: text.removed)
        _ = try await store.rooms.hold(new, at: now, roomsMax: Self.roomsMax, keysMax: Self.keysMax)
        try await store.rooms.drop(offers: [offer.offer.number])
        guard let before = held.first, before.maker == me,
            let current = try await store.rooms.keys(of: text.room).first, current.id == key.id,
            current.parent != before.id
        else { return }
        let members = try await store.rooms.members(under: current.seq)
        let removed = try await store.rooms.members(under: before.seq).filter { $0.state == .removed }.map(\.peer)
        let back = members.filter { removed.contains($0.peer) && ($0.state == .here || $0.state == .invited) }
        if !back.isEmpty { try await renew(current, members, without: back.map(\.peer), at: now) }
    }

    // MARK: Going out

    /// Seals room keys for members whose prekeys are here.
    ///
    /// - Returns: whether anything was written.
    func sendKeys(at now: WallTime) async throws(StoreError) -> Bool {
        var hasWritten = false
        var dice = SeededGenerator(seed: SecureRandom.word())
        for errand in try await store.rooms.errands(at: now, limit: Self.errandsMax) {
            guard let key = ring.key(errand.key),
                let prekeys = try await store.prekeys.published(by: errand.peer, at: now)?.body
            else { continue }
            let used = try await store.prekeys.used(with: errand.peer)
            let prekey =
                prekeys.oneTime.filter { !used.contains($0.id) }.randomElement(using: &dice) ?? prekeys.rotating
            let members = try await store.rooms.members(under: errand.key.seq)
            let text = Self.text(errand, key, members)
            do {
                let body = try MessageSeal.seal(text.bytes, from: me, to: errand.peer, prekey)
                let outcome = try await store.rooms.send(
                    errand: errand.number, prekey: prekey.id, at: now, signing(body.body))
                hasWritten = hasWritten || outcome == .added
            } catch let error as StoreError {
                throw error
            } catch {
                continue  // Their published key is invalid.
            }
        }
        return hasWritten
    }

    private static func text(
        _ errand: StoredRoomErrand, _ key: RoomKey, _ members: [StoredRoomMember]
    ) -> SealedText {
        let inside = members.filter { $0.state == .here || $0.state == .invited }
        let removed = members.filter { $0.state == .removed }.prefix(RoomKeyText.removedMax)
        return .roomKey(
            RoomKeyText(
                errand.purpose, room: errand.key.room, root: errand.key.root, parent: errand.key.parent ?? .zero,
                number: errand.key.number, secret: key.exported(),
                members: inside.map { RoomKeyText.Member($0.peer, $0.state == .invited ? .invited : .here) },
                removed: removed.map(\.peer)))
    }
}
