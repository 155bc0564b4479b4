package enum CommandWord: String, CaseIterable, Sendable {
    case help, nick, me, join, part, rooms, names, history, msg, query, conversations
    case reply, react, urgent, pin, unpin, lines, next
    case send, get, open, files
    case create, key, invite, remove, members, forget
    case peers, whois, ping, trace, sync, ignore, unignore, connect, accept, refuse, stats, clear, away, back, quit

    /// Short forms that people know from IRC.
    package static let aliases: [String: CommandWord] = [
        "j": .join, "w": .whois, "q": .quit, "queries": .conversations,
    ]

    /// Words that people from IRC or other chats type, and the command they mean.
    package static let foreign: [String: CommandWord] = [
        "exit": .quit, "bye": .quit, "leave": .part, "who": .names, "users": .names, "list": .rooms,
        "channels": .rooms, "msgs": .conversations, "messages": .conversations, "tell": .msg, "dm": .msg, "pm": .msg,
        "action": .me, "name": .nick, "commands": .help, "kick": .remove,
    ]

    package var arguments: String {
        switch self {
        case .help: "[COMMAND|all]"
        case .nick: "NAME"
        case .me, .urgent: "TEXT"
        case .join: "#ROOM [KEY]"
        case .create, .forget: "#ROOM"
        case .key, .members: "[#ROOM]"
        case .invite, .remove: "NAME [#ROOM]"
        case .part, .names: "[#ROOM]"
        case .history: "[#ROOM] [N]"
        case .sync: "[status]"
        case .pin: "[N|TEXT]"
        case .away: "[TEXT]"
        case .send: "[NAME] PATH…"
        case .get, .open: "[N|NAME]"
        case .rooms, .files, .unpin, .back, .lines, .next, .conversations, .peers, .stats, .clear, .quit: ""
        case .msg: "NAME TEXT"
        case .reply: "N|NAME TEXT"
        case .react: "[N|NAME] EMOJI"
        case .whois, .ping, .trace, .unignore, .accept, .refuse: "NAME"
        case .ignore, .query: "[NAME]"
        case .connect: "NAME|HOST:PORT"
        }
    }

    package var summary: String {
        switch self {
        case .help: "list the commands, or explain one"
        case .nick: "change your name until you leave; your identity stays the same"
        case .me: "say what you do: /me waves"
        case .join: "enter a room and talk there; a key opens a private room"
        case .create: "make a private room that only its members can read"
        case .key: "show the key of a private room"
        case .invite: "send somebody the key of a private room"
        case .remove: "remove somebody from a private room: it gets a new key"
        case .members: "list the members of a private room"
        case .forget: "leave a private room and delete its key and messages here"
        case .part: "leave this room, or the one you name"
        case .rooms: "list rooms and conversations: unread, people, last line"
        case .names: "list who is in this room, or in the one you name"
        case .history: "show the last 50 messages here, or the last N"
        case .msg: "send a private message; it waits if they are away"
        case .reply: "answer a line by its number, or somebody's last line"
        case .react: "give a line an emoji; the same again takes it back"
        case .urgent: "say something urgent, shown on top for everybody"
        case .pin: "pin a line or a text in this room; alone, list the pins"
        case .unpin: "remove your pin from this room"
        case .lines: "show the last lines of this room with their numbers"
        case .send: "share a file or folder with this room, or send it to one person"
        case .get: "fetch a file by the number of its line, or by its name"
        case .open: "open a file with the program that your desktop has for it"
        case .files: "list the files that were shared"
        case .next: "go where something is unread, mentions first; Alt-A does the same"
        case .query: "talk privately with one person; without a name, go back"
        case .conversations: "list your private conversations"
        case .peers: "list everybody on the mesh, and how you reach them"
        case .whois: "show what is known about somebody"
        case .ping: "measure the round trip to somebody"
        case .trace: "show the path to somebody, hop by hop"
        case .sync: "fetch what you are missing; status shows how far you are"
        case .ignore: "hide what somebody says; without a name, list who is hidden"
        case .unignore: "show what somebody says again"
        case .connect: "connect to somebody nearby, or to an address"
        case .accept: "let somebody who asked connect to you"
        case .refuse: "do not let somebody who asked connect to you"
        case .stats: "show the counters of this node"
        case .clear: "clear the screen"
        case .away: "tell others you are away; only urgent messages ring"
        case .back: "end /away; show how many notifications you missed"
        case .quit: "say goodbye and leave"
        }
    }

    /// What `/help COMMAND` adds to the summary; often empty.
    package var details: [String] {
        switch self {
        case .help: ["/help all lists every command."]
        case .nick: ["A name that two people share is shown with a short id: bob#k7f3."]
        case .join: ["Rooms are public unless they have a star (#camp*). /join #camp KEY enters a private room."]
        case .create: ["The room is marked with a star: #camp*. /invite NAME lets somebody in, /key shows its key."]
        case .key: ["Anyone with the key can read the room."]
        case .remove: ["The new key goes to all other members. What was said before stays readable."]
        case .part: ["In a private conversation, /part goes back to your room."]
        case .history: ["For example /history 200, or /history #park 20."]
        case .msg:
            [
                "For example /msg bob on my way. Only bob can read it.",
                "A name with blanks goes in quotes: \"bob lee\".",
            ]
        case .reply: ["For example /reply 12 I am coming, or /reply bob I am coming. /lines shows the numbers."]
        case .react: ["For example /react 👍 for the last line, or /react 12 :+1: by name. /lines shows the numbers."]
        case .urgent:
            [
                "Everybody in the room sees it above their prompt until they type /dismiss. After three in 24 hours, further ones are sent as usual lines."
            ]
        case .pin:
            [
                "For example /pin 12, or /pin meet at the gate. /lines shows the numbers.",
                "Each person has one pin in a room, and the room shows the newest three pins.",
            ]
        case .lines:
            [
                "/reply, /react, /edit, /delete and /context take the number, and Tab goes through the last ones.",
                "/edit 12 TEXT and /delete 12 change a line of yours. Up on an empty line brings back your last one.",
            ]
        case .send:
            [
                "For example /send map.pdf, or /send \"my map.pdf\"; /send bob map.pdf is for bob alone.",
                "For one person and in private rooms files are encrypted.",
            ]
        case .get:
            [
                "For example /get 12, or /get map.pdf --output /tmp; alone it gets the newest one here.",
                "It is saved in your download folder, and a notice says when. /help file has the rest.",
            ]
        case .open:
            [
                "For example /open 12, or /open map.pdf. A file that is not here yet is fetched first.",
                "Open it again once a notice says that it is saved.",
            ]
        case .query: ["For example /query bob: what you type from then on goes to bob alone."]
        case .ping, .trace: ["The answer is signed, so a relay cannot fake it."]
        case .connect: ["For example /connect bob, or /connect 10.0.0.7:4000."]
        case .away:
            [
                "For example /away at lunch. /names and /whois show it to others.",
                "It lasts until /back or until the node ends. A service keeps it after /quit.",
            ]
        case .quit: ["Ctrl-C or Ctrl-D on an empty line does the same."]
        case .me, .files, .unpin, .back, .next, .invite, .members, .forget, .rooms, .names, .conversations, .peers,
            .whois,
            .sync,
            .ignore,
            .unignore, .accept, .refuse, .stats, .clear:
            []
        }
    }

    /// How the command is typed: `/join #ROOM [KEY]`.
    package var call: String { arguments.isEmpty ? "/\(rawValue)" : "/\(rawValue) \(arguments)" }

    /// `call` with its short form.
    package var usage: String {
        let alias = Self.aliases.filter { $0.value == self }.keys.min()
        return alias.map { "\(call)  (or /\($0))" } ?? call
    }
}
