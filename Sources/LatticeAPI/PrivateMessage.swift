package import LatticeCore

/// A line between two people, which nobody else can read.
package struct PrivateMessage: Hashable, Sendable, Codable {
    /// What this store calls it: grows with each that is kept, and is never given twice.
    package let number: Int64
    /// The other of the two, whoever wrote it.
    package let peer: PeerID
    /// Under which name the other was last heard of; `nil` where nobody ever told.
    package let peerName: PeerName?
    package let isMine: Bool
    package let text: String
    package let style: SpeechStyle
    /// The earlier of when its author says it was said and when it came here.
    package let at: WallTime
    /// It was said before, and came only now: from somebody who had kept it.
    package let isLate: Bool
    /// How far mine has come; of others' it is always `delivered`.
    package let state: PrivateState
    /// Whether it could be sealed: the other's keys may not have come here yet.
    package let isSealed: Bool
    /// No program answers it by itself.
    @CodedFlag package private(set) var isNotice: Bool
    /// The letter it came in or went out in, the same for both; `nil` until it is sealed.
    package let record: RecordID?

    package init(
        number: Int64, peer: PeerID, peerName: PeerName?, isMine: Bool, text: String, style: SpeechStyle, at: WallTime,
        isLate: Bool, state: PrivateState, isSealed: Bool = true, isNotice: Bool = false, record: RecordID? = nil
    ) {
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

    /// The same with a name, where nobody has told one in a letter or profile.
    package func named(_ name: @autoclosure () -> PeerName?) -> PrivateMessage {
        guard peerName == nil else { return self }
        return PrivateMessage(
            number: number, peer: peer, peerName: name(), isMine: isMine, text: text, style: style, at: at,
            isLate: isLate, state: state, isSealed: isSealed, isNotice: isNotice,
            record: record)
    }
}

/// How far a private message of one's own has come. It only ever goes forward.
package enum PrivateState: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nobody else has it: nobody is there, or the keys of whom it is for have not come yet.
    case waiting
    /// Somebody has taken it, and passes it on.
    case relayed
    /// Whom it is for has opened it, and said so.
    case delivered
    /// Its time was over before anybody opened it.
    case lapsed
}

/// A private message of one's own has come further.
package struct PrivateProgress: Hashable, Sendable, Codable {
    package let number: Int64
    package let peer: PeerID
    package let state: PrivateState

    package init(number: Int64, peer: PeerID, state: PrivateState) {
        self.number = number
        self.peer = peer
        self.state = state
    }
}
