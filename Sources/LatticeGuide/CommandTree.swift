import ArgumentParser
import FoundationEssentials

/// What the argument parser knows about the commands.
struct CommandTree: Decodable {
    struct Argument: Decodable, Equatable {
        struct Name: Decodable, Equatable {
            let kind: String
            let name: String

            /// `--wait`, `-n`.
            var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
        }

        let kind: String
        let shouldDisplay: Bool
        let isOptional: Bool
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

    static func ofProgram() throws -> CommandTree { try decoded(Lattice._dumpHelp()) }

    /// The options that most commands take.
    static func ofCommonOptions() throws -> CommandTree { try decoded(CommonOptions._dumpHelp()) }

    private static func decoded(_ text: String) throws -> CommandTree {
        try JSONDecoder().decode(Whole.self, from: Data(text.utf8)).command
    }
}
