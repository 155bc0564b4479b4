import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeSettings

struct EventCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "event create|edit|show|near|mine|attending|by|attend|leave …",
        "Announce and find events, and say that you are going.",
        examples: [
            "event create Potluck at the gate --at 40.7128,-74.0060 --starts \"2026-12-01 18:00\"",
            "event near --radius 5km", "event attend a1b2c3", "event attending",
        ])
    static let configuration = manual.configuration(subcommands: [
        EventCreateCommand.self, EventEditCommand.self, EventShowCommand.self, EventNearCommand.self,
        EventMineCommand.self, EventAttendingCommand.self, EventByCommand.self, EventAttendCommand.self,
        EventLeaveCommand.self,
    ])
}

struct EventOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The place: 40.7128,-74.0060, a geohash, a geo: URI or the name of a place.", valueName: "place"),
        transform: Arguments.spot)
    var at: Spot?

    @Option(
        help: ArgumentHelp(
            "Start: \"2026-12-01 18:00\", +2h, 18:00, \"tomorrow 18:00\", \"sat 18:00\".", valueName: "date"))
    var starts: String?

    @Option(help: ArgumentHelp("End, written the same way; +2h is two hours after the start.", valueName: "date"))
    var ends: String?

    @Option(help: ArgumentHelp("How to find it.", valueName: "text"))
    var address: String?

    @Option(help: ArgumentHelp("A description.", valueName: "text"))
    var about: String?

    @Option(
        help: ArgumentHelp("Round the place to n characters of a geohash, 1 to 12.", valueName: "n"),
        transform: Arguments.blur)
    var blur: Int?

    @OptionGroup var photo: PhotoOptions
    @OptionGroup var original: OriginalOptions

    func draft(name: [String], on node: any MeshNode, _ context: CommandContext) async throws -> EventDraft {
        let starts = try date(starts, "--starts", from: context.now, context)
        // An end such as +2h is a duration.
        let ends = try date(ends, "--ends", from: starts ?? context.now, context)
        let spot = try await at?.resolved(on: node)
        return EventDraft(
            name: name.isEmpty ? nil : ArgumentWords.text(name), at: spot?.coordinate,
            starts: starts, ends: ends, address: address ?? spot?.place?.title,
            text: about, blur: blur ?? spot?.geohashCharacters,
            photo: photo.source(context, original: original.original), alt: photo.alt, atPlace: spot?.place?.id)
    }

    private func date(_ text: String?, _ option: String, from base: WallTime, _ context: CommandContext) throws
        -> WallTime?
    {
        guard let text else { return nil }
        do {
            return try DateText.parse(text, at: text.hasPrefix("+") ? base : context.now, in: context.calendar)
        } catch {
            throw CommandFailure.usage(
                "the value of \(option) is not a date: \(error.description)", field: String(option.dropFirst(2)))
        }
    }
}

struct EventCreateCommand: SharedCommand {
    static let wordsBeforeText: Int? = 0
    static let flags: Set<String> = ["--original"]
    static let manual = CommandManual(
        "event create NAME… --starts DATE [--at PLACE] [--ends DATE] [--address TEXT] [--about TEXT] [--blur N] [--photo FILE [--alt TEXT] [--original]]",
        "Announce an event.",
        discussion:
            "Name and start are required; without --at the event is where you are. It expires one day after its end.",
        examples: [
            "event create Potluck at the gate --at 40.7128,-74.0060 --starts \"2026-12-01 18:00\" --ends \"2026-12-01 22:00\"",
            "event create Water point opens --starts +2h",
        ])

    // Optional here, so that the error lists every missing field.
    @Argument(help: "The name of the event.") var name: [String] = []
    @OptionGroup var event: EventOptions
    @OptionGroup var options: TextOptions

    func validate() throws {
        try event.photo.checkNew()
        try event.original.check(event.photo)
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let draft = try await event.draft(name: name, on: node, context)
        return ManualPages.done("announced", try await node.perform(CreateEvent(draft)), context)
    }
}

struct EventEditCommand: SharedCommand {
    static let wordsBeforeText: Int? = 1
    static let flags: Set<String> = ["--original"]
    static let manual = CommandManual(
        "event edit ID [NAME…] [--at PLACE] [--starts DATE] [--ends DATE] [--address TEXT] [--about TEXT] [--photo FILE [--alt TEXT] [--original]]",
        "Change your event.", discussion: "Options that you omit stay as they are.",
        examples: ["event edit a1b2c3 --starts \"2026-12-01 19:00\""])

