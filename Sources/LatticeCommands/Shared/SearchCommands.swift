import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeSettings

struct SearchCommand: SharedCommand {
    static let manual = CommandManual(
        "search WORDS… [--chat] [--posts] [--room ROOM] [--near PLACE] [--radius 2km] [--limit 20] [--after CURSOR]",
        "Find lines, posts and events that contain all of these words.",
        discussion: """
            In a chat it searches lines, with --posts posts and events; in a shell the other way around, with --chat lines. \
            Lines are those of all stored rooms and of your private conversations, newest first; --room takes one room. \
            'context ID' shows what stands around one. Posts come newest first, or nearest first with --near, up to 100 km; those too \
            far away to read are not searched.
            """,
        examples: ["search water", "search --chat key shed", "search red scarf --near 40.7128,-74.0060 --radius 5km"])

    @Argument(help: "All of these, in any order.") var words: [String]
    @Flag(help: "Search lines of rooms and private messages.") var chat = false
    @Flag(help: "Search posts and events.") var posts = false
    @Option(
        help: ArgumentHelp("Only lines of this room.", valueName: "room"), transform: Arguments.roomName)
    var room: RoomName?
    @Option(help: ArgumentHelp("Nearest to this place first.", valueName: "place"), transform: Arguments.place)
    var near: ParsedPlace?
    @Option(
        help: ArgumentHelp("Search radius. (default: 2km)", valueName: "distance"),
        transform: Arguments.radius)
    var radius: Double?
    @OptionGroup var page: PageOptions
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        if chat || room != nil, posts || near != nil || radius != nil {
            throw ValidationError(
                "--chat and --room are about lines, --posts, --near and --radius about posts; use one kind")
        }
        let isOfLines = chat || room != nil || context.isChat && !posts && near == nil && radius == nil
        return isOfLines ? try await lines(on: node, context) : try await items(on: node, context)
    }

    private func lines(on node: any MeshNode, _ context: CommandContext) async throws -> CommandOutput {
        let found = try await node.perform(
            SearchLines(ArgumentWords.text(words), in: room.map { .room($0) }, page: page.request))
        guard !found.lines.isEmpty else {
            var output = CommandOutput.none(nothing)
            output.remarks += ManualPages.more(found.next)
            return output
        }
        return CommandOutput(
            FoundLines.list(found.lines, context),
            remarks: ManualPages.more(found.next) + ["Around a line: \(context.call("context ID"))"],
            objects: found.lines.map { FoundLines.object($0) } + ManualPages.next(found.next))
    }

    private func items(on node: any MeshNode, _ context: CommandContext) async throws -> CommandOutput {
        let query = SearchQuery(
            words: ArgumentWords.text(words), near: near?.coordinate,
            radius: await AroundOptions.radius(radius, on: node),
            page: page.request)
        return ManualPages.list(try await node.perform(query), none: nothing, context)
    }

    /// The last word matches by prefix if it has three letters.
    private var nothing: String {
        let isShort = (words.last?.count ?? 0) < 3
        return "nothing found with all of these words"
            + (isShort ? "; the last word may be incomplete from three letters on" : "")
    }
}

struct ContextCommand: SharedCommand {
    static let manual = CommandManual(
        "context ID [-n 5]", "Show what was said around a line of a room.",
        discussion: "The ID stands at the end of each line that 'search' finds.",
        examples: ["context 1a2b3c4d", "context 1a2b3c4d -n 20"])

    @Argument(
        help: ArgumentHelp("At least 6 digits of the line's id.", valueName: "id"), transform: ContextCommand.digits)
    var id: String
    @Option(
        name: [.customShort("n"), .customLong("lines")],
        help: ArgumentHelp("How many lines on each side, 1 to 100. (default: 5)", valueName: "n"),
        transform: Arguments.number(LinesAround.countRange, "-n"))
    var lines = 5
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    private static func digits(_ text: String) throws -> String {
        guard text.count >= LinesAround.digitsMin, text.count <= 64, text.allSatisfy(\.isHexDigit) else {
            throw ValidationError("an id has 6 to 64 digits (0 to 9, a to f); 'search' shows them")
        }
        return text
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let found = try await node.perform(LinesAround(id, count: lines))
        return CommandOutput(
            FoundLines.around(found.lines, context), objects: found.lines.map { FoundLines.object($0) })
    }
}
