import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeSettings

struct ExportCommand: SharedCommand {
    static let manual = CommandManual(
        "export [--geojson|--gpx|--ics|--atom|--bundle FILE] [--near PLACE] [--radius 2km] [--since 24h] [--by PEER] [-o FILE]",
        "Export posts, events and places near a place, or signed records for another store.",
        discussion: """
            The first four formats hold what you can read within the radius; --ics holds events only, --atom no places. GeoJSON and Atom hold small \
            pictures of photos. --bundle writes signed \
            records, all of them or those that --near, --since and --by select; 'import' reads them elsewhere, for example \
            from a USB stick.
            """,
        examples: [
            "export --geojson --near 40.7128,-74.0060 -o around.geojson", "export --ics -o events.ics",
            "export --bundle /media/stick/posts.bundle",
        ])

    /// Nobody opens a document with more items than this.
    private static let itemsMax = 10_000
    /// Of at most 8 KiB each; the nearest posts have theirs.
    private static let thumbnailsMax = 500

    @Flag(help: "GeoJSON (RFC 7946), the default.") var geojson = false
    @Flag(help: "Waypoints, GPX 1.1.") var gpx = false
    @Flag(help: "Events as a calendar (RFC 5545).") var ics = false
    @Flag(help: "An Atom feed (RFC 4287) with places.") var atom = false
    @Option(
        help: ArgumentHelp("Signed records for another store; in the shell '-' is standard output.", valueName: "file"))
    var bundle: String?
    @Option(
        help: ArgumentHelp("The place. (default: where you are)", valueName: "place"), transform: Arguments.place)
    var near: ParsedPlace?
    @OptionGroup var around: AroundOptions
    @Option(help: ArgumentHelp("With --bundle: only records of this person.", valueName: "peer")) var by: String?
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"))
    var output: String?
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func validate() throws {
        guard [geojson, gpx, ics, atom, bundle != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("use only one of --geojson, --gpx, --ics, --atom and --bundle")
        }
        guard by == nil || bundle != nil else { throw ValidationError("--by needs --bundle") }
        guard output == nil || bundle == nil else {
            throw ValidationError("--bundle already names the file; remove -o")
        }
        guard output != "", bundle != "" else { throw ValidationError("the file name is empty; give one") }
    }

