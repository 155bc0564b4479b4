package import LatticeAPI
package import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Synchronization

/// Private rooms: entering, writing, leaving; their members, and who gets the next key.
///
/// All its state is in the store, so that any later process of this person can continue. It runs outside any actor, as
/// deriving a typed key is slow.
package struct RoomDesk: Sendable {
    static let roomsMax = 64
    static let keysMax = 64
    /// A key does not change more often than this while one line is sealed.
    static let triesMax = 8

    let store: Store
    let identity: Identity
    let safe: RoomKeySafe
    let ring: KeyRing
    let fresh: FreshMessages

    init(store: Store, identity: Identity, fresh: FreshMessages) {
        self.fresh = fresh
        self.store = store
        self.identity = identity
        safe = RoomKeySafe(identity)
        ring = KeyRing(safe)
    }

    var me: PeerID { identity.peer }

    // MARK: Coming and going

    /// - Parameter typed: `nil` uses a held key or an invitation.
    /// - Returns: `true` if this person just entered, `false` if they were in already; `nil` if there is no such room.
    package func enter(
        _ room: RoomName, _ typed: TypedKey?, as name: PeerName, at now: WallTime, unheard: Set<PeerID> = []
    ) async throws(RequestError) -> Bool? {
        guard let typed else { return try await enterInvited(room, as: name, at: now, unheard) }
        try Self.check(room)
        let key: RoomKey
        do {
            key = try RoomKey(typed: SecretBytes(copying: typed.bytes), room: room)
        } catch {
            throw .badKey(fault: .init(error))
        }
        return try await hold(key, of: room, isTyped: true, as: name, at: now)
    }

    func create(_ room: RoomName, as name: PeerName, at now: WallTime) async throws(RequestError) {
        try Self.check(room)
        guard try await asked({ () throws(StoreError) in try await store.rooms.keys(of: room) }).isEmpty else {
            throw .privateRoomExists(room: room)
        }
        _ = try await hold(.random(), of: room, isTyped: false, as: name, at: now)
    }

    /// Everybody starts in #lobby, so nobody should take it for a private room.
    private static func check(_ room: RoomName) throws(RequestError) {
        guard room.text != "#lobby" else {
            throw .lobbyIsPublic
        }
    }

    private func hold(
        _ key: RoomKey, of room: RoomName, isTyped: Bool, as name: PeerName, at now: WallTime
    ) async throws(RequestError) -> Bool {
        let held = try await asked { () throws(StoreError) in try await store.rooms.keys(of: room) }
        if held.contains(where: { $0.id == key.id }) { return false }
        guard held.isEmpty else {
            // It may be the newer key that an invitation brought meanwhile.
            let isSent = try await offers(of: room).contains {
                $0.offer.id == key.id && Self.isNewer($0.text, than: held)
            }
            if isSent, let hasEntered = try await enterInvited(room, as: name, at: now, []) { return hasEntered }
            throw .otherKey(room: room)
        }
        try await keep(
            NewRoomKey(
                room: room, root: key.id, id: key.id, isTyped: isTyped, sealed: safe.sealed(key),
                maker: isTyped ? nil : me,
                members: [RoomKeyText.Member(me, .here)]), at: now)
        try await arrive(in: room, as: name, at: now)
        return true
    }

    private func keep(_ key: NewRoomKey, at now: WallTime) async throws(RequestError) {
        let outcome = try await asked { () throws(StoreError) in
            try await store.rooms.hold(key, at: now, roomsMax: Self.roomsMax, keysMax: Self.keysMax)
        }
        guard outcome != .tooMany else {
            throw .tooManyPrivateRooms(max: Self.roomsMax)
        }
    }

    /// Opens records stored earlier, then announces the arrival.
    private func arrive(in room: RoomName, as name: PeerName, at now: WallTime) async throws(RequestError) {
        try await asked { () throws(StoreError) in
            while try await openNext(of: room, at: now, isPast: true).hasMore {}
        }
        try await tell(RoomMemberText(.here, me, name), in: room, at: now)
    }

    private func enterInvited(
        _ room: RoomName, as name: PeerName, at now: WallTime, _ unheard: Set<PeerID>
    ) async throws(RequestError) -> Bool? {
        let isPrivate = try await asked { () throws(StoreError) in try await store.rooms.names() }.contains(room)
        let held = try await asked { () throws(StoreError) in try await store.rooms.keys(of: room) }
        let offers = try await offers(of: room).filter { !unheard.contains($0.offer.author) }
        let wanted = offers.filter { offer in
            held.isEmpty ? offer.offer.purpose == .invitation : Self.isNewer(offer.text, than: held)
        }
        guard let best = wanted.max(by: { $0.text.number < $1.text.number }) else {
            guard isPrivate else { return nil }
            guard !held.isEmpty else { throw .keyMissing(room: room) }
            return false
        }
        guard Set(wanted.map(\.text.root)).count == 1 else {
            throw .severalRooms(room: room)
        }
        let key = RoomKey(exported: best.text.secret)
        var members = best.text.members.filter { $0.peer != me }
        if members.count < RoomKeyText.membersMax { members.append(RoomKeyText.Member(me, .here)) }
        try await keep(
            NewRoomKey(
                room: room, root: best.text.root, id: key.id, number: best.text.number,
                parent: best.text.number == 0 ? nil : best.text.parent, sealed: safe.sealed(key), members: members,
                removed: best.text.removed.filter { $0 != me }), at: now)
        try await asked { () throws(StoreError) in
            try await store.rooms.drop(offers: wanted.map(\.offer.number))
            _ = try await judge(at: now, unheard: unheard)
        }
        try await arrive(in: room, as: name, at: now)
        return true
    }

    /// In the same room, and newer than the held keys.
    static func isNewer(_ text: RoomKeyText, than held: [StoredRoomKey]) -> Bool {
        guard let current = held.first else { return true }
        let isRelated = text.root == current.root || held.contains { $0.id == text.parent }
        return isRelated && text.number > current.number
    }

    /// Announces the departure if possible, then deletes the room's data here and offers for that name.
    func forget(_ room: RoomName, as name: PeerName, at now: WallTime) async throws(RequestError) {
        do {
            try await tell(RoomMemberText(.left, me, name), in: room, at: now)
        } catch {
            // Without a key nothing can be sent, and that must not keep anybody from leaving.
        }
        ring.forget(try await asked { () throws(StoreError) in try await store.rooms.keys(of: room) }.map(\.id))
        try await asked { () throws(StoreError) in try await store.rooms.forget(room) }
    }

    // MARK: Speaking

    /// Stores lines and their sealed records.
    ///
    /// - Returns: `nil` for a line that was not stored.
    func say(
        _ speech: [SpokenText], in room: RoomName, as name: PeerName, at now: WallTime
    ) async throws(RequestError) -> [Message?] {
        let lines = speech.map { $0.line(by: name) }
        let stored = try await seal(lines.map { (.line($0), $0) }, in: room, at: now)
        let answered = try await asked { () throws(StoreError) in
            try await self.answered(by: stored.compactMap(\.self), in: room)
        }
        return stored.map { $0.map { Message($0, me: me).answering { answered[$0] } } }
    }

    func tell(_ member: RoomMemberText, in room: RoomName, at now: WallTime) async throws(RequestError) {
        _ = try await seal([(.member(member), nil)], in: room, at: now)
    }

    private func seal(
        _ texts: [(SealedText, ChatLine?)], in room: RoomName, at now: WallTime
    ) async throws(RequestError) -> [StoredRoomLine?] {
        for _ in 0..<Self.triesMax {
            let held = try await asked { () throws(StoreError) in try await store.rooms.keys(of: room).first }
            guard let held, let key = ring.key(held) else { throw .keyMissing(room: room) }
            let drafts: [RoomDraft] = texts.map { text, line in
                (line, signing(key.seal(text.bytes, from: me).body))
            }
            let said = try await asked { () throws(StoreError) in
                try await store.rooms.say(drafts, under: held, at: now)
            }
            if let said { return said }
        }
        throw .keyChanges(room: room)
    }

    func signing(_ body: [UInt8]) -> @Sendable (HybridTime) -> VerifiedRecord {
        fresh.signing(.sealed, body, by: identity)
    }

    func asked<Value: Sendable>(_ work: () async throws(StoreError) -> Value) async throws(RequestError) -> Value {
        do {
            return try await work()
        } catch {
            throw RequestError(error)
        }
    }
}

