package import LatticeCore

// The rooms and private conversations of a person, at a glance.

/// The joined rooms of this person, in the order in which they were joined, then private conversations, the newest first.
package struct ListRooms: Request {
    package static let name = "rooms"
    package static let replyName = "rooms"
    package static let traits: RequestTraits = [.repeatable]

    /// Private conversations in an answer; older ones are left out.
    package static let peersMax = 100

    package init() {}

    package struct Reply: Hashable, Codable, Sendable {
        package let conversations: [ConversationInfo]

        package init(_ conversations: [ConversationInfo]) { self.conversations = conversations }
    }
}

/// A conversation of a person. In JSON the fields of `unread` stand beside the others.
package struct ConversationInfo: Hashable, Sendable {
    /// Without a store nothing is unread. A muted room counts its lines, too.
    package let unread: UnreadCount
    /// The last known name of the partner of private messages; `nil` for a room.
    package let name: PeerName?
    /// Only the members of the room, or the two people, can read it.
    package let isPrivate: Bool
    package let isMuted: Bool
    /// People in the room now, including this person; `nil` for private messages.
    package let people: Int?
    /// Never a line of somebody whom this person ignores or blocks; `nil` if all of
    /// the last 256 lines are by such people or have expired.
    package let last: LastLine?

    package init(
        _ unread: UnreadCount, name: PeerName? = nil, isPrivate: Bool = false, isMuted: Bool = false,
        people: Int? = nil, last: LastLine? = nil
    ) {
        (self.unread, self.name, self.isPrivate, self.isMuted) = (unread, name, isPrivate, isMuted)
        (self.people, self.last) = (people, last)
    }

    package var conversation: ConversationName { unread.conversation }
}

extension ConversationInfo: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, isPrivate, isMuted, people, last
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try UnreadCount(from: decoder), name: try fields.decodeIfPresent(PeerName.self, forKey: .name),
            isPrivate: try fields.decodeIfPresent(Bool.self, forKey: .isPrivate) ?? false,
            isMuted: try fields.decodeIfPresent(Bool.self, forKey: .isMuted) ?? false,
            people: try fields.decodeIfPresent(Int.self, forKey: .people),
            last: try fields.decodeIfPresent(LastLine.self, forKey: .last))
    }

    package func encode(to encoder: any Encoder) throws {
        try unread.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(name, forKey: .name)
        if isPrivate { try fields.encode(true, forKey: .isPrivate) }
        if isMuted { try fields.encode(true, forKey: .isMuted) }
        try fields.encodeIfPresent(people, forKey: .people)
        try fields.encodeIfPresent(last, forKey: .last)
    }
}

/// The last line of a conversation.
package struct LastLine: Hashable, Sendable, Codable {
    /// Characters of the text.
    package static let charactersMax = 200

    /// `nil` for a private message that is not sealed yet.
    package let record: RecordID?
    package let from: PeerID
    /// `nil` if none is known.
    package let name: PeerName?
    /// The beginning of the text as it is now; empty if the line was deleted.
    package let text: String
    package let style: SpeechStyle
    package let at: WallTime
    /// Its author deleted it.
    @CodedFlag package private(set) var isDeleted: Bool

    package init(
        record: RecordID?, from: PeerID, name: PeerName?, text: String, style: SpeechStyle = .says, at: WallTime,
        isDeleted: Bool = false
    ) {
        self.isDeleted = isDeleted
        (self.record, self.from, self.name, self.style, self.at) = (record, from, name, style, at)
        let beginning = text.prefix(Self.charactersMax)
        self.text =
            isDeleted ? "" : beginning.endIndex == text.endIndex ? text : text.prefix(Self.charactersMax - 1) + "…"
    }

    package init(_ line: Message) {
        self.init(
            record: line.record, from: line.from, name: line.name, text: line.text, style: line.style, at: line.at,
            isDeleted: line.isDeleted)
    }

    /// - Parameter me: this person and their name.
    package init(_ message: PrivateMessage, me: (id: PeerID, name: PeerName)) {
        self.init(
            record: message.record, from: message.isMine ? me.id : message.peer,
            name: message.isMine ? me.name : message.peerName, text: message.text, style: message.style,
            at: message.at, isDeleted: message.isDeleted)
    }
}
