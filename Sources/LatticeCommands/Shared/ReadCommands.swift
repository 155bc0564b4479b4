import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeSettings

struct NearCommand: SharedCommand {
    static let manual = CommandManual(
        "near [PLACE] [--radius 2km] [--since 24h] [--newest] [--limit 20] [--after CURSOR] [--map] [--ascii]",
        "List posts near you, or near a place, nearest first.",
        discussion: """
            Write a place as 40.7128,-74.0060 or 40°42′46″N 74°0′22″W, as a geohash, as a geo: URI or by its name. Posts beyond the \
            radius are listed without their text; with --newest they are left out. --map draws where things are, and lists as many as \
            fit below it. While your place is not set, the area that the card of the mesh names is listed.
            """,
        examples: ["near", "near 40.7128,-74.0060 --radius 250m --map", "near -33.8568,151.2153 --since 24h"])

    @Argument(help: "The place to look around. (default: where you are)") var place: [String] = []
    @OptionGroup var around: AroundOptions
    @OptionGroup var page: PageOptions
    @Flag(help: "The newest first, of those within the radius.") var newest = false
    @Flag(help: "Draw a map, north up, with the numbers of the list and the named places.") var map = false
    @Flag(help: "Draw the map in plain ASCII.") var ascii = false
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func check() throws {
        _ = try Arguments.spot(place)
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        var query = NearQuery(
            .posts, centre: try await Arguments.spot(place)?.resolved(on: node).coordinate,
            radius: await around.radius(on: node), since: ManualPages.since(around.since, context),
            order: newest ? .newest : nil, page: page.request)
        var (page, isOfMesh) = try await found(&query, on: node)
        var drawing: [String] = []
        if map, !options.json {
            let choices = try await node.perform(ShowMeshCard()).defaults.radiusChoices
            let places = try await node.perform(ListPlaces(centre: page.centre, within: choices.last))
            let whole = MapPage(
                page, places: places.items, isBraille: isBraille(context), choices: choices, context)
            let fitting = whole.itemsThatFit(more: Self.longestHint)
            if fitting < page.items.count {
                query.page.limit = fitting
                page = try await node.perform(query)
            }
            let hint = ManualPages.more(page.next).joined()
            drawing = whole.lines(listed: page.items.count, more: hint)
        }
        var output = ManualPages.list(
            page, none: "No posts here yet. Leave one: \(context.call("post TEXT"))", context, map: drawing)
        if isOfMesh {
            output.remarks.append(
                "Your place is not set, so this is around the middle of the mesh; set it: \(context.call("here PLACE"))"
            )
        }
        return output
    }

    /// For somebody who has no place and names none, what is in the area that the card of the mesh names.
    private func found(
        _ query: inout NearQuery, on node: any MeshNode
    ) async throws -> (page: ItemPage, isOfMesh: Bool) {
        do throws(RequestError) {
            return (try await node.perform(query), false)
        } catch {
            guard error.code == .placeNeeded, let area = try await node.perform(ShowMeshCard()).card?.area else {
                throw error
            }
            query.centre = area.centre
            if around.radiusOption == nil {
                query.radius = min(max(query.radius, Double(area.metres)), PostLimit.searchMax)
            }
            return (try await node.perform(query), true)
        }
    }

    private func isBraille(_ context: CommandContext) -> Bool { context.isUTF8 && !ascii }

    /// With the longest possible cursor.
    private static let longestHint = ManualPages.more(PageCursor("n-0123456789abc-000")).joined()
}

struct ShowCommand: SharedCommand {
    static let manual = CommandManual(
        "show ID [--from PLACE]", "Show a post, comment, event or place with its comments.",
        discussion: "Oldest comments come first. --from reads it from another place than where you are.",
        examples: ["show a1b2c3"])

    @Argument(help: "The id from a list.") var id: String
    @Option(
        help: ArgumentHelp("Read it from this place. (default: where you are)", valueName: "place"),
        transform: Arguments.place)
    var from: ParsedPlace?
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let detail = try await node.perform(ShowItem(ItemReference(id), from: from?.coordinate))
        return CommandOutput(DetailLines.lines(detail, context), objects: [PostJSON.object(detail)])
    }
}

struct TimelineCommand: SharedCommand {
    static let manual = CommandManual(
        "timeline [--limit 20] [--after CURSOR]",
        "List your posts and events and those of people you follow, newest first.",
        examples: ["timeline --limit 5"])

    @OptionGroup var page: PageOptions
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        ManualPages.list(
            try await node.perform(ListTimeline(page.request)),
            none: "nothing here yet; follow somebody: \(context.call("follow PEER"))", context)
    }
}

struct PostsCommand: SharedCommand {
    static let manual = CommandManual(
        "posts PERSON [--photos] [--limit 20] [--after CURSOR]",
        "List the posts and events of one person, newest first.",
        discussion: "Posts that are too far away to read are listed without their text, and not with --photos.",
        examples: ["posts bob", "posts bob --photos --limit 100"])

    @Argument(help: "The person: bob, bob#k7f3 or an id.") var person: String
    @Flag(help: "Only what has a photo.") var photos = false
    @OptionGroup var page: PageOptions
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        ManualPages.list(
            try await node.perform(ListTimeline(page.request, by: PeerReference(person), onlyPhotos: photos)),
            none: "nothing\(photos ? " with a photo" : "") by \(DisplayText.isolated(person)) is here", context)
    }
}
