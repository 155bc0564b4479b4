import FoundationEssentials

/// The argument parser's description of the commands.
package struct CommandTree: Decodable {
    struct Argument: Decodable, Equatable {
        struct Name: Decodable, Equatable {
            let kind: String
            let name: String

            /// `--wait`, `-n`.
            var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
        }

        let kind: String
        let shouldDisplay: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let abstract: String?
        let sectionTitle: String?
    }

    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool
    let subcommands: [CommandTree]?
    let arguments: [Argument]?

    /// The commands that help shows.
    var parts: [CommandTree] { (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" } }

    private struct Whole: Decodable {
        let command: CommandTree
    }

    /// - Parameter dump: what the parser of arguments writes of a command.
    package static func decoded(_ dump: String) throws -> CommandTree {
        try JSONDecoder().decode(Whole.self, from: Data(dump.utf8)).command
    }
}
