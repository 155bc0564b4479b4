import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeHost
import LatticeSettings

struct MessagesCommand: SharedCommand {
    static let manual = CommandManual(
        "messages [PEER] [-n 50]", "Show your private conversations, or your messages with one person.",
        discussion: """
            The other person need not be online. Without PEER it shows the last message of each conversation, newest first; \
            with PEER (a name, a name with its short id, or an id) the last messages with that person. An arrow marks your \
            own. Messages of people you block are hidden until you unblock them.
            """,
        examples: ["messages", "messages bob -n 200", "messages bob#k7f3 --json"])

    @Argument(help: "The person: bob, bob#k7f3 or an id. (default: everybody)") var peer: String?

    @Option(
        name: [.customShort("n"), .customLong("lines")],
        help: ArgumentHelp(
            "How many messages, 1 to 10000 (default: 50), or how many conversations (default: all).",
            valueName: "n"),
        transform: Arguments.number(1...HistoryQuery.limitMax, "-n"))
    var lines: Int?

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        guard let peer else {
            let messages = Array(try await node.perform(ListConversations()).messages.prefix(lines ?? .max))
            return PrivateLines.conversations(messages, PrivateLines.names(of: messages), context)
        }
        let lines = lines ?? 50
        let other = try await Addressee.find(peer, on: node)
        let messages = try await node.perform(ListPrivateMessages(PeerReference(other), limit: lines)).messages
        guard !messages.isEmpty else { return .none(PrivateLines.nothing(with: DisplayText.isolated(peer))) }
        return PrivateLines.output(messages, limit: lines, context)
    }
}
