package import ArgumentParser

/// The options that most commands share. `lattice help options` explains them; the help of a command only refers to it.
package struct CommonOptions: ParsableCommand {
    /// Title of their section in the help of a command.
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

    /// The page of `lattice help options`.
    package static var page: String { withoutGeneral(sections(of: helpMessage())).joined(separator: "\n\n") + "\n" }

    /// The help of a command without the common options, with a hint where to find them.
    ///
    /// - Parameter help: as the argument parser renders it: sections separated by empty lines.
    package static func below(_ help: String) -> String {
        let sections = sections(of: help)
        let own = sections.filter { !$0.hasPrefix("\(title.uppercased()):") }
        return (withoutGeneral(own) + (own.count < sections.count ? [hint] : [])).joined(separator: "\n\n") + "\n"
    }

    private static func sections(of help: String) -> [String] {
        help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .split { $0.allSatisfy(\.isWhitespace) }.map { $0.joined(separator: "\n") }
    }

    /// Removes the parser's own two options, and a section that is empty then.
    private static func withoutGeneral(_ sections: [String]) -> [String] {
        sections.compactMap { section in
            guard section.hasPrefix("OPTIONS:") else { return section }
            // An entry includes the lines that its text wraps onto.
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
