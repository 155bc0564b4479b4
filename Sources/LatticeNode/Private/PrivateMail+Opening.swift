import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

// Incoming messages: each record is tried once, however it arrived: by flood, by sync or before this process began.
extension PrivateMail {
    /// Records tried at a time: some 10 ms, after which others may use the store.
    private static let portion = 64

    struct Opened: Sendable {
        var lines: [StoredMessage] = []
        var delivered: [StoredMessage] = []
        /// Lines that the other changed, in the order in which that arrived.
        var changes: [PrivateMessageChange] = []
        /// Authors of messages to this person that can no longer be opened.
        var lost: [PeerID] = []
        var hasMore = false
    }

    func openNext(at now: WallTime) async throws(StoreError) -> Opened {
        let arrived = try await store.messages.toOpen(limit: Self.portion)
        guard let end = arrived.last?.seq else { return Opened() }
        var outcome = Opened(hasMore: arrived.count == Self.portion)
        var opened: [OpenedMessage] = []
        let blocked = store.blockedAuthors
        for message in arrived where !blocked.contains(message.record.author) {
            guard let (body, id) = recognised(message.record) else { continue }
            guard let key = try await store.prekeys.own(id),
                let content = content(of: message, body, key, isLate: !fresh.contains(message.id))
            else {
                outcome.lost.append(message.record.author)
                continue
            }
            let first = if case .again(let first, _, _) = content { first } else { message.id }
            let alias = Self.alias(of: first, by: message.record.author)
            opened.append(
                OpenedMessage(
                    message, prekey: id, content: try await meant(content, of: message.record.author, at: now),
                    alias: alias))
        }
        let news = try await store.messages.enter(opened, upTo: end, at: now, lifetime: Self.lifetime, writer: writer)
        outcome.lines = news.lines
        outcome.delivered = news.delivered
        for act in news.acts { outcome.changes.append(try await change(act)) }
        return outcome
    }

    /// The id under which a line is stored that was sealed again, derived from its first record.
    static func alias(of first: RecordID, by author: PeerID) -> RecordID {
        RecordID(Digest.blake2b256(Array("lattice letter again v1".utf8) + author.key.bytes + first.hash.bytes))
    }

    /// Adds the original ids: a receipt names lines that were sealed again by their alias.
    private func meant(
        _ content: OpenedMessage.Content, of author: PeerID, at now: WallTime
    ) async throws(StoreError) -> OpenedMessage.Content {
        guard case .receipt(let ids) = content else { return content }
        let sent = try await store.messages.sent(to: author, at: now, limit: Self.unsealedMax).compactMap(\.record)
        return .receipt(ids + sent.filter { ids.contains(Self.alias(of: $0, by: me)) })
    }

    /// Whether it is a private message to this person.
    func isFor(_ message: ArrivedMessage) -> Bool {
        message.record.author != me && recognised(message.record) != nil
    }

    /// - Returns: `nil` if it is for somebody else.
    private func recognised(_ record: Record) -> (body: SealedBody, prekey: UInt64)? {
        do {
            let body = try SealedBody(decoding: record.body)
            return keys.prekeyID(of: body, by: record.author).map { (body, $0) }
        } catch {
            return nil  // An earlier version stored it unread.
        }
    }

    /// - Returns: `nil` if it cannot be opened.
    private func content(
        of message: ArrivedMessage, _ body: SealedBody, _ key: StoredPrekey, isLate: Bool
    ) -> OpenedMessage.Content? {
        let author = message.record.author
        let text: [UInt8]
        do {
            text = try keys.open(body, by: author, with: KeptPrekey(prekey: key.prekey, sealed: key.sealed))
        } catch {
            return nil
        }
        do {
            switch try SealedText(decoding: text) {
            case .line(let line):
                guard let line = try Self.kept(line, of: author) else { return .unknown }
                return .line(line, isLate: isLate)
            case .again(let first, let line):
                guard let line = try Self.kept(line, of: author) else { return .unknown }
                return .again(first, line, isLate: isLate)
            case .receipt(let ids): return .receipt(ids)
            case .filesHere(let ids): return .filesHere(ids)
            case .roomKey(let key): return .roomKey(rooms.offer(key))
            case .act(let act): return act.isFit ? .act(act) : .unknown
            case .member, .pin, .unknown: return .unknown
            }
        } catch {
            return .unknown  // Its author sealed another format.
        }
    }

    private static func kept(_ line: ChatLine, of author: PeerID) throws(WireError) -> NewMessage? {
        guard !line.text.isEmpty else { return nil }
        return NewMessage(
            peer: author, name: line.name, text: line.text, isAction: line.style == .acts, isNotice: line.isNotice,
            replyTo: line.replyTo, file: try line.sealedFile())
    }
}
