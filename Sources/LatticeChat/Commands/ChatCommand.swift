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
    case peers
    case whois(String)
    case ping(String)
    case trace(String)
    case ignore(String?)
    case unignore(String)
    case connect(String)
    case accept(String)
    case refuse(String)
    case clear
    case quit
}

/// The table of commands: what they are called, what they take, what they do.
package enum CommandWord: String, CaseIterable, Sendable {
    case help, nick, me, join, part, rooms, names, peers, whois, ping, trace, ignore, unignore, connect, accept
    case refuse, clear, quit

    /// Short forms people know from IRC.
    package static let aliases: [String: CommandWord] = ["j": .join, "w": .whois, "q": .quit]

    package var arguments: String {
        switch self {
        case .help: "[COMMAND]"
        case .nick: "NAME"
        case .me: "TEXT"
        case .join: "#ROOM"
        case .part, .names: "[#ROOM]"
        case .rooms, .peers, .clear, .quit: ""
        case .whois, .ping, .trace, .unignore, .accept, .refuse: "NAME"
        case .ignore: "[NAME]"
        case .connect: "NAME|HOST:PORT"
        }
    }

    package var summary: String {
        switch self {
        case .help: "lists the commands, or explains one"
        case .nick: "changes the name others see until you leave; you stay who you are"
        case .me: "says what you do: /me waves"
        case .join: "enters a room and talks there from now on"
        case .part: "leaves this room, or the one named"
        case .rooms: "lists the rooms you are in and those others are in"
        case .names: "lists who is in this room, or the one named"
        case .peers: "lists everybody known: state, hops, round trip, address, how found"
        case .whois: "tells what is known of somebody"
        case .ping: "measures how long it takes to somebody and back, over any number of hops; the answer is signed"
        case .trace: "shows by which peers it went to somebody, each of whom signed for it"
        case .ignore: "hides what somebody says; alone, lists whom you ignore"
        case .unignore: "shows again what somebody says"
        case .connect: "links with somebody who is in sight, or with an address"
        case .accept: "lets somebody who asked link with you"
        case .refuse: "does not let somebody who asked link with you"
        case .clear: "clears the screen"
        case .quit: "says goodbye and ends"
        }
    }

    package var usage: String {
        let alias = Self.aliases.first { $0.value == self }?.key
        let call = arguments.isEmpty ? "/\(rawValue)" : "/\(rawValue) \(arguments)"
        return alias.map { "\(call)  (or /\($0))" } ?? call
    }
}