extension RequestError.KeyFault {
    fileprivate init(_ error: RoomKeyError) {
        self =
            switch error {
            case .tooShort(let bytes): .tooShort(bytes: bytes, min: RoomKeyError.typedBytesMin)
            case .tooLong(let bytes): .tooLong(bytes: bytes, max: RoomKeyError.typedBytesMax)
            case .noMemory: .noMemory
            }
    }
}

extension Message {
    init(_ line: StoredRoomLine, me: PeerID) {
        self.init(
            record: line.record, room: line.room, from: line.author, name: Self.name(line.name, line.author),
            text: line.text, style: line.isAction ? .acts : .says, at: line.date, hops: line.author == me ? 0 : nil,
            isLate: line.isLate, isPrivate: true, isNotice: line.isNotice,
            reply: line.replyTo.map { LineReference($0) })
        isEdited = line.isEdited && !line.isDeleted
        isDeleted = line.isDeleted
        file = line.file
        reactions = line.reactions.compactMap(LineReaction.init)
    }

    private static func name(_ text: String, _ author: PeerID) -> PeerName {
        for candidate in [text, author.short] {
            do {
                return try PeerName(candidate)
            } catch {
                continue  // The name was valid when it was stored; the rules have changed.
            }
        }
        preconditionFailure("a short id is a name")
    }
}

/// Opened keys, so that each is opened only once.
final class KeyRing: Sendable {
    private let safe: RoomKeySafe
    private let keys = Mutex<[Bytes32: RoomKey]>([:])
    private static let keysMax = RoomDesk.roomsMax * RoomDesk.keysMax

    init(_ safe: RoomKeySafe) {
        self.safe = safe
    }

    /// - Returns: `nil` if another identity sealed it.
    func key(_ stored: StoredRoomKey) -> RoomKey? {
        if let known = keys.withLock({ $0[stored.id] }) { return known }
        do {
            let key = try safe.key(stored.id, sealed: stored.sealed)
            keys.withLock { keys in
                if keys.count >= Self.keysMax { keys = [:] }
                keys[stored.id] = key
            }
            return key
        } catch {
            return nil
        }
    }

    func forget(_ ids: [Bytes32]) {
        keys.withLock { keys in
            for id in ids { keys[id] = nil }
        }
    }
}
