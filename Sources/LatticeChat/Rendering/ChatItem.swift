package import LatticeAPI
package import LatticeCore

/// Something to be shown, before it is known how.
package enum ChatItem: Sendable {
    case ready(Me)
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
    case reply(Reply)

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
    }

    package struct RoomSummary: Hashable, Sendable {
        package let room: RoomName
        package let isJoined: Bool
        package let isCurrent: Bool
        package let people: Int

        package init(room: RoomName, isJoined: Bool, isCurrent: Bool, people: Int) {
            self.room = room
            self.isJoined = isJoined
            self.isCurrent = isCurrent
            self.people = people
        }
    }
}

/// Lines for standard output and standard error.
package struct Rendered: Hashable, Sendable {
    package var output: [String] = []
    package var error: [String] = []
    package var rings = false

    package init(output: [String] = [], error: [String] = [], rings: Bool = false) {
        self.output = output
        self.error = error
        self.rings = rings
    }
}

/// Turns items into lines, in one of the ways there are.
package protocol Renderer: Sendable {
    func render(_ item: ChatItem) -> Rendered
}
