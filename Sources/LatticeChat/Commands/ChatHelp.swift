/// What `/help` shows: six groups on one screen, every command, or one command.
struct ChatHelp {
    /// A group of the overview; it may name commands of the chat and of its extension.
    private struct Group {
        let title: String
        /// The entries of the overview; the first word of each is the command.
        let shown: [String]
        /// Commands that only `/help all` lists.
        let others: [String]
    }

    private static let groups = [
        Group(
            title: "Talk", shown: ["reply N", "react N 👍", "history", "search WORDS", "nick NAME"],
            others: ["me", "urgent", "dismiss", "pin", "unpin", "away", "back", "lines", "clear"]),
        Group(
            title: "Rooms", shown: ["join #ROOM", "part", "rooms", "names", "next", "create #ROOM", "invite NAME"],
            others: ["key", "remove", "members", "forget", "mute", "unmute"]),
        Group(
            title: "People", shown: ["msg NAME TEXT", "query NAME", "whois NAME", "verify NAME", "ignore", "block"],
            others: ["conversations", "contacts", "unignore", "unblock", "follow", "unfollow", "profile"]),
        Group(
            title: "Share",
            shown: ["send PATH", "get N", "view N", "post TEXT", "near", "show", "comment", "event", "notifications"],
            others: [
                "open", "files", "file", "here", "timeline", "posts", "like", "unlike", "edit", "delete", "export",
                "import",
            ]),
        Group(
            title: "Network", shown: ["peers", "ping NAME", "trace NAME", "connect", "sync", "doctor"],
            others: ["accept", "refuse", "stats", "store"]),
        Group(title: "Leave", shown: ["quit"], others: ["help"]),
    ]

    private static let titleColumns = 9
    /// After a longer call, the summary follows two blanks later.
    private static let callColumnsMax = 24

    let slash: (any ChatExtension)?

    var words: [String] { CommandWord.allCases.map(\.rawValue) + (slash?.words ?? []) }

    var overview: [String] {
        let known = Set(words)
        let rows = Self.groups.map { group -> String in
            let calls = group.shown.filter { known.contains($0.firstWord) }.map { "/\($0)" }
            let first = group.title == "Talk" ? ["type and press Enter"] : []
            let last = group.title == "Leave" ? ["or Ctrl-C on an empty line"] : []
            return Self.row(group.title, (first + calls + last).joined(separator: "  "), columns: Self.titleColumns)
        }
        return rows + ["/help COMMAND explains one, /help all lists every command."]
    }

    var all: [String] {
        let usage = (slash?.usage ?? []).map { (word: String($0.call.dropFirst().firstWord), $0.call, $0.summary) }
        let lines = CommandWord.allCases.map { ($0.rawValue, $0.call, $0.summary) } + usage
        var rest = lines
        var shown: [String] = []
        for group in Self.groups {
            let names = (group.shown + group.others).map(\.firstWord)
            shown.append("\(group.title):")
            for name in names {
                guard let index = rest.firstIndex(where: { $0.0 == name }) else { continue }
                let line = rest.remove(at: index)
                shown.append(Self.row("  \(line.1)", line.2, columns: Self.callColumnsMax))
            }
        }
        if !rest.isEmpty {
            shown.append("More:")
            shown += rest.map { Self.row("  \($0.1)", $0.2, columns: Self.callColumnsMax) }
        }
        return shown + [
            "//x says /x. A name that two people share is typed with its short id: bob#k7f3."
        ]
    }

    /// One command, with or without its slash.
    ///
    /// - Throws: `CommandError` if there is no such command.
    func topic(_ topic: String) throws(CommandError) -> [String] {
        let name = (topic.hasPrefix("/") ? String(topic.dropFirst()) : topic).lowercased()
        if name == "all" { return all }
        if let slash, slash.words.contains(name.firstWord) { return slash.help(name) }
        guard let word = CommandWord(rawValue: name) ?? CommandWord.aliases[name] else {
            throw CommandError(
                code: "badCommand", description: UnknownCommand(String(topic.drop { $0 == "/" }), words).sentence)
        }
        return [word.usage, "  \(word.summary.sentence)"] + word.details.map { "  \($0)" }
    }

    private static func row(_ head: String, _ text: String, columns: Int) -> String {
        head + String(repeating: " ", count: max(2, columns - DisplayWidth.columns(of: head))) + text
    }
}

extension StringProtocol {
    fileprivate var firstWord: String { String(prefix { !$0.isWhitespace }) }
}

extension String {
    /// Adds a capital and a full stop.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
