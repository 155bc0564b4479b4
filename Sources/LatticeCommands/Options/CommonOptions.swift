package import ArgumentParser

/// The options that most commands share. They are explained once, in `lattice help options`; the help of a command only points there.
package struct CommonOptions: ParsableCommand {
    /// The section in which a command lists them.
    package static let title = "Common options"
    static let hint = "Common options (name, data folder, network): lattice help options"

    package static let configuration = CommandConfiguration(
        commandName: "options", abstract: "Options that most commands take.", usage: "lattice COMMAND [options]",
        discussion: """
            Each of them can also be set once, in the settings file or in the environment; see 'lattice help config'. \
            The log options are for commands that keep running.
            """)

    @OptionGroup(title: "Identity") var person: PersonOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Texts") var length: TextLengthOptions
    @OptionGroup(title: "Log") var logging: LogOptions

    package init() {}

    /// All of them, for people.
    package static var page: String { withoutGeneral(sections(of: helpMessage())).joined(separator: "\n\n") + "\n" }

    /// The help of a command without the options that every command has, and where to find those.
    ///
    /// - Parameter help: as the parser of arguments renders it: sections, an empty line between them.
    package static func below(_ help: String) -> String {
        let sections = sections(of: help)
        let own = sections.filter { !$0.hasPrefix("\(title.uppercased()):") }
        return (withoutGeneral(own) + (own.count < sections.count ? [hint] : [])).joined(separator: "\n\n") + "\n"
    }

    private static func sections(of help: String) -> [String] {
        help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .split { $0.allSatisfy(\.isWhitespace) }.map { $0.joined(separator: "\n") }
    }

    /// Without the two options of the parser itself, and without a section that holds nothing else.
    private static func withoutGeneral(_ sections: [String]) -> [String] {
        sections.compactMap { section in
            guard section.hasPrefix("OPTIONS:") else { return section }
            // An entry goes with the lines that its text was wrapped onto.
            var isGeneral = false
            let lines = section.split(separator: "\n").filter { line in
                if line.hasPrefix("  -") {
                    isGeneral = ["  --version", "  -h, --help"].contains { line == $0 || line.hasPrefix("\($0) ") }
                }
                return !isGeneral
            }
            return lines.count > 1 ? lines.joined(separator: "\n") : nil
        }
    }
}
