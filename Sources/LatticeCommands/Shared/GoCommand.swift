import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeHost

struct GoCommand: SharedCommand {
    static let manual = CommandManual(
        "go ID|PLACE", "Show how far it is and in which direction, while you walk, until you are there.",
        discussion:
            "It follows your place: keep that up to date with 'here --follow' in another terminal, or on the page. The arrow is "
            + "for somebody who looks north. You have arrived within 15 m.",
        examples: ["go Kitchen", "go a1b2c3"])

    /// How often it looks where you are.
    @TaskLocal static var interval: Duration = .seconds(1)
    private static let arrivedMetres = 15.0

    @Argument(help: "The name of a place, or the id of a post, an event or a place.") var target: [String]
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let item = try await item(on: node)
        guard let place = item.place else { throw CommandFailure(RequestError.placeLost) }
        let name = DisplayText.isolated(item.title ?? item.placeName ?? item.short)
        guard var here = try await node.perform(ShowHere()).place else { throw RequestError.placeNeeded }
        var shown: String?
        // In a pipe there is no row that changes: each new way is a line.
        let printsLines = options.json || !context.isTerminal && !context.isChat
        while here.distance(to: place) > Self.arrivedMetres {
            let way = Self.way(from: here, to: place, context)
            if way != shown {
                shown = way
                if printsLines {
                    try CommandShell.show(
                        CommandOutput(["\(way)  \(name)"], objects: [PostJSON.way(from: here, to: place)]),
                        json: options.json)
                } else {
                    await show("\(way)  \(name)", context)
                }
            }
            do {
                try await Task.sleep(for: Self.interval)
            } catch {
                await show(nil, context)
                return CommandOutput([])
            }
            guard let next = try await node.perform(ShowHere()).place else { throw RequestError.placeNeeded }
            here = next
        }
        await show(nil, context)
        return CommandOutput(["arrived: \(name)"], objects: [PostJSON.way(from: here, to: place)])
    }

    private func item(on node: any MeshNode) async throws -> ItemInfo {
        let text = ArgumentWords.text(target)
        let mayBeID = text.utf8.count >= 4 && text.utf8.allSatisfy(Hex.isDigit)
        do throws(RequestError) {
            return try await node.perform(FindPlace(PlaceReference(text)))
        } catch {
            guard mayBeID, error.code == .unknownItem else { throw error }
        }
        return try await node.perform(ShowItem(ItemReference(text))).item
    }

    private func show(_ text: String?, _ context: CommandContext) async {
        if context.isChat { await context.progress(text) } else { ShellProgress.show(text) }
    }

    /// `↙ 231 m WSW, 3 min`
    static func way(from here: Coordinate, to place: Coordinate, _ context: CommandContext) -> String {
        let (metres, bearing) = (here.distance(to: place), here.bearing(to: place))
        let point = CompassPoint(bearing: bearing)
        let arrow = context.isUTF8 ? "\(Self.arrow(bearing)) " : ""
        return "\(arrow)\(DistanceText.string(metres)) \(point.abbreviation), \(ItemPhrases.walk(metres))"
    }

    private static func arrow(_ bearing: Double) -> Character {
        let arrows: [Character] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]
        return arrows[Int((bearing / 45).rounded()) % arrows.count]
    }
}
