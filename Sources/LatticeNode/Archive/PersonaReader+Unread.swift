import LatticeAPI
import LatticeCore
import LatticeStore

// How far a persona has read.
extension PersonaReader {
    /// - Parameters:
    ///   - name: a line that contains it is a mention.
    ///   - unheard: people whose lines are not shown.
    func unread(
        _ conversations: [ConversationName], _ privacy: RoomPrivacy, name: PeerName, unheard: Set<PeerID>,
        at now: WallTime
    ) async throws(RequestError) -> [UnreadCount] {
        let asked = conversations.compactMap { one in one.known(privacy).map { (one, $0) } }
        let found = try await stored { () throws(StoreError) in
            try await store.reading.unread(asked.map { $0.1 }, except: unheard, at: now)
        }
        return zip(asked, found).map { asked, lines in
            UnreadCount(
                asked.0, lines: lines.texts.count, mentions: lines.texts.count { Mention.isIn($0, of: name) },
                isMore: lines.hasMore)
        }
    }

    /// People with unread private messages, the newest first.
    func unreadPeers() async throws(RequestError) -> [ConversationName] {
        try await stored { () throws(StoreError) in try await store.reading.unreadPeers() }
            .map { .peer(PeerReference($0)) }
    }

    /// - Returns: whether the position moved.
    func markRead(
        _ conversation: ConversationName, _ privacy: RoomPrivacy, upTo line: RecordID?
    ) async throws(RequestError) -> Bool {
        guard let known = conversation.known(privacy) else { return false }
        return try await stored { () throws(StoreError) in
            try await store.reading.mark(known, upTo: line)
        }
    }
}

extension ConversationName {
    /// - Returns: `nil` for a person who was not resolved.
    func known(_ privacy: RoomPrivacy) -> StoredConversation? {
        switch self {
        case .room(let room): privacy.isPrivate(room) ? .privateRoom(room) : .publicRoom(room)
        case .peer(let reference): reference.id.map(StoredConversation.peer)
        }
    }
}
