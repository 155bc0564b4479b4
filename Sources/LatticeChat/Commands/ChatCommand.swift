package import LatticeAPI
package import LatticeCore

/// Something a person asks for with a slash.
package enum ChatCommand: Hashable, Sendable {
    case help(String?)
    case nick(PeerName)
    case me(String)
    case join(RoomName)
    case part(RoomName?)
    case rooms
    case names(RoomName?)
    /// The last so many lines; `nil` is a screenful.
    case history(RoomName?, Int?)
    case peers
    case whois(String)
    case ping(String)
    case trace(String)
    case sync
    case syncStatus
    case ignore(String?)
    case unignore(String)
    case connect(String)
    case accept(String)
    case refuse(String)
    case clear
    case quit
    /// To whom, and what: a name may hold blanks, so that only who knows the names can tell them apart.
    case tell(String)
    /// With whom to talk from now on; `nil` goes back to the room.
    case query(String?)
    case conversations
    case stats
    case joinPrivate(RoomName, TypedKey)
    case create(RoomName)
    case key(RoomName?)
    case invite(String, RoomName?)
    case remove(String, RoomName?)
    case members(RoomName?)
    case forget(RoomName)
}

/// The table of commands: what they are called, what they take, what they do.
package enum CommandWord: String, CaseIterable, Sendable {
    case help, nick, me, join, part, rooms, names, history, msg, query, conversations
    case create, key, invite, remove, members, forget
    case peers, whois, ping, trace, sync, ignore, unignore, connect, accept, refuse, stats, clear, quit

    /// Short forms people know from IRC.
    package static let aliases: [String: CommandWord] = [
        "j": .join, "w": .whois, "q": .quit, "queries": .conversations,
    ]

    package var arguments: String {
        switch self {
        case .help: "[COMMAND]"
        case .nick: "NAME"
        case .me: "TEXT"
        case .join: "#ROOM [KEY]"
        case .create, .forget: "#ROOM"
        case .key, .members: "[#ROOM]"
        case .invite, .remove: "NAME [#ROOM]"
        case .part, .names: "[#ROOM]"
        case .history: "[#ROOM] [N]"
        case .sync: "[status]"
        case .rooms, .conversations, .peers, .stats, .clear, .quit: ""
        case .msg: "NAME TEXT"
        case .whois, .ping, .trace, .unignore, .accept, .refuse: "NAME"
        case .ignore, .query: "[NAME]"
        case .connect: "NAME|HOST:PORT"
        }
    }

    package var summary: String {
        switch self {
        case .help: "list the commands, or explain one"
        case .nick: "change the name others see until you leave; you stay who you are"
        case .me: "say what you do: /me waves"
        case .join: "enter a room and talk there from now on; with a key, or if you are invited, a private one"
        case .create: "make a private room, marked '*', which only those whom you invite or tell its key can read"
        case .key: "show the key of this private room, or of the one named"
        case .invite: "send somebody the key of this private room, or of the one named"
        case .remove: "give this private room a new key, and send it to all but one"
        case .members: "list who is in this private room, or in the one named"
        case .forget: "leave a private room for good: its key and what was said there are deleted here"
        case .part: "leave this room, or the one named"
        case .rooms: "list the rooms you are in and those others are in"
        case .names: "list who is in this room, or the one named"
        case .history: "show the last 50 lines of where you talk, or the last N: /history 200"
        case .msg: "say something to one person alone, who need not be here now; nobody else can read it"
        case .query: "talk with one person alone from now on; without a name, talk in your room again"
        case .conversations: "list with whom you talked alone, and what was said last"
        case .peers: "list everybody known: state, hops, round trip, address, how found"
        case .whois: "tell what is known of somebody"
        case .ping: "measure how long it takes to somebody and back, over any number of hops; the answer is signed"
        case .trace: "show by which peers it went to somebody, each of whom signed for it"
        case .sync: "get now what others have and you lack; /sync status tells what is kept and who gave what"
        case .ignore: "hide what somebody says; alone, list whom you ignore"
        case .unignore: "show again what somebody says"
        case .connect: "link with somebody who is in sight, or with an address"
        case .accept: "let somebody who asked link with you"
        case .refuse: "do not let somebody who asked link with you"
        case .stats: "tell what is open and waiting, and what was turned down and why"
        case .clear: "clear the screen"
        case .quit: "say goodbye and end"
        }
    }

    package var usage: String {
        let alias = Self.aliases.first { $0.value == self }?.key
        let call = arguments.isEmpty ? "/\(rawValue)" : "/\(rawValue) \(arguments)"
        return alias.map { "\(call)  (or /\($0))" } ?? call
    }
}
