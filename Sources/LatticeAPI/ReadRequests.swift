package import LatticeCore

// How far a person has read.

/// A conversation of a person: a room, or the private messages with somebody. JSON has `room` or `peer`.
package enum ConversationName: Hashable, Sendable, Codable {
    case room(RoomName)
    case peer(PeerReference)

    private enum CodingKeys: String, CodingKey {
        case room
        case peer
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let room = try fields.decodeIfPresent(RoomName.self, forKey: .room)
        switch (room, try fields.decodeIfPresent(PeerReference.self, forKey: .peer)) {
        case (let room?, nil): self = .room(room)
        case (nil, let peer?): self = .peer(peer)
        case (nil, nil), (_?, _?):
            throw DecodingError.dataCorruptedError(
                forKey: .room, in: fields, debugDescription: "name either a room or a peer")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .room(let room): try fields.encode(room, forKey: .room)
        case .peer(let peer): try fields.encode(peer, forKey: .peer)
        }
    }
}

/// Moves this person's read position in a conversation forward, for all of their fronts. It never moves back.
///
/// A position is a place in the order of arrival: a line that arrives later is unread, however old it is.
package struct MarkRead: Request {
    package static let name = "markRead"
    package static let replyName = "unreadCount"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = UnreadCount

    package let conversation: ConversationName
    /// The line up to which everything that arrived is read; one that is not stored moves nothing. `nil` is everything that
    /// has arrived.
    package let upTo: RecordID?

    package init(_ conversation: ConversationName, upTo: RecordID? = nil) {
        (self.conversation, self.upTo) = (conversation, upTo)
    }

    private enum CodingKeys: String, CodingKey {
        case upTo
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try ConversationName(from: decoder), upTo: try fields.decodeIfPresent(RecordID.self, forKey: .upTo))
    }

    package func encode(to encoder: any Encoder) throws {
        try conversation.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(upTo, forKey: .upTo)
    }
}

/// What this person has not read: in the joined rooms that are not muted, and in private messages.
package struct ListUnread: Request {
    package static let name = "unread"
    package static let replyName = "unread"
    package static let traits: RequestTraits = [.repeatable]

    package init() {}

    package struct Reply: Hashable, Codable, Sendable {
        /// Only conversations in which something is unread: rooms in the order in which they were joined, then private
        /// messages, the newest first.
        package let conversations: [UnreadCount]

        package init(_ conversations: [UnreadCount]) { self.conversations = conversations }
    }
}

/// How much of a conversation a person has not read. Own lines, and those of people whom they ignore or block, do not count.
package struct UnreadCount: Hashable, Sendable, Codable {
    package static let linesMax = 1_000

    package let conversation: ConversationName
    /// At most `linesMax`.
    package let lines: Int
    /// Lines among these that contain the person's name.
    package let mentions: Int
    /// There may be more, which were not counted.
    package let isMore: Bool

    package init(_ conversation: ConversationName, lines: Int, mentions: Int, isMore: Bool) {
        (self.conversation, self.lines, self.mentions, self.isMore) = (conversation, lines, mentions, isMore)
    }

    private enum CodingKeys: String, CodingKey {
        case lines
        case mentions
        case isMore
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try ConversationName(from: decoder), lines: try fields.decode(Int.self, forKey: .lines),
            mentions: try fields.decode(Int.self, forKey: .mentions),
            isMore: try fields.decode(Bool.self, forKey: .isMore))
    }

    package func encode(to encoder: any Encoder) throws {
        try conversation.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(lines, forKey: .lines)
        try fields.encode(mentions, forKey: .mentions)
        try fields.encode(isMore, forKey: .isMore)
    }
}
