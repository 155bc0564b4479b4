package import LatticeCore

// Finding lines again.

/// A line of a room or a private message.
package struct FoundLine: Hashable, Sendable, Codable {
    /// Absent for a private message that is not sealed yet.
    package var record: RecordID?
    package var conversation: ConversationName
    package var from: PeerID
    package var name: String
    package var text: String
    package var at: WallTime
    @CodedFlag package private(set) var isEdited: Bool
    /// Only members of the room, or the two people, can read it.
    @CodedFlag package private(set) var isPrivate: Bool

    package init(
        record: RecordID?, conversation: ConversationName, from: PeerID, name: String, text: String, at: WallTime,
        isEdited: Bool = false, isPrivate: Bool = false
    ) {
        (self.isEdited, self.isPrivate) = (isEdited, isPrivate)
        (self.record, self.conversation, self.from, self.name) = (record, conversation, from, name)
        (self.text, self.at) = (text, at)
    }

    /// The first digits of the record, for `LinesAround`.
    package var short: String? { record.map { String($0.hex.prefix(8)) } }

    package init(_ line: Message) {
        self.init(
            record: line.record, conversation: .room(line.room), from: line.from, name: line.name.text,
            text: line.text, at: line.at, isEdited: line.isEdited, isPrivate: line.isPrivate)
    }
}

/// Lines that contain all of some words, newest first: of stored rooms and of this person's private conversations.
///
/// The last word matches by a beginning of three letters or more. Of sealed lines only the newest 20,000 are looked through.
package struct SearchLines: Request {
    package static let name = "lines.search"
    package static let replyName = "lines.found"
    package static let traits: RequestTraits = [.repeatable]

    package let words: String
    /// `nil` for all rooms and conversations.
    package let conversation: ConversationName?
    /// At most 100 lines.
    package let page: PageRequest

    package init(_ words: String, in conversation: ConversationName? = nil, page: PageRequest = PageRequest()) {
        (self.words, self.conversation, self.page) = (words, conversation, page)
    }

    package struct Reply: Hashable, Codable, Sendable {
        package let lines: [FoundLine]
        /// There may be more, even if the page is not full.
        package let next: PageCursor?

        package init(_ lines: [FoundLine], next: PageCursor? = nil) { (self.lines, self.next) = (lines, next) }
    }
}

/// A line of a room and those around it, in the order of the room.
package struct LinesAround: Request {
    package static let name = "lines.around"
    package static let replyName = "lines.found"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = SearchLines.Reply

    package static let countRange = 1...100

    /// Hexadecimal digits that its id begins with, at least `digitsMin`.
    package let line: String
    /// On each side.
    package let count: Int

    package static let digitsMin = 6

    package init(_ line: String, count: Int = 5) { (self.line, self.count) = (line, count) }
}
