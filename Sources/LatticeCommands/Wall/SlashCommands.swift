package import ArgumentParser
package import LatticeAPI
package import LatticeChat

/// The commands of the wall as the chat takes them: `/near` is `lattice near`.
package struct SlashCommands: ChatExtension {
    /// Commands without a group, and the groups.
    private static let top: [any WallManualled.Type] = WallCommands.top
    private static let topWords = top.map { $0.manual.words }

    private let list = ShownList()
    private let hasColor: Bool

    /// - Parameter hasColor: whether the chat shows colours.
    package init(hasColor: Bool = false) {
        self.hasColor = hasColor
    }

    package var words: [String] { Self.topWords }

    package var usage: [(call: String, summary: String)] {
        Self.top.map { type in
            ("/\(type.manual.shortCall)", type.manual.summary)
        }
    }

    package func help(_ topic: String) -> [String] {
        let words = topic.split(separator: " ")
        for length in [2, 1] {
            let wanted = words.prefix(length).joined(separator: " ")
            guard let type = WallCommands.all.first(where: { $0.manual.words == wanted }) else { continue }
            let parts = WallCommands.all.filter { $0.manual.words.hasPrefix(wanted + " ") }
            return type.manual.chatLines + parts.map { "  /\($0.manual.call): \($0.manual.abstract)" }
        }
        return ["there is no such command; /help lists them"]
    }

    package func run(_ word: String, _ rest: String, on node: any MeshNode) async -> WallOutput {
        do {
            return try await command(word, rest)?.output(
                on: NumberedNode(node: node, list: list), context: Surroundings.ofChat(hasColor: hasColor))
                ?? WallOutput(help("\(word) \(rest)"))
        } catch let failure as WallFailure {
            return WallOutput(failure: failure)
        } catch {
            let message = CommandsRoot.message(for: error)
            let told = ArgumentWords.told(message, example: Self.example(word, rest))
            return WallOutput(
                failure: .usage("\(told) (see /help \(word))", field: UsageField.name(in: message)))
        }
    }

    /// - Returns: `nil` if help was asked for, or only a group was named.
    private func command(_ word: String, _ rest: String) throws -> (any WallCommand)? {
        let typed: [String]
        do {
            typed = try Self.words(word, rest)
        } catch {
            throw WallFailure.usage(error.description)
        }
        let names = typed.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
        if names.contains("--help") || names.contains("-h") || typed.suffix(2) == ["--", "-h"] { return nil }
        if let foreign = names.first(where: ShellOptionNames.all.contains) {
            throw WallFailure.usage(
                "\(foreign) works only in the shell, with 'lattice \(word)'; remove it here")
        }
        do {
            let command = try CommandsRoot.parseAsRoot([word] + ArgumentWords.shielded(typed)) as? any WallCommand
            try command?.check()
            return command
        } catch  where CommandsRoot.exitCode(for: error) == .success {
            return nil
        }
    }
}

extension SlashCommands {
    private static func words(_ word: String, _ rest: String) throws(WordSplitter.Fault) -> [String] {
        let part = rest.prefix { !$0.isWhitespace }
        if let type = type("\(word) \(part)"), let count = type.wordsBeforeText {
            return [String(part)]
                + (try WordSplitter.arguments(
                    of: String(rest.dropFirst(part.count)), wordsBefore: count, areOne: ArgumentWords.areOneDate))
        }
        guard let count = type(word)?.wordsBeforeText else { return try WordSplitter.words(of: rest) }
        return try WordSplitter.arguments(of: rest, wordsBefore: count)
    }

    private static func example(_ word: String, _ rest: String) -> String? {
        let words = [word] + rest.split(separator: " ").map(String.init)
        return WallCommands.named(words)?.manual.examples.first.map { "/\($0)" }
    }

    private static func type(_ words: String) -> (any WallCommand.Type)? {
        WallCommands.all.first { $0.manual.words == words } as? any WallCommand.Type
    }
}

/// Every command of the wall.
package enum WallCommands {
    package static let posts: [any WallManualled.Type] = [
        PostCommand.self, NearCommand.self, ShowCommand.self, CommentCommand.self, LikeCommand.self,
        UnlikeCommand.self, EditCommand.self, DeleteCommand.self, SearchCommand.self, HereCommand.self,
    ]
    package static let people: [any WallManualled.Type] = [
        TimelineCommand.self, ActivityCommand.self, FollowCommand.self, UnfollowCommand.self, ProfileCommand.self,
        EventCommand.self,
    ]
    package static let store: [any WallManualled.Type] = [StoreCommand.self, ExportCommand.self, ImportCommand.self]

    package static let known: [any WallManualled.Type] = [
        ContactsCommand.self, VerifyCommand.self, BlockCommand.self, UnblockCommand.self, MuteCommand.self,
        UnmuteCommand.self,
    ]

    /// A chat has its own forms of these.
    package static let past: [any WallManualled.Type] = [SyncCommand.self, HistoryCommand.self]

    /// The chat has commands of its own for the same.
    package static let letters: [any WallManualled.Type] = [SendCommand.self, MessagesCommand.self]

    /// Commands that are the same in the shell and in the chat.
    static let top = posts + people + store + known
    package static let shell = top + past + letters

    /// Includes the subcommands of groups.
    static var all: [any WallManualled.Type] { withParts(top) }

    /// The command that these words name or begin with.
    package static func named(_ words: [String]) -> (any WallManualled.Type)? {
        [2, 1].lazy.compactMap { length in
            let name = words.prefix(length).joined(separator: " ")
            return withParts(shell).first { $0.manual.words == name }
        }.first
    }

    /// Whether the word after a group may be an argument of its default subcommand instead of a subcommand's name.
    package static func takesArguments(_ type: any ParsableCommand.Type) -> Bool {
        type == ProfileCommand.self || type == BlockCommand.self
    }

    static func withParts(_ types: [any WallManualled.Type]) -> [any WallManualled.Type] {
        types.flatMap { type in
            [type] + type.configuration.subcommands.compactMap { $0 as? any WallManualled.Type }
        }
    }
}

extension WallManual {
    /// The call without its options, for a list of commands.
    fileprivate var shortCall: String {
        let words = call.split(separator: " ")
        let end = words.firstIndex { $0.hasPrefix("[--") || $0.hasPrefix("--") } ?? words.endIndex
        let call = words[..<end].joined(separator: " ")
        return call + (end < words.endIndex && !call.hasSuffix("…") ? " …" : "")
    }

    /// The abstract in the style of the chat's own commands: `list what was left around you`.
    fileprivate var summary: String {
        abstract.prefix(1).lowercased() + abstract.dropFirst().dropLast()
    }
}
