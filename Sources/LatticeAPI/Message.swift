package import LatticeCore

/// A line said in a room.
package struct Message: Hashable, Sendable {
    package let record: RecordID
    package let room: RoomName
    package let from: PeerID
    package let name: PeerName
    /// The newest edit; empty if the line was deleted.
    package let text: String
    package let style: SpeechStyle
    /// The earlier of the author's date and the first known arrival at any peer.
    package let at: WallTime
    /// Links it travelled, 0 if it was said at this very node; `nil` if that is no longer known.
    package let hops: Int?
    /// An older line that arrived only now, from a neighbour that had stored it.
    package let isLate: Bool
    /// Only members of the room can read it.
    package let isPrivate: Bool
    /// Programs never answer it automatically.
    package let isNotice: Bool
    /// The front of this node that said it, if it gave its number.
    package private(set) var asker: FrontID?
    /// One word, because a line is copied several times and few lines have any.
    private var extras = Extras.none

    private indirect enum Extras: Hashable, Sendable {
        case none
        case some(LineExtras)
    }

    package init(
        record: RecordID, room: RoomName, from: PeerID, name: PeerName, text: String, style: SpeechStyle,
        at: WallTime, hops: Int?, isLate: Bool = false, isPrivate: Bool = false, isNotice: Bool = false,
        asker: FrontID? = nil, reply: LineReference? = nil
    ) {
        self.isNotice = isNotice
        self.asker = asker
        self.record = record
        self.room = room
        self.from = from
        self.name = name
        self.text = text
        self.style = style
        self.at = at
        self.hops = hops
        self.isLate = isLate
        self.isPrivate = isPrivate
        if let reply { self.reply = reply }
    }

    package func asked(by asker: FrontID?) -> Message {
        var message = self
        message.asker = asker
        return message
    }

    /// The line that it answers.
    package var reply: LineReference? {
        get { all.reply }
        set { all.reply = newValue }
    }

    package var isEdited: Bool {
        get { all.isEdited }
        set { all.isEdited = newValue }
    }

    /// Its author deleted it.
    package var isDeleted: Bool {
        get { all.isDeleted }
        set { all.isDeleted = newValue }
    }

    /// The same line with what it answers, if that is found.
    package func answering(_ find: (RecordID) -> LineReference?) -> Message {
        guard let reply, reply.from == nil, let found = find(reply.record) else { return self }
        var line = self
        line.reply = found
        return line
    }

    /// As it is once its author has deleted it.
    package var deleted: Message {
        var line = Message(
            record: record, room: room, from: from, name: name, text: "", style: .says, at: at, hops: hops,
            isLate: isLate,
            isPrivate: isPrivate)
        line.isDeleted = true
        return line
    }

    /// It was urgent when it came here.
    package var isUrgent: Bool {
        get { all.isUrgent }
        set { all.isUrgent = newValue }
    }

    /// The network over which a bridge brought it here; `nil` if it came by the mesh.
    package var via: RecordVia? {
        get { all.via }
        set { all.via = newValue }
    }

    /// The manifest of a file that it shares: what `GetFile` takes.
    package var file: RecordID? {
        get { all.file }
        set { all.file = newValue }
    }

    /// In the order in which they were first given.
    package var reactions: [LineReaction] {
        get { all.reactions }
        set { all.reactions = newValue }
    }

    private var all: LineExtras {
        get {
            switch extras {
            case .none: LineExtras()
            case .some(let extras): extras
            }
        }
        set { extras = newValue == LineExtras() ? .none : .some(newValue) }
    }
}

/// What few lines have.
private struct LineExtras: Hashable, Sendable {
    var reply: LineReference?
    var isEdited = false
    var isDeleted = false
    var isUrgent = false
    var via: RecordVia?
    var file: RecordID?
    var reactions: [LineReaction] = []
}

/// A line, as another one that answers it shows it.
package struct LineReference: Hashable, Sendable, Codable {
    /// Characters of the text.
    package static let charactersMax = 80

    package let record: RecordID
    /// `nil` if the line is not here: it has expired, or has not arrived.
    package let from: PeerID?
    package let name: PeerName?
    /// The beginning of it; empty if it was deleted.
    package let text: String?

    package init(_ record: RecordID) {
        (self.record, from, name, text) = (record, nil, nil, nil)
    }

    package init(_ line: Message) {
        self.init(line.record, from: line.from, name: line.name, text: line.text)
    }

    /// - Parameter text: all of it.
    package init(_ record: RecordID, from: PeerID, name: PeerName?, text: String) {
        (self.record, self.from, self.name) = (record, from, name)
        self.text = text.count > Self.charactersMax ? text.prefix(Self.charactersMax - 1) + "…" : text
    }
}

