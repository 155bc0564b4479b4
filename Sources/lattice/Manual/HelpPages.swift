import ArgumentParser
import LatticeGuide

/// The pages of `lattice help` that list commands.
enum HelpPages {
    /// The commands that people need first. At most 25 lines on a terminal of 80 columns.
    static let first: [(group: String, rows: [(term: String, meaning: String)])] = [
        (
            "Talk",
            [
                ("lattice chat", "talk in this terminal"),
                ("lattice send, messages", "private messages"),
            ]
        ),
        (
            "Posts",
            [
                ("lattice post, near, show", "leave and read posts at places"),
                ("lattice notifications", "who answered"),
            ]
        ),
        (
            "Other ways in",
            [
                ("lattice web", "open the page in a browser"),
                ("lattice irc", "let IRC clients in"),
                ("lattice run", "keep a node running in the background"),
            ]
        ),
        (
            "Network",
            [
                ("lattice invite, join", "bring somebody in"),
                ("lattice share", "hand this program to others here"),
                ("lattice peers", "who is connected"),
                ("lattice doctor", "find out why nobody appears"),
            ]
        ),
    ]

    static func short(_ screen: HelpScreen) -> [String] {
        let width = first.flatMap { $0.rows.map { $0.term.count } }.max() ?? 0
        var lines = screen.wrapped(Lattice.configuration.abstract)
        for (group, rows) in first {
            lines.append(screen.heading(group))
            lines += screen.definitions(
                rows.map { (padded(screen.code($0.term), from: $0.term.count, to: width), $0.meaning) })
        }
        return lines + [""]
            + screen.definitions(
                [
                    ("lattice help COMMAND", "one command and its options"),
                    ("lattice help all", "every command"),
                    ("lattice help TOPIC", Guide.topics.joined(separator: ", ")),
                ], indent: 0)
    }

    static func all(_ screen: HelpScreen) -> [String] {
        let groups = Lattice.configuration.groupedSubcommands.map { group in
            (group.name, group.subcommands.filter { $0.configuration.shouldDisplay })
        }
        let width = groups.flatMap { $0.1.map { ($0.configuration.commandName ?? "").count } }.max() ?? 0
        var lines = screen.wrapped("Every command. 'lattice help COMMAND' shows its options.")
        for (name, commands) in groups {
            lines += ["", screen.heading(name)]
            lines += screen.definitions(
                commands.map { command in
                    let word = command.configuration.commandName ?? ""
                    return (padded(screen.code(word), from: word.count, to: width), command.configuration.abstract)
                })
        }
        lines += ["", screen.heading("More")]
        return lines
            + screen.definitions([
                ("lattice help options", "options that most commands take"),
                ("lattice help TOPIC", Guide.topics.joined(separator: ", ")),
            ])
    }

    private static func padded(_ text: String, from count: Int, to width: Int) -> String {
        text + String(repeating: HelpScreen.fixedBlank, count: max(0, width - count))
    }
}
