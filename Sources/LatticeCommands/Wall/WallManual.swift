package import ArgumentParser

/// What there is to say of a command of the wall, in the shell and in the chat.
package struct WallManual {
    /// Without `lattice` or the slash: `near [PLACE] [--radius 2km]`.
    let call: String
    let abstract: String
    let discussion: String
    /// Calls, each of which does something sensible.
    package let examples: [String]

    package init(_ call: String, _ abstract: String, discussion: String = "", examples: [String]) {
        self.call = call
        self.abstract = abstract
        self.discussion = discussion
        self.examples = examples
    }

    /// The words by which it is called: `event create`. Asked of every command whenever the program starts, so it looks at bytes.
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

    /// The same for a chat, where no option of the shell exists.
    var chatLines: [String] {
        ["/\(call)", "  \(abstract)"] + (discussion.isEmpty ? [] : ["  \(discussion)"])
            + examples.map { "  for example: /\($0)" }
    }
}

/// A command of the wall or a group of them.
package protocol WallManualled: ParsableCommand {
    static var manual: WallManual { get }
}
