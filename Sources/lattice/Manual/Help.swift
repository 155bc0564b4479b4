import ArgumentParser
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeGuide
import LatticeSettings

/// Handles requests for help: `lattice help …`, `lattice COMMAND --help`, and `lattice` alone.
enum Help {
    enum Question: Equatable {
        case first
        case all
        case options
        case guide
        case command([String])
        /// A command and the article of the same name: `chat`, `irc`.
        case commandAndTopic(String)
        case topic(String)
        case chatCommand(CommandWord)
        case unknown(String)
    }

    /// - Returns: `nil` if the arguments run a command.
    static func question(in words: [String]) -> Question? {
        guard let first = words.first, first != "--help", first != "-h" else { return .first }
        if first == "help" { return asked(words.dropFirst().filter { !isHelp($0) }) }
        guard words.prefix(while: { $0 != "--" }).contains(where: isHelp) else { return nil }
        let command = command(in: words)
        return command.isEmpty ? nil : .command(command)
    }

    private static func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

    private static func asked(_ words: [String]) -> Question {
        guard let word = words.first else { return .first }
        switch word {
        case "all", "commands": return .all
        case "options": return .options
        case "guide", "topics": return .guide
        default: break
        }
        let command = command(in: words)
        if command == [word], Guide.topics.contains(word) { return .commandAndTopic(word) }
        if !command.isEmpty { return .command(command) }
        let slashed = word.hasPrefix("/") ? String(word.dropFirst()) : word
        if !word.hasPrefix("/"), let article = Guide.article(word) { return .topic(article.topic) }
        if let chat = CommandWord(rawValue: slashed) ?? CommandWord.aliases[slashed] { return .chatCommand(chat) }
        return .unknown(word)
    }

    /// The leading words that name a command, such as `store keep`.
    private static func command(in words: [String]) -> [String] {
        var type: any ParsableCommand.Type = Lattice.self
        return words.prefix { word in
            guard let part = type.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            else { return false }
            type = part
            return true
        }
    }

    /// The text to print.
    ///
    /// - Returns: `nil` if nothing has that name.
    static func lines(_ question: Question, _ screen: HelpScreen) -> [String]? {
        let article = ArticleText(screen: screen)
        switch question {
        case .first: return HelpPages.short(screen)
        case .all: return HelpPages.all(screen)
        case .options: return text(CommonOptions.page)
        case .guide: return article.lines(Guide.landing)
        case .topic(let topic):
            return Guide.articles.first { $0.topic == topic }.map(article.lines)
        case .chatCommand(let word):
            return screen.wrapped(
                "\(word.usage) is a chat command: \(word.summary). Type it in 'lattice chat'.")
        case .command(let words):
            let page = Lattice.helpMessage(for: type(of: words), columns: screen.columns)
            let hasTopic = words.count == 1 && Guide.topics.contains(words[0])
            return text(CommonOptions.below(page)) + (hasTopic ? ["", "Guide: lattice help \(words[0])"] : [])
        case .commandAndTopic(let word):
            let page = Lattice.helpMessage(for: type(of: [word]), columns: screen.columns)
            let topic = Guide.articles.first { $0.topic == word }.map(article.lines) ?? []
            return text(CommonOptions.below(page)) + ["", ""] + topic
        case .unknown: return nil
        }
    }

    private static func type(of words: [String]) -> any ParsableCommand.Type {
        words.reduce(Lattice.self) { type, word in
            type.configuration.subcommands.first { $0.configuration.commandName == word } ?? type
        }
    }

    private static func text(_ page: String) -> [String] {
        let page = page.hasSuffix("\n") ? page.dropLast() : page[...]
        return page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The error for an unknown word, with the nearest known one.
    static func objection(to word: String) -> String {
        let commands = Lattice.configuration.subcommands.compactMap { $0.configuration.commandName }
        let nearest = Suggestion.text(
            word,
            among: commands + Guide.topics + ["all", "options", "guide"] + CommandWord.allCases.map { $0.rawValue })
        return "there is no command or topic \(DisplayText.isolated(String(word.prefix(32))))\(nearest)"
    }
}
