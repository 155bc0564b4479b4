import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeSettings

struct StoreKeepCommand: SharedCommand {
    static let manual = CommandManual(
        "store keep [--days N] [--only chat,posts,people] [--room ROOM]… [--all]",
        "Show or limit which records of others this machine stores.",
        discussion: """
            A limit that you omit does not apply; --all removes all limits. Your own records are always stored. Records beyond \
            the limits are not fetched, and stored ones that are too old are removed within minutes.
            """,
        examples: [
            "store keep", "store keep --days 30", "store keep --only chat --room park --room gate", "store keep --all",
        ])

    @Option(
        help: ArgumentHelp("Nothing older than n days, 1 to 365.", valueName: "n"),
        transform: Arguments.number(RetentionRule.daysRange, "--days"))
    var days: Int?

    @Option(
        help: ArgumentHelp("Only these kinds, of chat, posts and people.", valueName: "kinds"), transform: Self.groups)
    var only: Set<RetentionRule.Group>?

    @Option(
        help: ArgumentHelp("Only chat lines of this room; repeatable.", valueName: "room"),
        transform: Arguments.roomName)
    var room: [RoomName] = []

    @Flag(help: "Everything.") var all = false
    @OptionGroup var options: ReadingOptions

    func validate() throws {
        guard !all || rule == .everything else { throw ValidationError("--all removes all limits; use it alone") }
        guard room.count <= RetentionRule.roomsMax else {
            throw ValidationError("at most \(RetentionRule.roomsMax) rooms can be given; omit --room to store all")
        }
        if let only, !room.isEmpty, !only.contains(.chat) {
            throw ValidationError("--room limits chat lines, which --only leaves out; add chat to --only")
        }
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let isSet = all || rule != .everything
        let rule = isSet ? try await node.perform(SetRetention(rule)) : try await node.perform(ShowRetention())
        return CommandOutput(KeepLines.lines(rule), objects: [KeepLines.object(rule)])
    }

    private var rule: RetentionRule { RetentionRule(groups: only, rooms: room.isEmpty ? nil : room, days: days) }

    @Sendable private static func groups(_ text: String) throws -> Set<RetentionRule.Group> {
        let words = text.lowercased().split(separator: ",").map { String($0) }
        let groups = words.compactMap(RetentionRule.Group.init)
        guard !words.isEmpty, groups.count == words.count else {
            throw ValidationError("--only takes chat, posts and people, such as --only chat,people")
        }
        return Set(groups)
    }
}
