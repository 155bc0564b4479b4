package import LatticeCore

/// A line between two people, which nobody else can read.
package struct PrivateMessage: Hashable, Sendable, Codable {
    /// Its number in this store, which grows and is never reused.
    package let number: Int64
    /// The other person, whether they sent or received it.
    package let peer: PeerID
    /// The last known name of the other; `nil` if none is known.
    package private(set) var peerName: PeerName?
    package let isMine: Bool
    package let text: String
    package let style: SpeechStyle
    /// The earlier of its author's date and its arrival here.
    package let at: WallTime
    /// An older message that arrived only now, from somebody who had stored it.
    package let isLate: Bool
    /// The state of a message sent here; received ones are always `delivered`.
    package let state: PrivateState
    /// Whether it is sealed; the other's keys may not have arrived yet.
    package let isSealed: Bool
    /// Programs never answer it automatically.
    @CodedFlag package private(set) var isNotice: Bool
    /// The private message that carries it, the same for both; `nil` until it is sealed.
    package let record: RecordID?
    /// The message that it answers.
    package let reply: LineReference?
    @CodedFlag package private(set) var isEdited: Bool
    /// Its author deleted it; the text is empty.
    @CodedFlag package private(set) var isDeleted: Bool
    /// In the order in which they were first given.
    @OrNone package private(set) var reactions: [LineReaction]
    /// The file that it sends: what `GetFile` takes.
    package let file: RecordID?
    /// The other person has all of the file that was sent here.
    @CodedFlag package private(set) var isFileDelivered: Bool

    package init(
        number: Int64, peer: PeerID, peerName: PeerName?, isMine: Bool, text: String, style: SpeechStyle, at: WallTime,
        isLate: Bool, state: PrivateState, isSealed: Bool = true, isNotice: Bool = false, record: RecordID? = nil,
        reply: LineReference? = nil, isEdited: Bool = false, isDeleted: Bool = false, reactions: [LineReaction] = [],
        file: RecordID? = nil, isFileDelivered: Bool = false
    ) {
        self.file = file
        self.isFileDelivered = isFileDelivered
        (self.reply, self.isEdited, self.isDeleted, self.reactions) = (reply, isEdited, isDeleted, reactions)
        self.record = record
        self.isSealed = isSealed
        self.isNotice = isNotice
        self.number = number
        self.peer = peer
        self.peerName = peerName
        self.isMine = isMine
        self.text = text
        self.style = style
        self.at = at
        self.isLate = isLate
        self.state = state
    }

    /// The same message with a name, if no private message or profile has given one.
    package func named(_ name: @autoclosure () -> PeerName?) -> PrivateMessage {
        guard peerName == nil else { return self }
        var message = self
        message.peerName = name()
        return message
    }
}

/// Somebody changed a private message that was sent before: its author edited or deleted it, or one of the two people reacted
/// to it.
package struct PrivateMessageChange: Hashable, Sendable, Codable {
    package let kind: LineChange.Kind
    package let by: PeerID
    /// Only of a reaction.
    package let emoji: String?
    /// As it is now.
    package let message: PrivateMessage

    package init(_ kind: LineChange.Kind, by: PeerID, emoji: String? = nil, of message: PrivateMessage) {
        (self.kind, self.by, self.emoji, self.message) = (kind, by, emoji, message)
    }
}

/// The delivery state of a sent private message. It only moves forward.
package enum PrivateState: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nobody else has it: no peer is connected, or the recipient's keys have not arrived.
    case waiting
    /// A peer has taken it and relays it.
    case relayed
    /// The recipient has opened it and confirmed that.
    case delivered
    /// It expired before anybody opened it.
    case lapsed
}

/// A sent private message reached its next state, or its file is there.
package struct PrivateProgress: Hashable, Sendable, Codable {
    package let number: Int64
    package let peer: PeerID
    package let state: PrivateState
    /// The name of the file that it sends, if the recipient has all of it now.
    package let file: String?

    package init(number: Int64, peer: PeerID, state: PrivateState, file: String? = nil) {
        self.file = file
        self.number = number
        self.peer = peer
        self.state = state
    }
}
