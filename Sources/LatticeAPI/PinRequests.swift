package import LatticeCore

// What is pinned in a room, by anybody: of each person one line or text, of all people the newest three.

/// A pin of a room.
package struct RoomPin: Hashable, Sendable, Codable {
    /// With the name that the pin has.
    package let by: RoomEvent.Person
    /// When it was pinned, or first seen if that was earlier.
    package let at: WallTime
    /// The current text of a pinned line.
    package let text: String
    /// `nil` of a text.
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

/// Somebody pinned something, or what they pinned is pinned no more.
package struct PinChange: Hashable, Sendable, Codable {
    package let room: RoomName
    package let by: RoomEvent.Person
    /// `nil` of one that was taken back.
    @OrNull package private(set) var pin: RoomPin?

    package init(_ room: RoomName, by: RoomEvent.Person, _ pin: RoomPin?) {
        (self.room, self.by) = (room, by)
        _pin = OrNull(wrappedValue: pin)
    }
}

/// What is pinned in a room.
package struct ListPins: Request {
    package static let name = "pins"
    package static let replyName = "pins"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = RoomPins

    /// Of more the newest are shown.
    package static let shownMax = 3

    package let room: RoomName

    package init(_ room: RoomName) { self.room = room }
}

package struct RoomPins: Hashable, Codable, Sendable {
    package let room: RoomName
    /// Newest first, at most `ListPins.shownMax`; not those of people whom this person ignores or blocks.
    package let pins: [RoomPin]

    package init(_ room: RoomName, _ pins: [RoomPin]) { (self.room, self.pins) = (room, pins) }
}

/// Pins a line of a room, or a text; it replaces what this person pinned there before. The reply is what the room shows then.
///
/// - Throws: `unknownLine` if the line is not of this room; `lineDeleted`; `lineTooLong` or `emptyLine` of a text.
package struct SetPin: Request {
    package static let name = "setPin"
    package static let replyName = "pins"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = RoomPins

    package enum Pinned: Hashable, Sendable {
        /// Takes back what this person pinned; it is no fault if nothing was.
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
