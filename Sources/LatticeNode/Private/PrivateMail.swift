import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

/// Private messages between this person and one other: stored, sealed, opened, confirmed.
///
/// All its state is in the store, so that any later process of this person can continue. It runs outside any actor, as key
/// agreements are slow.
struct PrivateMail: Sendable {
    /// Lifetime of messages and prekeys, in seconds.
    static let lifetimeSeconds: UInt32 = 30 * 86_400
    static let lifetime = Int64(lifetimeSeconds) * 1_000
    /// Lines waiting for keys; more are refused.
    static let unsealedMax = 1_000
    static let historyRange = 1...10_000
    static let conversationsMax = 1_000
    private static let visitorsOneTimeMax = 4

    let store: Store
    let identity: Identity
    let keys: MessageKeys
    let rooms: RoomDesk
    /// This process's number.
    let writer: Int64

    /// One-time keys to publish: few for one of many personas here.
    let oneTimeMax: Int

    /// - Parameters:
    ///   - isOwners: `false` for a visitor of the owner's node.
    ///   - fresh: shared by all personas of a node.
    init(store: Store, identity: Identity, isOwners: Bool = true, fresh: FreshMessages = FreshMessages()) {
        self.store = store
        self.identity = identity
        oneTimeMax = isOwners ? PrekeysBody.oneTimeMax : Self.visitorsOneTimeMax
        // Memory that is not swapped out is scarce.
        keys = MessageKeys(identity, isGuarded: isOwners)
        rooms = RoomDesk(store: store, identity: identity, fresh: fresh)
        writer = Int64(bitPattern: SecureRandom.word())
    }

    var me: PeerID { identity.peer }
    var fresh: FreshMessages { rooms.fresh }

    /// Stores a line, and seals it if possible.
    ///
    /// - Parameter name: the author's name.
    func tell(
        _ peer: PeerID, _ speech: SpokenText, as name: PeerName, at now: WallTime
    ) async throws(RequestError) -> PrivateMessage {
        let text = speech.text
        try checkMayTell(peer)
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw .invalid(faults: [.emptyMessage])
        }
        guard text.utf8.count <= ChatLine.textBytesMax else {
            throw .lineTooLong(bytes: text.utf8.count, max: ChatLine.textBytesMax)
        }
        do {
            let message = NewMessage(
                peer: peer, name: name, text: text, isAction: speech.style == .acts, isNotice: speech.isNotice,
                replyTo: try await answered(by: speech, to: peer), file: speech.sealedFile)
            let kept = try await store.messages.keep(
                message, at: now, expires: WallTime(milliseconds: now.milliseconds + Self.lifetime),
                unsealedMax: Self.unsealedMax, writer: writer)
            guard let kept else {
                throw RequestError.messagesFull(max: Self.unsealedMax)
            }
            _ = try await sealWaiting(at: now)
            return try await shown([try await store.messages.one(kept.number) ?? kept])[0]
        } catch let error as StoreError {
            throw RequestError(error)
        } catch let error as RequestError {
            throw error
        } catch {
            throw RequestError.other(code: .storeFailed, message: "\(error)")
        }
    }

    /// - Throws: `messageToSelf`, `blocked`.
    func checkMayTell(_ peer: PeerID) throws(RequestError) {
        guard peer != me else { throw .messageToSelf }
        try checkIsNotBlocked(peer, .message(peer: peer))
    }

    func history(with peer: PeerID, limit: Int) async throws(RequestError) -> [PrivateMessage] {
        guard Self.historyRange.contains(limit) else {
            throw .tooManyLines(max: Self.historyRange.upperBound)
        }
        try checkIsNotBlocked(peer, .messages(peer: peer))
        do {
            return try await shown(try await store.messages.lines(with: peer, limit: limit))
        } catch {
            throw RequestError(error)
        }
    }

    /// Conversations with blocked people are left out; they return when the block ends.
    func conversations() async throws(RequestError) -> [PrivateMessage] {
        let blocked = store.blockedAuthors
        do {
            let last = try await store.messages.conversations(limit: Self.conversationsMax + blocked.count)
            return try await shown(Array(last.filter { !blocked.contains($0.peer) }.prefix(Self.conversationsMax)))
        } catch {
            throw RequestError(error)
        }
    }

    private func checkIsNotBlocked(_ peer: PeerID, _ who: RequestError.Blocked) throws(RequestError) {
        guard store.blockedAuthors.contains(peer) else { return }
        throw .blocked(who: who)
    }

    func signing(_ kind: RecordKind, _ body: [UInt8]) -> @Sendable (HybridTime) -> VerifiedRecord {
        fresh.signing(kind, body, by: identity)
    }
}

extension PrivateMessage {
    /// - Parameter reply: what it answers, if that is here.
    init(_ message: StoredMessage, reply: LineReference? = nil) {
        self.init(
            number: message.number, peer: message.peer, peerName: Self.name(message.peerName), isMine: message.isMine,
            text: message.text, style: message.isAction ? .acts : .says, at: message.date, isLate: message.isLate,
            state: PrivateState(message.state), isSealed: message.record != nil, isNotice: message.isNotice,
            record: message.record, reply: message.isDeleted ? nil : reply ?? message.replyTo.map { LineReference($0) },
            isEdited: message.isEdited && !message.isDeleted, isDeleted: message.isDeleted,
            reactions: message.reactions.compactMap(LineReaction.init), file: message.file?.id,
            isFileDelivered: message.isFileDelivered)
    }

    private static func name(_ text: String?) -> PeerName? {
        guard let text else { return nil }
        do {
            return try PeerName(text)
        } catch {
            return nil  // The name was valid when it was stored; the rules have changed.
        }
    }
}

extension PrivateProgress {
    init(_ message: StoredMessage) {
        self.init(
            number: message.number, peer: message.peer, state: PrivateState(message.state),
            file: message.isFileDelivered ? message.file?.name.text : nil)
    }
}

extension PrivateState {
    init(_ state: StoredMessage.State) {
        self =
            switch state {
            case .waiting: .waiting
            case .relayed: .relayed
            case .delivered: .delivered
            case .lapsed: .lapsed
            }
    }
}