    var needsFiles: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        if let bundle { return try await write(bundle, node, context) }
        guard output != nil || !context.isChat else {
            throw CommandFailure.usage("give a file to write: /export -o FILE")
        }
        let format: ExportFormat = gpx ? .gpx : ics ? .iCalendar : atom ? .atom : .geoJSON
        var items: [ItemInfo] = []
        if format != .iCalendar { items += try await readable(.posts, node, context) }
        items += try await readable(.events, node, context)
        if format == .geoJSON || format == .gpx { items += try await places(node) }
        let me = format == .atom ? try await node.perform(ShowProfile()).id : nil
        let thumbnails = format.hasPhotos ? try await thumbnails(of: items, node) : [:]
        let document = format.document(items, at: context.now, by: me, thumbnails: thumbnails)
        guard let output else { return .document(document) }
        let path = context.path(output)
        try OutputFile.write(document, to: path)
        let object = JSONLine([
            ("event", .text("exported")), ("path", .text(path)), ("bytes", .integer(document.utf8.count)),
        ])
        return CommandOutput(
            ["wrote \(StoreLines.bytes(document.utf8.count)) to \(DisplayText.safe(path))"], objects: [object])
    }

    private func write(_ bundle: String, _ node: any MeshNode, _ context: CommandContext) async throws -> CommandOutput
    {
        let selection = BundleSelection(
            around: near.map { .init(centre: $0.coordinate, radius: around.radius) },
            since: ManualPages.since(around.since, context), author: by.map { PeerReference($0) })
        let isOutput = bundle == "-"
        guard !isOutput || !context.isChat else { throw CommandFailure.usage("give a file to write", field: "bundle") }
        let path = isOutput ? "/dev/stdout" : context.path(bundle)
        let exported = try await node.perform(ExportBundle(path: path, selection))
        let object = JSONLine([
            ("event", .text("exported")), ("path", .text(path)), ("records", .integer(exported.records)),
            ("bytes", .integer(exported.bytes)),
        ])
        let written = "wrote \(exported.records) records, \(StoreLines.bytes(exported.bytes))"
        // Only records may go to standard output.
        return isOutput
            ? CommandOutput([], remarks: [written])
            : CommandOutput(["\(written), to \(DisplayText.safe(path))"], objects: [object])
    }

    /// Pages come nearest first, so the first item beyond the radius ends them.
    private func readable(
        _ what: NearQuery.What, _ node: any MeshNode, _ context: CommandContext
    ) async throws -> [ItemInfo] {
        var query = NearQuery(
            what, centre: near?.coordinate, radius: around.radius, since: ManualPages.since(around.since, context),
            page: PageRequest(limit: PostLimit.pageSizeRange.upperBound))
        var items: [ItemInfo] = []
        while items.count < Self.itemsMax {
            let page = try await node.perform(query)
            let found = page.items.filter { $0.metres.map { $0 <= around.radius } ?? true }
            items += found.filter { $0.state == .shown }
            guard found.count == page.items.count, !found.isEmpty, let next = page.next else { break }
            query.page.after = next
        }
        return items
    }

    private func places(_ node: any MeshNode) async throws -> [ItemInfo] {
        var query = ListPlaces(
            centre: near?.coordinate, within: around.radius,
            page: PageRequest(limit: PostLimit.pageSizeRange.upperBound))
        var places: [ItemInfo] = []
        repeat {
            let page = try await node.perform(query)
            places += page.items
            query.page.after = page.next
        } while query.page.after != nil && places.count < Self.itemsMax
        return places
    }

    private func thumbnails(of items: [ItemInfo], _ node: any MeshNode) async throws -> [RecordID: [UInt8]] {
        var thumbnails: [RecordID: [UInt8]] = [:]
        for item in items.filter({ $0.photo != nil }).prefix(Self.thumbnailsMax) {
            thumbnails[item.id] = try await thumbnail(of: item, node)
        }
        return thumbnails
    }

    /// - Returns: `nil` if the item was deleted meanwhile, or its photo has no thumbnail.
    private func thumbnail(of item: ItemInfo, _ node: any MeshNode) async throws(RequestError) -> [UInt8]? {
        do throws(RequestError) {
            // Read from where it is: everything here can be read, whatever the radius.
            return try await node.perform(ReadPhoto(ItemReference(item.id.hex), .thumbnail, from: item.place)).bytes
        } catch {
            guard case .unknownItem = error else { throw error }
            return nil
        }
    }
}

extension CommandOutput {
    /// Documents are the same for people and for programs.
    fileprivate static func document(_ text: String) -> CommandOutput {
        var output = CommandOutput([])
        output.document = text
        return output
    }
}

struct ImportCommand: SharedCommand {
    static let manual = CommandManual(
        "import FILE", "Import records from a bundle that 'export --bundle' wrote.",
        discussion: """
            The signature of every record is checked; the file itself is not trusted. Known records are skipped, so after a \
            damaged copy you can import a good one. Points of GPX and GeoJSON become drafts with 'drafts import'.
            """,
        examples: ["import /media/stick/posts.bundle"])

    @Argument(help: "The bundle; in the shell '-' reads it from standard input.") var file: String
    @OptionGroup var options: ReadingOptions

    var needsFiles: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        guard file != "-" || !context.isChat else { throw CommandFailure.usage("give a file to read", field: "file") }
        let path = file == "-" ? "/dev/stdin" : context.path(file)
        let report = try await node.perform(ImportBundle(path: path))
        var output = CommandOutput(StoreLines.imported(report), objects: [PostJSON.object(report)])
        if report.refused > 0 {
            output.failure = CommandFailure(
                code: "refused", "\(StoreLines.refused(report.refused)); everything else was imported")
        }
        if let byte = report.brokenAt {
            output.failure = CommandFailure(
                code: "brokenBundle",
                "the bundle is damaged at byte \(byte); everything before was imported. Copy it again and import it again"
            )
        }
        return output
    }
}
