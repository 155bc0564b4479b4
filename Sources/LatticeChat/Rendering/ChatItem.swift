package import LatticeAPI
package import LatticeCore

/// Something to be shown, before it is known how.
package enum ChatItem: Sendable {
    /// The chat has begun, or goes on over another node.
    case ready(Me, Arrival = Arrival(others: 0, isFirst: true))
    /// A line, its author as shown, and whether it was said in the room one talks in.
    case message(Message, shown: String, isCurrentRoom: Bool, isMention: Bool)
    /// `isNews` if it tells a person something: in a large mesh links are rearranged all the time, and nobody comes or goes.
    case peer(PeerChange, shown: String, isNews: Bool = true)
    /// `was`: under which name they were here; `isNews` as above.
    case presence(PresenceChange, shown: String, was: String?, isNews: Bool = true)
    case invitation(PeerID, shown: String, context: [UInt8])
    case notice(Notice)
    case error(code: String, String)
    /// Somebody left something near where one is.
    case posted(ItemInfo, shown: String)
    case missed(Int)
    /// A line of the past: from the history of a room, or one that came only now.
    case past(Message, shown: String, isCurrentRoom: Bool, isLate: Bool)
    /// Lines of another day follow: `— Fri 20 Nov —`.
    case day(String)
    /// There are lines before those that follow, so many if that is known, and how to see them.
    case earlier(Int?, call: String)
    /// More posts came late than are told one by one.
    case latePosts(Int)
    /// How far one is with what others have: for programs.
    case sync(SyncProgress)
    /// Nothing is missing any more: for people.
    case caughtUp(SyncProgress)
    case reply(Reply)
    /// A line between two; `isPast` if it was said before and asked for, and not if it came only now. `isGoingOut` if it is one's
    /// own, just said, and somebody is connected who is about to take it.
    case privateMessage(PrivateMessage, shown: String, isPast: Bool, isGoingOut: Bool = false)
    /// A line of one's own has come further: for programs.
    case privateState(PrivateProgress, shown: String)
    /// What became of lines of one's own: for people.
    case privateOutcome(PrivateOutcome)
    /// Somebody goes by the name of somebody else.
    case nameClash(NameClash, text: String)
    /// A key that was known goes by another name than when it was here last.
    case renamed(PeerID, was: PeerName, name: PeerName)
    /// One's own name or rooms were changed by another front.
    case me(Me, [ChangeElsewhere])

    /// What a command answers.
    package enum Reply: Sendable {
        case text(String)
        case help([String])
        case peers([PeerInfo], shown: [String])
        case names(RoomName, [String])
        case rooms([RoomSummary])
        case whois(PeerInfo, shown: String)
        case ping(PeerID, shown: String, ProbeInfo)
        case trace(PeerID, shown: String, ProbeInfo, path: [String])
        case wall(WallOutput)
        case stats(NodeStats)
        case members(RoomName, [RoomMember], shown: [String])
    }

    /// What a person finds when the chat begins.
    package struct Arrival: Hashable, Sendable {
        /// In the room that one talks in.
        package let others: Int
        /// Not so where the chat went on over another node.
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
        /// When the first of them was said, as in `at 14:54`, if that is known.
        package let since: String?

        package init(state: PrivateState, shown: String, count: Int, since: String?) {
            self.state = state
            self.shown = shown
            self.count = count
            self.since = since
        }
    }

    package struct RoomSummary: Hashable, Sendable {
        package let room: RoomName
        package let isJoined: Bool
        package let isCurrent: Bool
        package let people: Int
        package let isPrivate: Bool

        package init(room: RoomName, isJoined: Bool, isCurrent: Bool, people: Int, isPrivate: Bool = false) {
            self.room = room
            self.isJoined = isJoined
            self.isCurrent = isCurrent
            self.people = people
            self.isPrivate = isPrivate
        }
    }
}

/// Lines for standard output and standard error.
package struct Rendered: Hashable, Sendable {
    package var output: [String] = []
    package var error: [String] = []
    package var rings = false
    /// Whether a terminal shows it screen by screen.
    package var isPaged = false

    package init(output: [String] = [], error: [String] = [], rings: Bool = false, isPaged: Bool = false) {
        self.output = output
        self.error = error
        self.rings = rings
        self.isPaged = isPaged
    }

    /// One thing to show instead of many. Of each, standard error is written first: where that would turn lines around, a
    /// new one begins.
    static func joined(_ many: [Rendered]) -> [Rendered] {
        var joined: [Rendered] = []
        for next in many {
            guard let last = joined.last, last.output.isEmpty || next.error.isEmpty else {
                joined.append(next)
                continue
            }
            joined[joined.count - 1] = Rendered(
                output: last.output + next.output, error: last.error + next.error, rings: last.rings || next.rings)
        }
        return joined
    }
}

/// Turns items into lines, in one of the ways there are.
package protocol Renderer: Sendable {
    func render(_ item: ChatItem) -> Rendered
}
