package import LatticeCore

/// What a front may ask of a node and hear from it. Whether the node lives in this process or behind a socket makes no
/// difference to a front.
package protocol MeshNode: Sendable {
    /// Does one thing and tells how it went.
    ///
    /// - Throws: `RequestError`, whose description says what to do.
    func perform(_ request: NodeRequest) async throws(RequestError) -> Answer

    /// Does one thing and tells how it went.
    ///
    /// - Throws: `RequestError`, whose description says what to do.
    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply

    /// Everything that happens from now on, in order. Bounded: a reader that falls behind is told how many it missed.
    func events() async -> NodeEvents
}

/// What a front may ask for. Each case names the `Answer` it gets.
package enum NodeRequest: Hashable, Sendable {
    /// Says a line in a room. `audience` is who it is meant for: where the room has become another meanwhile, by another front or
    /// process, nothing is sent and the answer is `otherAudience`; `nil` is whoever reads the room now. Answer: `said`.
    /// A notice is shown, and no program answers it by itself.
    case say(String, style: SpeechStyle, room: RoomName, audience: Audience? = nil, isNotice: Bool = false)
    /// Changes what others see, not who one is. Answer: `done`.
    case rename(PeerName)
    /// Answer: `done`.
    case join(RoomName)
    /// Answer: `done`.
    case part(RoomName)
    /// Answer: `me`.
    case me
    /// Answer: `peers`.
    case peers
    /// Asks a peer over any number of hops whether it is there. Answer: `probe`, its path signed by everybody in it.
    case probe(PeerID)
    /// Dials an address and keeps trying. Answer: `done`.
    case connect(PeerAddress)
    /// Links with a sighted peer, whatever the policy for strangers. Answer: `done`.
    case invite(PeerPrefix)
    /// Says yes or no to an invitation. Answer: `done`.
    case answer(PeerID, accept: Bool)
    /// Waits until the neighbours have confirmed what was said, at most that long. Of `lines`, where there are any, the answer tells,
    /// otherwise of all. Answer: `flushed`.
    case flush(timeout: Duration, lines: [RecordID]? = nil)
    /// Compares with every neighbour now; what comes of it is told by `NodeEvent.sync`. Answer: `done`.
    case sync
    /// What this peer lacks, and when it compared with whom. Answer: `syncStatus`.
    case syncStatus
    /// The last lines of a room, whoever was there when they were said. Answer: `history`.
    case history(HistoryQuery)
    /// Says a line to one person, wherever they are; text of 1–4,096 bytes, not all of it blanks. Answer: `told`.
    case tell(PeerID, String, style: SpeechStyle, isNotice: Bool = false)
    /// The last lines between oneself and somebody, the oldest first; 1–10,000 of them. Answer: `privateHistory`.
    case privateHistory(PeerID, limit: Int)
    /// The last line of each conversation, the newest conversation first; at most 1,000. Answer: `privateHistory`.
    case conversations
    /// What is open and waiting, and what was turned down and why. Answer: `stats`.
    case stats
    /// What may keep others away. Answer: `health`.
    case health
}

/// What a front gets for a `NodeRequest`; large cases are held apart, as in `NodeEvent`.
package enum Answer: Hashable, Sendable {
    case done
    /// The record, and whether anybody was connected; otherwise it waits. `unkept` is one sentence that says why it does not outlive
    /// the node's process unless somebody takes it; `nil` where it does. `at` is the date that the line has for everybody here.
    case said(RecordID, isWaiting: Bool, unkept: String? = nil, at: WallTime? = nil)
    case me(Me)
    case peers([PeerInfo])
    case probe(ProbeInfo)
    /// How many of our lines nobody has confirmed.
    case flushed(unconfirmed: Int)
    case syncStatus(SyncStatus)
    case history(HistoryPage)
    /// As it was kept; where nothing can be kept, nothing is said.
    indirect case told(PrivateMessage)
    case privateHistory([PrivateMessage])
    case stats(NodeStats)
    case health(NodeHealth)
}

/// Why a request was not carried out; the description says what to do.
package struct RequestError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable, Codable {
        case lineTooLong
        case outboxFull
        case tooManyRooms
        case noRoute
        case noAnswer
        /// What was answered was not signed as it should be.
        case untrusted
        case unknownPeer
        /// What was given breaks one or more rules, each of which stands in `faults`.
        case invalid
        /// No post, comment or event here has this id.
        case unknownItem
        /// Several have an id that begins so, or several people are called so.
        case ambiguous
        /// Only its author may do that.
        case notTheAuthor
        case tooFar
        /// Where one is has to be said first.
        case placeNeeded
        case diskFull
        case readOnly
        /// The store is damaged; a check says what, a rebuild saves what verifies.
        case damaged
        /// A file to be read or written could not be.
        case fileFailed
        /// Somebody else is at work on it; the same request may do in a moment.
        case busy
        case storeFailed
        case stopped
        /// As many people are remembered as there can be, each because this person said so.
        case tooManyPeople
        /// Of a private room: its key is not here, or another one is.
        case wrongKey
        /// This person blocks whoever it is about.
        case blocked
        /// A line was meant for everybody and the room is private now, or the other way round. Nothing was sent.
        case otherAudience
        /// It was taken back: nothing can be said of it, or changed in it, any more.
        case takenBack
        /// No program listens there for streams of this label.
        case nobodyListens
        /// The program that listens there waits for somebody else.
        case notForYou
        /// There is no such stream, or it is over.
        case unknownStream
        /// The other side gave a stream up, or it was given up here.
        case streamReset
        /// The other side of a stream is gone, or the network is.
        case streamLost

        /// Whether the same request for a stream may do in a moment.
        package var mayPass: Bool {
            switch self {
            case .noRoute, .noAnswer, .nobodyListens, .busy: true
            default: false
            }
        }
    }

    package let code: Code
    package let description: String
    /// Every field at fault with its reason, where several may be.
    package let faults: [FieldFault]
    /// Who may have been meant, where several people are called so.
    package let candidates: [KnownPerson]

    package init(
        _ code: Code, _ description: String, faults: [FieldFault] = [], candidates: [KnownPerson] = []
    ) {
        self.code = code
        self.description = description
        self.faults = faults
        self.candidates = candidates
    }

    /// What is wrong with one thing that was given.
    package struct FieldFault: Hashable, Sendable, Codable {
        /// Stable, for programs: `text`, `name`, `place`, `starts`, …
        package let field: String
        /// One sentence that says what to do.
        package let reason: String

        package init(_ field: String, _ reason: String) {
            self.field = field
            self.reason = reason
        }
    }
}

/// How a line is meant.
package enum SpeechStyle: String, Hashable, Sendable, CodedAsWord {
    /// `<bob> hi`
    case says
    /// `* bob waves`
    case acts
}

/// Who reads what is said in a room.
package enum Audience: String, Hashable, Sendable, CodedAsWord {
    case everybody
    /// Those who have the key of a private room.
    case members
}
