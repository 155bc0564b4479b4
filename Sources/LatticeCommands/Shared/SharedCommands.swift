package import ArgumentParser
package import LatticeAPI
package import LatticeChat

/// The shared commands as the chat takes them: `/near` is `lattice near`.
package struct SlashCommands: ChatExtension {
    /// Commands without a group, and the groups.
    private static let top: [any Manualled.Type] = SharedCommands.top
    private static let topWords = top.map { $0.manual.words }

    private let list = ShownList()
    private let hasColor: Bool
    private let drawsPictures: Bool

    /// - Parameters:
    ///   - hasColor: whether the chat shows colours.
    ///   - drawsPictures: as in `CommandContext`.
    package init(hasColor: Bool = false, drawsPictures: Bool = false) {
        (self.hasColor, self.drawsPictures) = (hasColor, drawsPictures)
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
            guard let type = SharedCommands.all.first(where: { $0.manual.words == wanted }) else { continue }
            let parts = SharedCommands.all.filter { $0.manual.words.hasPrefix(wanted + " ") }
            return type.manual.chatLines + parts.map { "  /\($0.manual.call): \($0.manual.abstract)" }
        }
        return ["there is no such command; /help lists them"]
    }

    package func run(
        _ word: String, _ rest: String, on node: any MeshNode, progress: @escaping CommandProgress
    ) async -> CommandOutput {
        var context = Surroundings.ofChat(hasColor: hasColor, drawsPictures: drawsPictures)
        context.progress = progress
        do {
            return try await command(word, rest)?.output(on: NumberedNode(node: node, list: list), context: context)
                ?? CommandOutput(help("\(word) \(rest)"))
        } catch let failure as CommandFailure {
            return CommandOutput(failure: failure)
        } catch {
            let message = CommandsRoot.message(for: error)
            let told = ArgumentWords.told(message, example: Self.example(word, rest))
            return CommandOutput(
                failure: .usage("\(told) (see /help \(word))", field: UsageField.name(in: message)))
        }
    }

    /// - Returns: `nil` if help was asked for, or only a group was named.
    private func command(_ word: String, _ rest: String) throws -> (any SharedCommand)? {
        let typed: [String]
        do {
            typed = try Self.words(word, rest)
        } catch {
            throw CommandFailure.usage(error.description)
        }
        let names = typed.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
        if names.contains("--help") || names.contains("-h") || typed.suffix(2) == ["--", "-h"] { return nil }
        if let foreign = names.first(where: ShellOptionNames.all.contains) {
            throw CommandFailure.usage(
                "\(foreign) works only in the shell, with 'lattice \(word)'; remove it here")
        }
        do {
            let command = try CommandsRoot.parseAsRoot([word] + ArgumentWords.shielded(typed)) as? any SharedCommand
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
                    of: String(rest.dropFirst(part.count)), wordsBefore: count, flags: type.flags,
                    areOne: ArgumentWords.areOneDate))
        }
        guard let type = type(word), let count = type.wordsBeforeText else { return try WordSplitter.words(of: rest) }
        return try WordSplitter.arguments(of: rest, wordsBefore: count, flags: type.flags)
    }

    private static func example(_ word: String, _ rest: String) -> String? {
        let words = [word] + rest.split(separator: " ").map(String.init)
        return SharedCommands.named(words)?.manual.examples.first.map { "/\($0)" }
    }

    private static func type(_ words: String) -> (any SharedCommand.Type)? {
        SharedCommands.all.first { $0.manual.words == words } as? any SharedCommand.Type
    }
}

package enum SharedCommands {
    package static let posts: [any Manualled.Type] = [
        PostCommand.self, NearCommand.self, ShowCommand.self, ViewCommand.self, CommentCommand.self, LikeCommand.self,
        UnlikeCommand.self, EditCommand.self, DeleteCommand.self, SearchCommand.self, ContextCommand.self,
        HereCommand.self, PlacesCommand.self, PlaceCommand.self, GoCommand.self, DraftsCommand.self,
        MeshCommand.self, BridgeCommand.self,
    ]
    package static let people: [any Manualled.Type] = [
        TimelineCommand.self, PostsCommand.self, NotificationsCommand.self, NotifyCommand.self, DismissCommand.self,
        FollowCommand.self,
        UnfollowCommand.self,
        ProfileCommand.self,
        EventCommand.self,
        FileCommand.self, MapCommand.self,
    ]
    package static let store: [any Manualled.Type] = [StoreCommand.self, ExportCommand.self, ImportCommand.self]

    package static let known: [any Manualled.Type] = [
        ContactsCommand.self, VerifyCommand.self, BlockCommand.self, UnblockCommand.self, MuteCommand.self,
        UnmuteCommand.self,
    ]

    /// A chat has its own forms of these.
    package static let past: [any Manualled.Type] = [SyncCommand.self, HistoryCommand.self]

    /// The chat has commands of its own for the same.
    package static let messages: [any Manualled.Type] = [SendCommand.self, MessagesCommand.self, RoomsCommand.self]

    /// Commands that are the same in the shell and in the chat.
    static let top = posts + people + store + known
    package static let shell = top + past + messages

    /// Includes the subcommands of groups.
    static var all: [any Manualled.Type] { withParts(top) }

    /// The command that these words name or begin with.
    package static func named(_ words: [String]) -> (any Manualled.Type)? {
        [2, 1].lazy.compactMap { length in
            let name = words.prefix(length).joined(separator: " ")
            return withParts(shell).first { $0.manual.words == name }
        }.first
    }

    /// Whether the word after a group may be an argument of its default subcommand instead of a subcommand's name.
    package static func takesArguments(_ type: any ParsableCommand.Type) -> Bool {
        type == ProfileCommand.self || type == BlockCommand.self
    }

    static func withParts(_ types: [any Manualled.Type]) -> [any Manualled.Type] {
        types.flatMap { type in
            [type] + type.configuration.subcommands.compactMap { $0 as? any Manualled.Type }
        }
    }
}

extension CommandManual {
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
