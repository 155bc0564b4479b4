package import LatticeCore

// What people say in rooms, and which rooms they are in.

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
    /// The line that it answers; it need not be here.
    package let replyTo: RecordID?
    /// It goes before other records everywhere. Three in 24 hours do; the reply says whether this one does. In private
    /// rooms none does.
    package let isUrgent: Bool

    package init(
        _ text: String, style: SpeechStyle, room: RoomName, audience: Audience? = nil, isNotice: Bool = false,
        replyTo: RecordID? = nil, isUrgent: Bool = false
    ) {
        (self.text, self.style, self.room, self.isNotice, self.replyTo) = (text, style, room, isNotice, replyTo)
        self.isUrgent = isUrgent
        _audience = OrNull(wrappedValue: audience)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.decode(String.self, forKey: .text),
            style: try fields.decodeIfPresent(SpeechStyle.self, forKey: .style) ?? .says,
            room: try fields.decode(RoomName.self, forKey: .room),
            audience: try fields.decodeIfPresent(Audience.self, forKey: .audience),
            isNotice: try fields.decodeIfPresent(Bool.self, forKey: .isNotice) ?? false,
            replyTo: try fields.decodeIfPresent(RecordID.self, forKey: .replyTo),
            isUrgent: try fields.decodeIfPresent(Bool.self, forKey: .isUrgent) ?? false)
    }

    package struct Reply: Hashable, Codable, Sendable {
        package let record: RecordID
        /// Nobody was connected; the line is queued.
        package let isWaiting: Bool
        /// Why the line is lost when the node ends unless a neighbour takes it; `nil` if it is stored.
        @OrNull package private(set) var unkept: StoreFault?
        /// The date by which everybody here sorts the line.
        @OrNull package private(set) var at: WallTime?
        /// It was said as an urgent line.
        @CodedFlag package private(set) var isUrgent: Bool

        package init(
            _ record: RecordID, isWaiting: Bool, unkept: StoreFault? = nil, at: WallTime? = nil, isUrgent: Bool = false
        ) {
            (self.record, self.isWaiting) = (record, isWaiting)
            self.isUrgent = isUrgent
            _unkept = OrNull(wrappedValue: unkept)
            _at = OrNull(wrappedValue: at)
        }
    }
}

/// Says several lines in one room, in order. The node stores them in one commit, which costs little more than one line.
package struct SayLines: Request {
    package static let name = "sayLines"
    package static let replyName = "saidLines"
    /// A front asks for the last lines before it repeats any.
    package static let traits: RequestTraits = [.repeatable]

    package static let countMax = 64
    /// Bytes of text in one request of a front. However JSON escapes them, they fit into a line of the control socket.
    package static let bytesMax = 64 << 10

    package struct Line: Hashable, Codable, Sendable {
        package let text: String
        package let style: SpeechStyle
        /// As in `Say`.
        package let isNotice: Bool
        /// As in `Say`.
        package let replyTo: RecordID?
        /// As in `Say`.
        package let isUrgent: Bool

        package init(
            _ text: String, style: SpeechStyle = .says, isNotice: Bool = false, replyTo: RecordID? = nil,
            isUrgent: Bool = false
        ) {
            (self.text, self.style, self.isNotice, self.replyTo) = (text, style, isNotice, replyTo)
            self.isUrgent = isUrgent
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                try fields.decode(String.self, forKey: .text),
                style: try fields.decodeIfPresent(SpeechStyle.self, forKey: .style) ?? .says,
                isNotice: try fields.decodeIfPresent(Bool.self, forKey: .isNotice) ?? false,
                replyTo: try fields.decodeIfPresent(RecordID.self, forKey: .replyTo),
                isUrgent: try fields.decodeIfPresent(Bool.self, forKey: .isUrgent) ?? false)
        }
    }

    /// 1–64 lines.
    package let lines: [Line]
    package let room: RoomName
    /// As in `Say`, for every line.
    @OrNull package private(set) var audience: Audience?
    /// The front that asks; the events of these lines name it.
    package let asker: FrontID?

    package init(_ lines: [Line], room: RoomName, audience: Audience? = nil, asker: FrontID? = nil) {
        precondition((1...Self.countMax).contains(lines.count), "a front sends 1 to \(Self.countMax) lines at once")
        (self.lines, self.room, self.asker) = (lines, room, asker)
        _audience = OrNull(wrappedValue: audience)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let lines = try fields.decode([Line].self, forKey: .lines)
        guard (1...Self.countMax).contains(lines.count) else {
            throw DecodingError.dataCorruptedError(
                forKey: .lines, in: fields, debugDescription: "send 1 to \(Self.countMax) lines at once")
        }
        self.init(
            lines, room: try fields.decode(RoomName.self, forKey: .room),
            audience: try fields.decodeIfPresent(Audience.self, forKey: .audience),
            asker: try fields.decodeIfPresent(FrontID.self, forKey: .asker))
    }

    package struct Reply: Hashable, Codable, Sendable {
        package let lines: [Outcome]

        package init(_ lines: [Outcome]) { self.lines = lines }
    }

    package enum Outcome: Hashable, Codable, Sendable {
        case said(Say.Reply)
        case refused(RequestError)

        private enum CodingKeys: String, CodingKey {
            case said
            case refused
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            if let said = try fields.decodeIfPresent(Say.Reply.self, forKey: .said) {
                self = .said(said)
            } else {
                self = .refused(try fields.decode(CodedRefusal.self, forKey: .refused).error())
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .said(let said): try fields.encode(said, forKey: .said)
            case .refused(let error):
                try fields.encode(CodedRefusal(error, message: LogMessages.message(error)), forKey: .refused)
            }
        }
    }
}

/// A number that a front picks at random, to recognise what it asked for.
package struct FrontID: Hashable, Codable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package init(using generator: inout some RandomNumberGenerator) { rawValue = generator.next() }

    package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(UInt32.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

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
