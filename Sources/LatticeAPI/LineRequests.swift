package import LatticeCore

// What people do to lines of rooms and to private messages: look at one, react, edit, delete.

/// A line of a room, or a private message.
package enum SaidLine: Hashable, Sendable, Codable {
    case room(Message)
    case message(PrivateMessage)

    private enum CodingKeys: String, CodingKey {
        case peer
    }

    /// The file that it shares.
    package var file: RecordID? {
        switch self {
        case .room(let line): line.isDeleted ? nil : line.file
        case .message(let message): message.isDeleted ? nil : message.file
        }
    }

    /// `nil` for a private message.
    package var lineInRoom: Message? {
        if case .room(let line) = self { line } else { nil }
    }

    /// `nil` for a line of a room.
    package var privateMessage: PrivateMessage? {
        if case .message(let message) = self { message } else { nil }
    }

    package init(from decoder: any Decoder) throws {
        let isPrivate = try decoder.container(keyedBy: CodingKeys.self).contains(.peer)
        self = isPrivate ? .message(try PrivateMessage(from: decoder)) : .room(try Message(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .room(let line): try line.encode(to: encoder)
        case .message(let message): try message.encode(to: encoder)
        }
    }
}

// What both kinds of line have.
extension SaidLine {
    /// `nil` for a private message that is not sealed yet.
    package var record: RecordID? {
        switch self {
        case .room(let line): line.record
        case .message(let message): message.record
        }
    }

    package var text: String {
        switch self {
        case .room(let line): line.text
        case .message(let message): message.text
        }
    }

    package var style: SpeechStyle {
        switch self {
        case .room(let line): line.style
        case .message(let message): message.style
        }
    }

    /// The line that it answers.
    package var reply: LineReference? {
        switch self {
        case .room(let line): line.reply
        case .message(let message): message.reply
        }
    }

    package var isNotice: Bool {
        switch self {
        case .room(let line): line.isNotice
        case .message(let message): message.isNotice
        }
    }

    package var isDeleted: Bool {
        switch self {
        case .room(let line): line.isDeleted
        case .message(let message): message.isDeleted
        }
    }

    package var reactions: [LineReaction] {
        switch self {
        case .room(let line): line.reactions
        case .message(let message): message.reactions
        }
    }

    /// - Parameter me: the author of messages that are mine.
    package func author(_ me: PeerID) -> PeerID {
        switch self {
        case .room(let line): line.from
        case .message(let message): message.isMine ? me : message.peer
        }
    }
}

/// A line as it is now.
package struct ShowLine: Request {
    package static let name = "showLine"
    package static let replyName = "line"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = SaidLine

    package let line: RecordID

    package init(_ line: RecordID) { self.line = line }
}

/// Gives a line an emoji, or takes it back. Each emoji counts for itself.
package struct ReactToLine: Request {
    package static let name = "react"
    package static let replyName = "line"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = SaidLine

    package let line: RecordID
    /// One emoji, at most 32 bytes, or its name between colons: `:thumbs_up:`.
    package let emoji: String
    package let holds: Bool

    package init(_ line: RecordID, _ emoji: String, holds: Bool = true) {
        (self.line, self.emoji, self.holds) = (line, emoji, holds)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.decode(RecordID.self, forKey: .line), try fields.decode(String.self, forKey: .emoji),
            holds: try fields.decodeIfPresent(Bool.self, forKey: .holds) ?? true)
    }
}

/// Replaces the text of this person's own line.
package struct EditLine: Request {
    package static let name = "editLine"
    package static let replyName = "line"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = SaidLine

    package let line: RecordID
    package let text: String

    package init(_ line: RecordID, _ text: String) { (self.line, self.text) = (line, text) }
}

/// Deletes this person's own line: every store that hears of it erases the text.
package struct DeleteLine: Request {
    package static let name = "deleteLine"
    package static let replyName = "line"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = SaidLine

    package let line: RecordID

    package init(_ line: RecordID) { self.line = line }
}