/// An emoji on a line, and who gave it.
package struct LineReaction: Hashable, Sendable, Codable {
    package let emoji: String
    /// The first one first; at least one.
    package let by: [PeerID]

    package init(_ emoji: String, by: [PeerID]) {
        (self.emoji, self.by) = (emoji, by)
    }
}

/// Somebody changed a line that was said before: its author edited or deleted it, or anybody reacted to it.
package struct LineChange: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, CodedAsWord {
        case edited
        case deleted
        case reacted
        /// Somebody took back a reaction.
        case unreacted
    }

    package let kind: Kind
    package let by: PeerID
    /// Only of a reaction.
    package let emoji: String?
    /// As it is now.
    package let line: Message

    package init(_ kind: Kind, by: PeerID, emoji: String? = nil, of line: Message) {
        (self.kind, self.by, self.emoji, self.line) = (kind, by, emoji, line)
    }
}

extension Message: Codable {
    private enum CodingKeys: String, CodingKey {
        case record, room, from, name, text, style, at, hops, isLate, isPrivate, isNotice, asker
        case reply, isEdited, isDeleted, isUrgent, via, file, reactions
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            record: try fields.decode(RecordID.self, forKey: .record),
            room: try fields.decode(RoomName.self, forKey: .room), from: try fields.decode(PeerID.self, forKey: .from),
            name: try fields.decode(PeerName.self, forKey: .name), text: try fields.decode(String.self, forKey: .text),
            style: try fields.decode(SpeechStyle.self, forKey: .style),
            at: try fields.decode(WallTime.self, forKey: .at),
            hops: try fields.decodeIfPresent(Int.self, forKey: .hops),
            isLate: try fields.decode(Bool.self, forKey: .isLate),
            isPrivate: try fields.decode(Bool.self, forKey: .isPrivate),
            isNotice: try fields.decodeIfPresent(Bool.self, forKey: .isNotice) ?? false,
            asker: try fields.decodeIfPresent(FrontID.self, forKey: .asker),
            reply: try fields.decodeIfPresent(LineReference.self, forKey: .reply))
        var extras = all
        extras.isEdited = try fields.decodeIfPresent(Bool.self, forKey: .isEdited) ?? false
        extras.isDeleted = try fields.decodeIfPresent(Bool.self, forKey: .isDeleted) ?? false
        extras.isUrgent = try fields.decodeIfPresent(Bool.self, forKey: .isUrgent) ?? false
        extras.via = try fields.decodeIfPresent(RecordVia.self, forKey: .via)
        extras.file = try fields.decodeIfPresent(RecordID.self, forKey: .file)
        extras.reactions = try fields.decodeIfPresent([LineReaction].self, forKey: .reactions) ?? []
        all = extras
    }

    /// Fields that few lines have are left out of the others.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(record, forKey: .record)
        try fields.encode(room, forKey: .room)
        try fields.encode(from, forKey: .from)
        try fields.encode(name, forKey: .name)
        try fields.encode(text, forKey: .text)
        try fields.encode(style, forKey: .style)
        try fields.encode(at, forKey: .at)
        try fields.encodeIfPresent(hops, forKey: .hops)
        try fields.encode(isLate, forKey: .isLate)
        try fields.encode(isPrivate, forKey: .isPrivate)
        if isNotice { try fields.encode(true, forKey: .isNotice) }
        try fields.encodeIfPresent(asker, forKey: .asker)
        guard case .some(let extras) = extras else { return }
        try fields.encodeIfPresent(extras.reply, forKey: .reply)
        if extras.isEdited { try fields.encode(true, forKey: .isEdited) }
        if extras.isDeleted { try fields.encode(true, forKey: .isDeleted) }
        if extras.isUrgent { try fields.encode(true, forKey: .isUrgent) }
        try fields.encodeIfPresent(extras.via, forKey: .via)
        try fields.encodeIfPresent(extras.file, forKey: .file)
        if !extras.reactions.isEmpty { try fields.encode(extras.reactions, forKey: .reactions) }
    }
}