    @Argument(help: "The id of your event.") var id: String
    @Argument(help: "The new name of the event.") var name: [String] = []
    @OptionGroup var event: EventOptions
    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let draft = try await event.draft(name: name, on: node, context)
        guard draft != EventDraft() else {
            throw CommandFailure.usage(
                "nothing to change; use a new name, --at, --starts, --ends, --address, --about or --photo")
        }
        return ManualPages.done("edited", try await node.perform(EditEvent(ItemReference(id), draft)), context)
    }
}

struct EventShowCommand: SharedCommand {
    static let manual = CommandManual(
        "event show ID", "Show one event, who is going, and its comments.", examples: ["event show a1b2c3"])

    @Argument(help: "The id of an event.") var id: String
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let detail = try await node.perform(ShowItem(ItemReference(id)))
        return CommandOutput(DetailLines.lines(detail, context), objects: [PostJSON.object(detail)])
    }
}

struct EventNearCommand: SharedCommand {
    static let manual = CommandManual(
        "event near [PLACE] [--radius 2km] [--since 24h] [--limit 20] [--after CURSOR]",
        "List events near you or near a place, nearest first.",
        examples: ["event near --radius 5km", "event near 40.7128,-74.0060"])

    @Argument(help: "The place. (default: where you are)") var place: [String] = []
    @OptionGroup var around: AroundOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func check() throws {
        _ = try Arguments.spot(place)
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let query = NearQuery(
            .events, centre: try await Arguments.spot(place)?.resolved(on: node).coordinate,
            radius: await around.radius(on: node),
            since: ManualPages.since(around.since, context), page: page.request)
        return ManualPages.list(try await node.perform(query), none: "No events found", context)
    }
}

struct EventMineCommand: SharedCommand {
    static let manual = CommandManual(
        "event mine [--limit 20] [--after CURSOR]", "List the events that you announced, the next one first.",
        discussion: EventLists.order, examples: ["event mine"])

    @OptionGroup var page: PageOptions
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        ManualPages.list(
            try await node.perform(ListEvents(page.request)),
            none: "You announced no event that is still kept. Announce one: "
                + context.call("event create NAME --starts DATE"), context)
    }
}

struct EventAttendingCommand: SharedCommand {
    static let manual = CommandManual(
        "event attending [--limit 20] [--after CURSOR]", "List the events that you go to, the next one first.",
        discussion: EventLists.order, examples: ["event attending"])

    @OptionGroup var page: PageOptions
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        ManualPages.list(
            try await node.perform(ListEvents(isAttending: true, page.request)),
            none: "You go to no event. Say that you come to one: \(context.call("event attend ID"))", context)
    }
}

struct EventByCommand: SharedCommand {
    static let manual = CommandManual(
        "event by PERSON [--limit 20] [--after CURSOR]", "List the events that somebody announced, the next one first.",
        discussion: EventLists.order, examples: ["event by bob"])

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var person: String
    @OptionGroup var page: PageOptions
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        ManualPages.list(
            try await node.perform(ListEvents(by: PeerReference(person), page.request)),
            none: "No event by \(DisplayText.isolated(person)) is here", context)
    }
}

enum EventLists {
    static let order =
        "Events that are over come last and say \"past\"; one without an end is over three hours after its start. An event is "
        + "kept for a day after its end."
}

struct EventAttendCommand: SharedCommand {
    static let manual = CommandManual(
        "event attend ID", "Say that you are going.", discussion: "Repeating it changes nothing.",
        examples: ["event attend a1b2c3"])

    @Argument(help: "The id of an event.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        ManualPages.done("you're going to", try await node.perform(AttendEvent(ItemReference(id), true)), context)
    }
}

struct EventLeaveCommand: SharedCommand {
    static let manual = CommandManual(
        "event leave ID", "Say that you are not going after all.", examples: ["event leave a1b2c3"])

    @Argument(help: "The id of an event.") var id: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        ManualPages.done("you're not going to", try await node.perform(AttendEvent(ItemReference(id), false)), context)
    }
}
