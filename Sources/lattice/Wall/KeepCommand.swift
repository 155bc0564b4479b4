import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore

/// `lattice store keep`
struct StoreKeepCommand: WallCommand {
    static let manual = WallManual(
        "store keep [--days N] [--only chat,wall,people] [--room ROOM]… [--all]",
        "Show or say what of others this machine keeps.",
        discussion: """
            What is not named is not limited; --all keeps everything again. What you wrote is always kept. What others have \
            beyond it is not asked for, and of what is here already what is too old goes within minutes.
            """,
        examples: [
            "store keep", "store keep --days 30", "store keep --only chat --room park --room gate", "store keep --all",
        ])

    @Option(
        help: ArgumentHelp("Nothing older than so many days, 1 to 365.", valueName: "n"),
        transform: Arguments.number(KeepRule.daysRange, "--days"))
    var days: Int?

    @Option(
        help: ArgumentHelp("These alone, of chat, wall and people.", valueName: "kinds"), transform: Self.groups)
    var only: Set<KeepRule.Group>?

    @Option(
        help: ArgumentHelp("Of chat lines those of this room; may be given several times.", valueName: "room"),
        transform: Arguments.roomName)
    var room: [RoomName] = []

    @Flag(help: "Everything.") var all = false
    @OptionGroup var options: ReadingOptions

    func validate() throws {
        guard !all || rule == .everything else { throw ValidationError("--all keeps everything: give it alone") }
        guard room.count <= KeepRule.roomsMax else {
            throw ValidationError("at most \(KeepRule.roomsMax) rooms can be named; leave --room out to keep them all")
        }
        if let only, !room.isEmpty, !only.contains(.chat) {
            throw ValidationError("--room is about chat lines, which --only leaves out; add chat to it")
        }
    }

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let request = all || rule != .everything ? WallRequest.setKeepRule(rule) : .keepRule
        let rule = try await node.wall(request) { if case .keepRule(let rule) = $0 { rule } else { nil } }
        return WallOutput(KeepLines.lines(rule), objects: [KeepLines.object(rule)])
    }

    private var rule: KeepRule { KeepRule(groups: only, rooms: room.isEmpty ? nil : room, days: days) }

    @Sendable private static func groups(_ text: String) throws -> Set<KeepRule.Group> {
        let words = text.lowercased().split(separator: ",").map { String($0) }
        let groups = words.compactMap(KeepRule.Group.init)
        guard !words.isEmpty, groups.count == words.count else {
            throw ValidationError("--only takes chat, wall and people, as in --only chat,people")
        }
        return Set(groups)
    }
}
