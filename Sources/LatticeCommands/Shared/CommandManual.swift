package import ArgumentParser

/// The manual of a shared command, for the shell and the chat.
package struct CommandManual {
    /// Without `lattice` or the slash: `near [PLACE] [--radius 2km]`.
    let call: String
    let abstract: String
    let discussion: String
    /// Example calls, each of which works as it stands.
    package let examples: [String]

    package init(_ call: String, _ abstract: String, discussion: String = "", examples: [String]) {
        self.call = call
        self.abstract = abstract
        self.discussion = discussion
        self.examples = examples
    }

    /// The words that call it: `event create`. Runs for every command at every start of the program, so it works on bytes.
    package var words: String {
        let words = call.utf8.split(separator: UInt8(ascii: " "))
        let names = words.prefix { $0.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } }
        return names.map { String(Substring($0)) }.joined(separator: " ")
    }

    /// Without the options, which the help lists below it.
    private var shortCall: Substring {
        call[..<(call.firstRange(of: " [-")?.lowerBound ?? call.endIndex)]
    }

    package func configuration(
        subcommands: [any ParsableCommand.Type] = [], default: (any ParsableCommand.Type)? = nil
    ) -> CommandConfiguration {
        let lines = [discussion, "For example:", examples.map { "  lattice \($0)" }.joined(separator: "\n")]
        return CommandConfiguration(
            commandName: words.split(separator: " ").last.map(String.init), abstract: abstract,
            usage: subcommands.isEmpty ? "lattice \(shortCall) [options]" : "lattice \(call)",
            discussion: lines.filter { !$0.isEmpty }.joined(separator: "\n\n"), subcommands: subcommands,
            defaultSubcommand: `default`)
    }

    /// The same for a chat, which has none of the shell's options.
    var chatLines: [String] {
        ["/\(call)", "  \(abstract)"] + (discussion.isEmpty ? [] : ["  \(discussion)"])
            + examples.map { "  for example: /\($0)" }
    }
}

/// A shared command or a group of them.
package protocol Manualled: ParsableCommand {
    static var manual: CommandManual { get }
}
