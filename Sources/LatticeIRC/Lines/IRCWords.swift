import LatticeAPI

/// Sentences of the node name commands of the terminal chat. Clients get the commands of IRC and of `mesh` instead.
enum IRCWords {
    /// By the word behind the slash. What every IRC client has itself stands for itself: `/msg`, `/me`, `/query`, `/ignore`.
    private static let words: [String: String] = [
        "join": "JOIN", "j": "JOIN", "part": "PART", "nick": "NICK", "names": "NAMES", "members": "NAMES",
        "rooms": "LIST", "whois": "WHOIS", "w": "WHOIS", "invite": "INVITE", "remove": "KICK", "quit": "QUIT",
        "q": "QUIT", "history": "CHATHISTORY", "conversations": "CHATHISTORY TARGETS",
        "queries": "CHATHISTORY TARGETS", "create": "/msg mesh create", "key": "/msg mesh key",
        "forget": "/msg mesh forget", "peers": "/msg mesh peers", "stats": "/msg mesh stats",
        "sync": "/msg mesh sync", "help": "/msg mesh help",
        // For the node's owner alone.
        "accept": "'accept' in lattice chat", "refuse": "'refuse' in lattice chat",
        "connect": "'connect' in lattice chat", "ping": "'ping' in lattice chat", "trace": "'trace' in lattice chat",
        "clear": "'clear' in lattice chat",
    ]
    /// Which need a room.
    private static let ofRooms: Set<String> = ["create", "key", "forget"]

    static func said(_ sentence: String) -> String {
        guard sentence.utf8.contains(UInt8(ascii: "/")) else { return sentence }
        var said = ""
        var rest = Substring(sentence)
        while let slash = rest.firstIndex(of: "/") {
            let word = rest[rest.index(after: slash)...].prefix { $0.isLetter }
            said += rest[..<slash]
            let isFirst = said.last.map(isBefore) ?? true
            let behind = rest[word.endIndex...]
            // What goes on is a path.
            if isFirst, behind.first != "/", let told = words[String(word)] {
                said += ofRooms.contains(String(word)) && !namesRoom(behind) ? "\(told) #room" : told
            } else {
                said += "/\(word)"
            }
            rest = behind
        }
        return said + rest
    }

    private static func isBefore(_ character: Character) -> Bool {
        character.isWhitespace || "'\"(".contains(character)
    }

    /// Perhaps within marks that keep its direction to itself.
    private static func namesRoom(_ text: Substring) -> Bool {
        text.hasPrefix(" ") && text.dropFirst().prefix(3).contains("#")
    }

    static func said(_ error: RequestError) -> RequestError {
        RequestError(error.code, said(error.description), faults: error.faults, candidates: error.candidates)
    }
}
