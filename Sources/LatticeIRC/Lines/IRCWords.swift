import LatticeAPI

/// Rewrites sentences of the node that name commands of the terminal chat: clients see the commands of IRC and of
/// `mesh`.
enum IRCWords {
    /// Keyed by the word after the slash. Commands of every IRC client stay: `/msg`, `/me`, `/query`, `/ignore`.
    private static let words: [String: String] = [
        "join": "JOIN", "j": "JOIN", "part": "PART", "nick": "NICK", "names": "NAMES", "members": "NAMES",
        "rooms": "LIST", "whois": "WHOIS", "w": "WHOIS", "invite": "INVITE", "remove": "KICK", "quit": "QUIT",
        "q": "QUIT", "history": "CHATHISTORY", "conversations": "CHATHISTORY TARGETS",
        "queries": "CHATHISTORY TARGETS", "create": "/msg mesh create", "key": "/msg mesh key",
        "forget": "/msg mesh forget", "peers": "/msg mesh peers", "stats": "/msg mesh stats",
        "sync": "/msg mesh sync", "help": "/msg mesh help",
        // For the node's owner only.
        "accept": "'accept' in lattice chat", "refuse": "'refuse' in lattice chat",
        "connect": "'connect' in lattice chat", "ping": "'ping' in lattice chat", "trace": "'trace' in lattice chat",
        "clear": "'clear' in lattice chat",
    ]
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
            // A slash after the word means that it is a path.
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

    /// Whether a room follows, perhaps inside direction isolates.
    private static func namesRoom(_ text: Substring) -> Bool {
        text.hasPrefix(" ") && text.dropFirst().prefix(3).contains("#")
    }

    static func said(_ error: RequestError) -> RequestError {
        RequestError(error.code, said(error.description), faults: error.faults, candidates: error.candidates)
    }
}
