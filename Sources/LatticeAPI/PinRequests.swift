package import LatticeCore

// The pins of a room. Each person has at most one, a line or a text; the room shows the newest three.

/// A pin of a room.
package struct RoomPin: Hashable, Sendable, Codable {
    /// The author, with the name from the pin.
    package let by: RoomEvent.Person
    /// When it was pinned, or when it arrived if that was earlier.
    package let at: WallTime
    /// The current text of a pinned line.
    package let text: String
    /// The pinned line; `nil` if a text is pinned.
    @OrNull package private(set) var line: Message?

    package init(by: RoomEvent.Person, at: WallTime, text: String) {
        (self.by, self.at, self.text) = (by, at, text)
        _line = OrNull(wrappedValue: nil)
    }

    package init(by: RoomEvent.Person, at: WallTime, line: Message) {
        (self.by, self.at, text) = (by, at, line.text)
        _line = OrNull(wrappedValue: line)
    }
}

/// Somebody pinned a line or a text, or removed their pin.
package struct PinChange: Hashable, Sendable, Codable {
    package let room: RoomName
    package let by: RoomEvent.Person
    /// `nil` if the pin was removed.
    @OrNull package private(set) var pin: RoomPin?

    package init(_ room: RoomName, by: RoomEvent.Person, _ pin: RoomPin?) {
        (self.room, self.by) = (room, by)
        _pin = OrNull(wrappedValue: pin)
    }
}

/// Lists the pins of a room.
package struct ListPins: Request {
    package static let name = "pins"
    package static let replyName = "pins"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = RoomPins

    /// Limit on the pins of a room that are shown; older ones are left out.
    package static let shownMax = 3

    package let room: RoomName

    package init(_ room: RoomName) { self.room = room }
}

package struct RoomPins: Hashable, Codable, Sendable {
    package let room: RoomName
    /// Newest first, at most `ListPins.shownMax`. Pins of people whom this person ignores or blocks are left out.
    package let pins: [RoomPin]
    /// Only members read the pins of a private room.
    package let isPrivate: Bool

    package init(_ room: RoomName, _ pins: [RoomPin], isPrivate: Bool = false) {
        (self.room, self.pins, self.isPrivate) = (room, pins, isPrivate)
    }

    private enum CodingKeys: String, CodingKey {
        case room, pins
        case isPrivate = "private"
    }
}

/// Pins a line of a room or a text, or removes the pin. It replaces this person's earlier pin in that room. The reply
/// has the pins that the room shows afterwards.
///
/// - Throws: `unknownLine` if the room has no such line; `lineDeleted`; `lineTooLong` or `emptyLine` for a text.
package struct SetPin: Request {
    package static let name = "setPin"
    package static let replyName = "pins"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = RoomPins

    package enum Pinned: Hashable, Sendable {
        /// Removes this person's pin. This is no error if there is none.
        case nothing
        case line(RecordID)
        /// 1–300 bytes.
        case text(String)
    }

    package static let textBytesMax = 300

    package let room: RoomName
    package let pinned: Pinned

    package init(_ pinned: Pinned, in room: RoomName) { (self.room, self.pinned) = (room, pinned) }

    private enum CodingKeys: String, CodingKey {
        case room, line, text
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        room = try fields.decode(RoomName.self, forKey: .room)
        let line = try fields.decodeIfPresent(RecordID.self, forKey: .line)
        switch (line, try fields.decodeIfPresent(String.self, forKey: .text)) {
        case (let line?, nil): pinned = .line(line)
        case (nil, let text?): pinned = .text(text)
        case (nil, nil): pinned = .nothing
        case (_?, _?):
            throw DecodingError.dataCorruptedError(
                forKey: .text, in: fields, debugDescription: "pin either a line or a text")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(room, forKey: .room)
        switch pinned {
        case .nothing: break
        case .line(let line): try fields.encode(line, forKey: .line)
        case .text(let text): try fields.encode(text, forKey: .text)
        }
    }
}
