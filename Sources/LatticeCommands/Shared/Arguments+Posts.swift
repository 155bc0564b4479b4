import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeGeo
import LatticeSettings

extension Arguments {
    static func place(_ text: String) throws -> ParsedPlace {
        do {
            return try PlaceParser.parse(text)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// `nil` if there are no words.
    static func place(_ words: [String]) throws -> ParsedPlace? {
        words.isEmpty ? nil : try place(ArgumentWords.text(words))
    }

    static func duration(_ text: String) throws -> Duration {
        do {
            return try DurationText.parse(text)
        } catch {
            throw ValidationError(error.description)
        }
    }

    static func lifetime(_ text: String) throws -> Duration {
        let duration = try duration(text)
        guard PostLimit.lifetimeRange.contains(duration) else {
            throw ValidationError("a post lasts from 1min to 365d, such as --expires 7d")
        }
        return duration
    }

    static func cursor(_ text: String) -> PageCursor { PageCursor(text) }

    static let limit = number(PostLimit.pageSizeRange, "--limit")
    static let blur = number(1...Geohash.charactersMax, "--blur")
}

/// The options of every command that shows part of a list.
struct PageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How many to show, 1 to 100. (default: 20)", valueName: "n"), transform: Arguments.limit)
    var limit = PostLimit.pageSize

    @Option(
        help: ArgumentHelp("Continue after the last page.", valueName: "cursor"), transform: Arguments.cursor)
    var after: PageCursor?

    var request: PageRequest { PageRequest(limit: limit, after: after) }
}

/// The options of every command that looks around a place.
struct AroundOptions: ParsableArguments {
    @Option(
        name: .customLong("radius"),
        help: ArgumentHelp(
            "How far away you can read: 250m, 2km, up to 100km. (default: 2km, or what the mesh says)",
            valueName: "distance"),
        transform: Arguments.radius)
    var radiusOption: Double?

    /// Metres, by the option or the setting.
    var radius: Double { radiusOption ?? Self.settled ?? PostLimit.radius }

    private static var settled: Double? { Settings.current.value(.radius, Arguments.radius) }

    /// Metres, by the option, the setting or the card of the mesh.
    func radius(on node: any MeshNode) async -> Double { await Self.radius(radiusOption, on: node) }

    static func radius(_ option: Double?, on node: any MeshNode) async -> Double {
        if let chosen = option ?? settled { return chosen }
        do {
            return try await node.perform(ShowMeshCard()).defaults.radius
        } catch {
            return PostLimit.radius  // What is asked next reports the error.
        }
    }

    @Option(
        help: ArgumentHelp("Nothing older, such as 30min, 24h or 7d.", valueName: "time"), transform: Arguments.duration
    )
    var since: Duration?
}
