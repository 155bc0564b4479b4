import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeSettings

struct MapCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "map list|add|get|remove …", "Keep base maps for the page, and get those of others.",
        examples: ["map add camp.mbtiles --share", "map list", "map get camp.mbtiles"])
    static let configuration = manual.configuration(
        subcommands: [MapListCommand.self, MapAddCommand.self, MapGetCommand.self, MapRemoveCommand.self],
        default: MapListCommand.self)
}

struct MapListCommand: SharedCommand {
    static let manual = CommandManual(
        "map list", "List the base maps that are kept here, and those that others share.",
        discussion: "The last column says how large an area the map shows, and around which point.",
        examples: ["map list"])

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let maps = try await node.perform(ListMaps())
        guard !maps.kept.isEmpty || !maps.shared.isEmpty else {
            return .none("no maps yet; \(context.call("map add FILE.mbtiles --share")) adds one for everybody")
        }
        var lines = MapLines.table(maps, context)
        if let file = maps.shared.first {
            lines.append("\(context.call("map get \(file.id.hex.prefix(6))")) gets one")
        }
        return CommandOutput(
            lines, objects: maps.kept.map { MapLines.object($0) } + maps.shared.map { FileLines.object($0) })
    }
}

struct MapAddCommand: SharedCommand {
    static let manual = CommandManual(
        "map add FILE [--share [--room #lobby]]", "Keep a base map, which the page shows from then on.",
        discussion:
            "FILE is an MBTiles file with images as tiles (png, jpg or webp). It is copied; a map of the same name is replaced. Several maps are shown "
            + "as one. With --share others can get it: their nodes list it, and their pages offer it.",
        examples: ["map add camp.mbtiles", "map add camp.mbtiles --share"])

    @Argument(help: ArgumentHelp("An MBTiles file.", valueName: "file")) var file: String
    @Flag(help: "Share it with everybody in a room, too.") var share = false
    @Option(
        help: ArgumentHelp("Where to share it. (default: #lobby)", valueName: "room"),
        transform: Arguments.roomName)
    var room: RoomName?
    @OptionGroup var options: ReadingOptions

    func validate() throws {
        guard share || room == nil else { throw ValidationError("--room needs --share") }
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let path = context.absolute(file)
        let map = try await node.perform(AddMap(path))
        var (lines, objects) = (["added \(MapLines.words(map))"], [MapLines.object(map)])
        if share {
            guard map.bounds != nil else {
                throw CommandFailure(
                    code: "noBounds",
                    "\(MapLines.words(map)) is kept, but not shared: it does not say which area it shows, and others would not see it; add 'bounds' to its metadata"
                )
            }
            let room = try room ?? RoomName("#lobby")
            let file = try await node.perform(ShareFile(path, for: .room(room)))
            lines.append("shared \(FileLines.name(of: file)) in \(DisplayText.isolated(room.text))")
            objects.append(FileLines.object(file))
        }
        return CommandOutput(lines, objects: objects)
    }
}

struct MapGetCommand: SharedCommand {
    static let manual = CommandManual(
        "map get FILE", "Get a map that somebody shares, and keep it.",
        discussion:
            "FILE is its name, or the beginning of its id as 'map list' shows it. The page shows the map as soon as it is here.",
        examples: ["map get camp.mbtiles"])

    @Argument(help: ArgumentHelp("A name, or the beginning of an id.", valueName: "file")) var file: String
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let now = try await FileSaving.saved(try await node.perform(GetMap(file)), on: node, context)
        let words = now.path == nil ? "fetching \(FileLines.name(of: now))" : "\(FileLines.name(of: now)) is kept"
        return CommandOutput([words], objects: [FileLines.object(now)])
    }
}

struct MapRemoveCommand: SharedCommand {
    static let manual = CommandManual(
        "map remove NAME", "Remove a base map from this machine.",
        discussion: "Others who have it keep it. 'file remove' takes back a map that you shared.",
        examples: ["map remove camp.mbtiles"])

    @Argument(help: "As 'map list' shows it.") var name: String
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let map = try await node.perform(RemoveMap(name))
        return CommandOutput(["removed \(MapLines.words(map))"], objects: [MapLines.object(map)])
    }
}
