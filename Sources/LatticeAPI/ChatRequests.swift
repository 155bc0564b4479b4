package import LatticeCore

// What people say in rooms, and which rooms they are in.

/// Says a line in a room.
package struct Say: Request {
    package static let name = "say"
    package static let replyName = "said"
    /// A front asks for the last lines before it repeats one.
    package static let traits: RequestTraits = [.repeatable]

    package let text: String
    package let style: SpeechStyle
    package let room: RoomName
    /// The audience the line is meant for. If another front or process has since changed who reads the room, nothing is sent
    /// and the error is `otherAudience`. `nil` is everybody who reads the room now.
    @OrNull package private(set) var audience: Audience?
    /// A notice is shown; programs never answer it automatically.
    package let isNotice: Bool

    package init(_ text: String, style: SpeechStyle, room: RoomName, audience: Audience? = nil, isNotice: Bool = false)
    {
        (self.text, self.style, self.room, self.isNotice) = (text, style, room, isNotice)
        _audience = OrNull(wrappedValue: audience)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.decode(String.self, forKey: .text),
            style: try fields.decodeIfPresent(SpeechStyle.self, forKey: .style) ?? .says,
            room: try fields.decode(RoomName.self, forKey: .room),
            audience: try fields.decodeIfPresent(Audience.self, forKey: .audience),
            isNotice: try fields.decodeIfPresent(Bool.self, forKey: .isNotice) ?? false)
    }

    package struct Reply: Hashable, Codable, Sendable {
        package let record: RecordID
        /// Nobody was connected; the line is queued.
        package let isWaiting: Bool
        /// One sentence that says why the line is lost when the node ends unless a neighbour takes it; `nil` if it is stored.
        @OrNull package private(set) var unkept: String?
        /// The date by which everybody here sorts the line.
        @OrNull package private(set) var at: WallTime?

        package init(_ record: RecordID, isWaiting: Bool, unkept: String? = nil, at: WallTime? = nil) {
            (self.record, self.isWaiting) = (record, isWaiting)
            _unkept = OrNull(wrappedValue: unkept)
            _at = OrNull(wrappedValue: at)
        }
    }
}

/// How a line is shown.
package enum SpeechStyle: String, Hashable, Sendable, CodedAsWord {
    /// `<bob> hi`
    case says
    /// `* bob waves`
    case acts
}

/// Who reads what is said in a room.
package enum Audience: String, Hashable, Sendable, CodedAsWord {
    case everybody
    /// The holders of a private room's key.
    case members
}

/// Changes the name that others see; the key stays.
package struct Rename: Request {
    package static let name = "rename"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package let name: PeerName

    package init(_ name: PeerName) { self.name = name }
}

package struct JoinRoom: Request {
    package static let name = "join"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package let room: RoomName

    package init(_ room: RoomName) { self.room = room }
}

package struct LeaveRoom: Request {
    package static let name = "part"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package let room: RoomName

    package init(_ room: RoomName) { self.room = room }
}

/// The last lines of a room, including lines said while this person was absent.
package struct HistoryQuery: Request {
    package static let name = "history"
    package static let replyName = "history"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = HistoryPage

    package static let limitMax = 10_000
    private static let limitUsual = 50

    package let room: RoomName
    /// 1–10,000 lines, the last ones.
    package let limit: Int
    /// Only lines before this one; `nil` starts at the end.
    package let before: RecordID?

    package init(room: RoomName, limit: Int, before: RecordID? = nil) {
        precondition((1...Self.limitMax).contains(limit), "the front checks what a person asks for")
        self.room = room
        self.limit = limit
        self.before = before
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let limit = try fields.count(
            in: 1...Self.limitMax, forKey: .limit, "between 1 and \(Self.limitMax) lines can be requested")
        self.init(
            room: try fields.decode(RoomName.self, forKey: .room), limit: limit ?? Self.limitUsual,
            before: try fields.decodeIfPresent(RecordID.self, forKey: .before))
    }
}
