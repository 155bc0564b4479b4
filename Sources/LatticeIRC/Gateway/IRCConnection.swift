import LatticeAPI
import LatticeCore

/// A client as all machines of the gateway know it. What only one machine needs is in that machine.
struct IRCConnection {
    let id: ConnectionID
    let host: String
    let isSecure: Bool
    let since: Instant
    let signedOn: WallTime

    var nick: String?
    var user: String?
    var realName = ""
    /// Signed in to with a password.
    var account: AccountName?
    /// Set by registration.
    var person: PeerID?
    var isBot = false
    /// How it marked people.
    var contactMarks = ContactMarks()

    var input: IRCInput
    var reply = IRCReplyFormat()
    var underWay = IRCUnderWay()
    var isClosing = false

    init(_ id: ConnectionID, host: String, isSecure: Bool, at now: Instant, date: WallTime) {
        self.id = id
        self.host = host
        self.isSecure = isSecure
        since = now
        signedOn = date
        input = IRCInput(at: now)
    }

    var isRegistered: Bool { person != nil }
    var isAdmitting: Bool {
        if case .people(.admitted) = underWay.step { true } else { false }
    }
    /// Whether it has not begun to register.
    var isSilent: Bool { nick == nil && user == nil }
}

/// How the replies to a client's current line are sent.
struct IRCReplyFormat {
    /// The label of the line (IRCv3 labeled-response).
    var label: String?
    /// The line is a notice, which gets no replies.
    var isMute = false
    /// Replies to a line with a label, until the line is handled.
    var labelled: [IRCLine] = []
}

/// What a client's current line still has to do.
struct IRCUnderWay {
    /// The pending request; no further input is handled until its reply.
    private(set) var ticket: IRCTicket?
    private(set) var step: IRCStep?
    /// The other targets of the line, each of which waits for the one before it.
    private var jobs: ArraySlice<IRCJob> = []

    var isAsking: Bool { ticket != nil }

    mutating func ask(_ ticket: IRCTicket, then step: IRCStep) {
        assert(self.ticket == nil, "a client asks one thing at a time")
        (self.ticket, self.step) = (ticket, step)
    }

    /// - Returns: what to do with the reply; `nil` if it belongs to another request.
    mutating func answered(_ ticket: IRCTicket) -> IRCStep? {
        guard self.ticket == ticket else { return nil }
        defer { (self.ticket, step) = (nil, nil) }
        return step
    }

    var hasJobs: Bool { !jobs.isEmpty }

    mutating func queue(_ jobs: [IRCJob]) { self.jobs += jobs }

    /// Queues a check of the topic, at most once for each room.
    mutating func queueOnce(topicOf room: RoomName) {
        let isQueued = jobs.contains { if case .topic(room, .changed) = $0 { true } else { false } }
        if !isQueued { jobs.append(.topic(room, .changed)) }
    }

    /// Puts the job before those that wait.
    mutating func queueFirst(_ job: IRCJob) { jobs = [job] + jobs }

    /// - Returns: `nil` if there is none, or the one before it has a pending request.
    mutating func nextJob() -> IRCJob? { ticket == nil ? jobs.popFirst() : nil }
}

/// One target of a line that may have several.
enum IRCJob: Sendable {
    case join(String, key: String?)
    case part(String, reason: String?)
    case names(String)
    case topic(RoomName, IRCTopic.Reason)
    case say(IRCSaying, to: String)
}

/// What a machine does with the reply to a request.
enum IRCStep: Sendable {
    case registration(IRCPasswordDesk.Proof)
    case people(IRCPeople.Step)
    case rooms(IRCRooms.Step)
    case moderation(IRCModeration.Step)
    case history(IRCHistory.Step)
    case messages(IRCMessages.Step)
    case service(IRCService.Step)
    case who(IRCWho.Step)
}
