package import LatticeAPI
package import LatticeCore

/// Something to show, before a renderer gives it a form.
package enum ChatItem: Sendable {
    /// The chat has begun, or goes on with another node.
    case ready(Me, Arrival = Arrival(others: 0, isFirst: true))
    /// A message, its author as shown, and whether it is in the current room. `number`: that of a line that shares a file.
    case message(Message, shown: String, isCurrentRoom: Bool, isMention: Bool, number: Int? = nil)
    /// `isNews` if a person should see it: in a large mesh links change all the time without anybody coming or going.
    /// Somebody, as shown, edited or deleted a line or reacted to one.
    case lineChanged(LineChange, shown: String, isCurrentRoom: Bool, LineInterest)
    /// The pins of a room; `shown` has the names of their authors.
    case pins(RoomPins, shown: [String])
    case pinned(PinChange, shown: String, isCurrentRoom: Bool)
    case peer(PeerChange, shown: String, isNews: Bool = true)
    /// `was`: the name they had before; `isNews` as above.
    case presence(PresenceChange, shown: String, was: String?, isNews: Bool = true)
    case invitation(PeerID, shown: String, context: [UInt8])
    case notice(Notice)
    case error(code: String, String)
    /// Somebody posted near my place.
    case posted(ItemInfo, shown: String)
    /// Somebody, as shown, did something that concerns me.
    case notification(NotificationInfo, shown: String)
    /// This many more came at once.
    case manyNotifications(Int)
    case missed(Int)
    /// A past line: from the history of a room, or one that arrived late.
    case past(Message, shown: String, isCurrentRoom: Bool, isLate: Bool, number: Int? = nil)
    /// The lines that follow are from this day: `— Fri 20 Nov —`.
    case day(String)
    /// Earlier lines exist; how many, if known, and the command that shows them.
    case earlier(Int?, call: String)
    /// Too many posts came late to show each.
    case latePosts(Int)
    /// Progress of reconciling, for programs.
    case sync(SyncProgress)
    /// Reconciling is done, for people.
    case caughtUp(SyncProgress)
    case reply(Reply)
    /// A private message. `isPast` if it comes from a requested history, not if it merely arrived late. `isGoingOut` if
    /// I just sent it and a peer is connected to take it. `number`: that of a message that sends a file.
    case privateMessage(
        PrivateMessage, shown: String, isPast: Bool, isGoingOut: Bool = false, number: Int? = nil)
    /// A private message was edited, deleted or reacted to, by me or by the other person (`shown`).
    case privateMessageChanged(PrivateMessageChange, shown: String, LineInterest)
    /// A private message of mine changed its state, for programs.
    case privateState(PrivateProgress, shown: String)
    /// The outcome of private messages of mine, for people.
    case privateOutcome(PrivateOutcome)
    /// Somebody uses another person's name.
    case nameClash(NameClash, text: String)
    /// A known key has a new name since it was last here.
    case renamed(PeerID, was: PeerName, name: PeerName)
    /// Another front changed my name or rooms.
    case me(Me, [ChangeElsewhere])

    /// How a change of a line concerns me.
    package enum LineInterest: Sendable {
        /// I did it.
        case myAct
        /// Somebody else did it to my line.
        case myLine
        case none
    }

    package enum Reply: Sendable {
        case text(String)
        case help([String])
        case peers([PeerInfo], shown: [String])
        case names(RoomName, [String], states: [PersonState] = [])
        case rooms(RoomList)
        case whois(PeerInfo, shown: String)
        case ping(PeerID, shown: String, ProbeInfo)
        case trace(PeerID, shown: String, ProbeInfo, path: [String])
        case output(CommandOutput)
        case stats(NodeStats)
        case members(RoomName, [RoomMember], shown: [String])
    }

    /// What a person finds when the chat begins.
    package struct Arrival: Hashable, Sendable {
        package let others: Int
        /// False if the chat goes on with another node.
        package let isFirst: Bool

        package init(others: Int, isFirst: Bool) {
            self.others = others
            self.isFirst = isFirst
        }
    }

    package struct PrivateOutcome: Hashable, Sendable {
        /// `delivered` or `lapsed`.
        package let state: PrivateState
        package let shown: String
        package let count: Int
        /// When the first of them was said, as in `at 14:54`; `nil` if unknown.
        package let since: String?
        /// The name of the file, if the other has all of it now.
        package let file: String?

        package init(state: PrivateState, shown: String, count: Int, since: String?, file: String? = nil) {
            self.file = file
            self.state = state
            self.shown = shown
            self.count = count
            self.since = since
        }
    }
}

extension ChatItem {
    var isUrgent: Bool {
        switch self {
        case .message(let line, _, _, _, _): line.isUrgent
        case .notification(let one, _): one.kind == .urgent
        default: false
        }
    }
}

/// Lines for standard output and standard error.
package struct Rendered: Hashable, Sendable {
    package var output: [String] = []
    /// As in `CommandOutput`; a terminal shows it above the lines.
    package var picture: [String] = []
    package var error: [String] = []
    package var rings = false
    package var alert: DesktopAlert?
    /// Whether a terminal shows it a page at a time.
    package var isPaged = false

    package init(
        output: [String] = [], error: [String] = [], rings: Bool = false, alert: DesktopAlert? = nil,
        isPaged: Bool = false
    ) {
        self.output = output
        self.error = error
        self.rings = rings
        self.alert = alert
        self.isPaged = isPaged
    }

    /// Merges many into as few as possible. Each writes standard error first, so a new one begins where merging would
    /// reorder lines.
    static func joined(_ many: [Rendered]) -> [Rendered] {
        var joined: [Rendered] = []
        for next in many {
            guard let last = joined.last, last.output.isEmpty || next.error.isEmpty else {
                joined.append(next)
                continue
            }
            joined[joined.count - 1] = Rendered(
                output: last.output + next.output, error: last.error + next.error, rings: last.rings || next.rings,
                alert: next.alert ?? last.alert)
        }
        return joined
    }
}

/// Turns items into lines of output.
package protocol Renderer: Sendable {
    func render(_ item: ChatItem) -> Rendered
}
