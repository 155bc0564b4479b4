import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeSettings

struct PlacesCommand: SharedCommand {
    static let manual = CommandManual(
        "places [PLACE] [--kind KIND] [--near PLACE] [--within 2km] [--limit 20] [--after CURSOR]",
        "List the places that people have named, nearest first.",
        discussion: "With a place, such as Camp or Camp/Kitchen, its parts are listed.",
        examples: ["places", "places Camp", "places --kind water"])

    @Argument(help: "List the parts of this place.") var place: [String] = []
    @Option(help: ArgumentHelp("Only places of this kind, such as water.", valueName: "kind")) var kind: String?
    @Option(
        help: ArgumentHelp("Look around this place. (default: where you are)", valueName: "place"),
        transform: Arguments.spot)
    var near: Spot?
    @Option(help: ArgumentHelp("Nothing farther away.", valueName: "distance"), transform: Arguments.radius)
    var within: Double?
    @OptionGroup var page: PageOptions
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let name = ArgumentWords.text(place)
        let query = ListPlaces(
            partOf: place.isEmpty ? nil : PlaceReference(name), category: kind,
            centre: try await near?.resolved(on: node).coordinate, within: within, page: page.request)
        let none =
            place.isEmpty
            ? "No places here yet. Make one: \(context.call("place add NAME --at PLACE"))"
            : "\(DisplayText.safe(name)) has no parts. Add one: \(context.call("place add NAME --in \(name)"))"
        return ManualPages.list(try await node.perform(query), none: none, context)
    }
}

struct PlaceCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "place add|edit|show …", "Name a place, such as a kitchen or a tap, so that everybody finds it.",
        examples: ["place add Kitchen --at 40.7128,-74.0060 --kind kitchen --hours \"8 to 20\"", "place show Kitchen"])
    static let configuration = manual.configuration(subcommands: [
        PlaceAddCommand.self, PlaceEditCommand.self, PlaceShowCommand.self,
    ])
}

struct PlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where it is. (default: where you are)", valueName: "place"), transform: Arguments.spot)
    var at: Spot?

    @Option(
        help: ArgumentHelp(
            "What kind of place it is: kitchen, water, first aid, stage, toilet, exit or another word.",
            valueName: "kind"))
    var kind: String?

    @Option(help: ArgumentHelp("When it is open.", valueName: "text")) var hours: String?
    @Option(help: ArgumentHelp("A description.", valueName: "text")) var about: String?
    @OptionGroup var photo: PhotoOptions

    func draft(name: [String], on node: any MeshNode, _ context: CommandContext) async throws -> PlaceDraft {
        PlaceDraft(
            name: name.isEmpty ? nil : ArgumentWords.text(name), at: try await at?.resolved(on: node).coordinate,
            category: kind, hours: hours, text: about, photo: photo.source(context, original: false), alt: photo.alt)
    }
}

struct PlaceAddCommand: SharedCommand {
    static let wordsBeforeText: Int? = 0
    static let flags: Set<String> = ["--anyway"]
    static let manual = CommandManual(
        "place add NAME… [--at PLACE] [--kind KIND] [--hours TEXT] [--about TEXT] [--in PLACE] [--editor PERSON] [--photo FILE [--alt TEXT]] [--anyway]",
        "Name a place.",
        discussion:
            "Without --at it is where you are. Only you can change it, and those whom you name with --editor; everybody finds it "
            + "for a year. If such a place is here already, you are asked to look at that one first.",
        examples: [
            "place add Kitchen --at 40.7128,-74.0060 --kind kitchen --hours \"8 to 20\"",
            "place add Bread oven --in Kitchen --editor bob",
        ])

    @Argument(help: "The name of the place.") var name: [String]
    @OptionGroup var place: PlaceOptions
    @Option(
        name: .customLong("in"), help: ArgumentHelp("The place that it is part of.", valueName: "place"),
        transform: Arguments.placeName)
    var outer: PlaceReference?
    @Option(name: .customLong("editor"), help: ArgumentHelp("Who may change it, too.", valueName: "person"))
    var editors: [String] = []
    @Flag(help: "Also if such a place is here already.") var anyway = false
    @OptionGroup var options: TextOptions

    func validate() throws { try place.photo.checkNew() }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        var draft = try await place.draft(name: name, on: node, context)
        draft.partOf = outer
        if !editors.isEmpty { draft.editors = editors.map { PeerReference($0) } }
        return ManualPages.done("added", try await node.perform(CreatePlace(draft, anyway: anyway)), context)
    }
}

struct PlaceEditCommand: SharedCommand {
    static let manual = CommandManual(
        "place edit PLACE [--rename NAME] [--at PLACE] [--kind KIND] [--hours TEXT] [--about TEXT] [--photo FILE [--alt TEXT]]",
        "Change a place that you made, or may edit.", discussion: "Options that you omit stay as they are.",
        examples: ["place edit Kitchen --hours \"8 to 22\""])

    @Argument(help: "The name or the id of the place.") var target: [String]
    @Option(help: ArgumentHelp("The new name.", valueName: "name")) var rename: String?
    @OptionGroup var place: PlaceOptions
    @OptionGroup var options: TextOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let draft = try await place.draft(name: rename.map { [$0] } ?? [], on: node, context)
        guard draft != PlaceDraft() else {
            throw CommandFailure.usage("nothing to change; use --rename, --at, --kind, --hours, --about or --photo")
        }
        let old = try await node.perform(FindPlace(PlaceReference(ArgumentWords.text(target))))
        let edited = try await node.perform(EditPlace(ItemReference(old.id.hex), draft))
        return ManualPages.done("edited", edited, context)
    }
}

struct PlaceShowCommand: SharedCommand {
    static let manual = CommandManual(
        "place show PLACE", "Show one place with its comments.",
        examples: ["place show Kitchen", "place show Camp/Kitchen"])

    @Argument(help: "The name or the id of the place.") var target: [String]
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let place = try await node.perform(FindPlace(PlaceReference(ArgumentWords.text(target))))
        let detail = try await node.perform(ShowItem(ItemReference(place.id.hex)))
        return CommandOutput(DetailLines.lines(detail, context), objects: [PostJSON.object(detail)])
    }
}
