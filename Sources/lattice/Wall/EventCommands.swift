import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo

/// `lattice event`
struct EventCommand: AsyncParsableCommand, WallManualled {
    static let manual = WallManual(
        "event create|edit|show|near|attend|leave …", "Announce events, find them, say that you come.",
        examples: [
            "event create Potluck at the gate --at 40.7128,-74.0060 --starts \"2026-12-01 18:00\"",
            "event near --radius 5km", "event attend a1b2c3",
        ])
    static let configuration = manual.configuration(subcommands: [
        EventCreateCommand.self, EventEditCommand.self, EventShowCommand.self, EventNearCommand.self,
        EventAttendCommand.self, EventLeaveCommand.self,
    ])
}

/// What is said of an event: the same when it is announced and when it is changed.
struct EventOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where: 40.7128,-74.0060, a geohash or a geo: URI.", valueName: "place"),
        transform: Arguments.place)
    var at: ParsedPlace?

    @Option(
        help: ArgumentHelp(
            "When: \"2026-12-01 18:00\", +2h, 18:00, \"tomorrow 18:00\", \"sat 18:00\".", valueName: "date"))
    var starts: String?

    @Option(help: ArgumentHelp("Until when, written likewise; +2h is two hours after the start.", valueName: "date"))
    var ends: String?

    @Option(help: ArgumentHelp("How to find it.", valueName: "text"))
    var address: String?

    @Option(help: ArgumentHelp("What is to be said of it.", valueName: "text"))
    var about: String?

    @Option(
        help: ArgumentHelp("Cut the place to so many characters of a geohash, 1 to 12.", valueName: "n"),
        transform: Arguments.blur)
    var blur: Int?

    func draft(name: [String], _ context: WallContext) throws -> EventDraft {
        let starts = try date(starts, "--starts", from: context.now, context)
        // An end such as +2h tells how long it lasts.
        let ends = try date(ends, "--ends", from: starts ?? context.now, context)
        return EventDraft(
            name: name.isEmpty ? nil : ArgumentWords.text(name), at: at?.coordinate,
            starts: starts, ends: ends, address: address,
            text: about, blur: blur ?? at?.geohashCharacters)
    }

    private func date(_ text: String?, _ option: String, from base: WallTime, _ context: WallContext) throws
        -> WallTime?
    {
        guard let text else { return nil }
        do {
            return try DateText.parse(text, at: text.hasPrefix("+") ? base : context.now, in: context.calendar)
        } catch {
            throw WallFailure.usage(
                "the value of \(option) is no date: \(error.description)", field: String(option.dropFirst(2)))
        }
    }
}

/// `lattice event create`
struct EventCreateCommand: WallCommand {
    static let wordsBeforeText: Int? = 0
    static let manual = WallManual(
        "event create NAME… --starts DATE [--at PLACE] [--ends DATE] [--address TEXT] [--about TEXT] [--blur N]",
        "Announce an event.",
        discussion:
            "Name, place and start are needed; without --at it is where you are. It lasts until a day after its end.",
        examples: [
            "event create Potluck at the gate --at 40.7128,-74.0060 --starts \"2026-12-01 18:00\" --ends \"2026-12-01 22:00\"",
            "event create Water point opens --starts +2h",
        ])

    // It may be missing here, so that the answer tells of everything that is.
    @Argument(help: "What it is called.") var name: [String] = []
    @OptionGroup var event: EventOptions
    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let draft = try event.draft(name: name, context)
        return WallPages.done("announced", try await node.item(.createEvent(draft)), context)
    }
}

/// `lattice event edit`
struct EventEditCommand: WallCommand {
    static let wordsBeforeText: Int? = 1
    static let manual = WallManual(
        "event edit ID [NAME…] [--at PLACE] [--starts DATE] [--ends DATE] [--address TEXT] [--about TEXT]",
        "Change an event of yours.", discussion: "What is not given stays as it is.",
        examples: ["event edit a1b2c3 --starts \"2026-12-01 19:00\""])

    @Argument(help: "The id of an event of yours.") var id: String
    @Argument(help: "What it is called from now on.") var name: [String] = []
    @OptionGroup var event: EventOptions
    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let draft = try event.draft(name: name, context)
        guard draft != EventDraft() else {
            throw WallFailure.usage(
                "nothing to change; give a new name, or --at, --starts, --ends, --address or --about")
        }
        return WallPages.done("edited", try await node.item(.editEvent(ItemReference(id), draft)), context)
    }
}

/// `lattice event show`
struct EventShowCommand: WallCommand {
    static let manual = WallManual(
        "event show ID", "Show one event, who comes, and what was said of it.", examples: ["event show a1b2c3"])

    @Argument(help: "The id of an event, or as much of it as is unambiguous.") var id: String
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let detail = try await node.detail(.show(ItemReference(id), from: nil))
        return WallOutput(DetailLines.lines(detail, context), objects: [WallJSON.object(detail)])
    }
}

/// `lattice event near`
struct EventNearCommand: WallCommand {
    static let manual = WallManual(
        "event near [PLACE] [--radius 2km] [--since 24h] [--limit 20] [--after CURSOR]",
        "List events around you, or around a place, nearest first.",
        examples: ["event near --radius 5km", "event near 40.7128,-74.0060"])

    @Argument(help: "Around where. (default: where you are)") var place: [String] = []
    @OptionGroup var around: AroundOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func check() throws {
        _ = try Arguments.place(place)
    }

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let query = NearQuery(
            .events, centre: try Arguments.place(place)?.coordinate, radius: around.radius,
            since: WallPages.since(around.since, context), page: page.request)
        return WallPages.list(try await node.page(.near(query)), none: "No events found", context)
    }
}

/// `lattice event attend`
struct EventAttendCommand: WallCommand {
    static let manual = WallManual(
        "event attend ID", "Say that you come.", discussion: "To say it twice changes nothing.",
        examples: ["event attend a1b2c3"])

    @Argument(help: "The id of an event.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        WallPages.done("you come to", try await node.item(.attend(ItemReference(id), true)), context)
    }
}

/// `lattice event leave`
struct EventLeaveCommand: WallCommand {
    static let manual = WallManual(
        "event leave ID", "Say that you do not come after all.", examples: ["event leave a1b2c3"])

    @Argument(help: "The id of an event.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        WallPages.done("you do not come to", try await node.item(.attend(ItemReference(id), false)), context)
    }
}
