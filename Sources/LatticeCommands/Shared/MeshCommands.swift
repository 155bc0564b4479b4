import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import LatticeNode
import LatticeSettings

struct MeshCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "mesh [show | set … | take KEY | forget]", "Show the card of the mesh: its name, rules and defaults.",
        examples: ["mesh", "mesh set --called \"Camp by the lake\" --rules \"Quiet after ten.\""])
    static let configuration = manual.configuration(
        subcommands: [
            MeshShowCommand.self, MeshSetCommand.self, MeshTakeCommand.self, MeshForgetCommand.self,
        ], default: MeshShowCommand.self)
}

struct MeshShowCommand: SharedCommand {
    static let manual = CommandManual(
        "mesh show", "Show the card of the mesh.",
        discussion:
            "The owner of the mesh signs it. Your node uses the card that one key signed; the invitation link names that key.",
        examples: ["mesh show"])

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        CardLines.output(try await node.perform(ShowMeshCard()), context)
    }
}

struct MeshSetCommand: SharedCommand {
    static let manual = CommandManual(
        "mesh set [--called NAME] [--description TEXT] [--area \"PLACE DISTANCE\"] [--text-length N] [--radius 250,2000,5000] [--pin PLACE]… [--welcome TEXT] [--rules TEXT] [--remove PART]…",
        "Write the card of your mesh, or change it.",
        discussion: """
            Options that you omit stay as they are. You sign the card with your key; 'lattice invite' puts that key into its links, \
            and anyone who joins with one takes your card. Everybody's own settings come before the defaults that it sets.
            """,
        examples: [
            "mesh set --called \"Camp by the lake\" --welcome \"Hello!\" --rules \"Quiet after ten.\"",
            "mesh set --area \"40.7128,-74.0060 500m\" --radius 100,500,2000 --text-length 280",
            "mesh set --remove area",
        ])

    @Option(help: ArgumentHelp("What the mesh is called.", valueName: "name")) var called: String?
    @Option(name: .customLong("description"), help: ArgumentHelp("What it is for.", valueName: "text"))
    var about: String?
    @Option(
        help: ArgumentHelp("What a map shows to those without a place: a place and a distance.", valueName: "area"),
        transform: AreaText.init)
    var area: AreaText?
    @Option(
        help: ArgumentHelp("Longest post or comment in characters, 1 to 1000.", valueName: "n"),
        transform: Arguments.number(PostLimit.textClustersRange, "--text-length"))
    var textLength: Int?
    @Option(
        help: ArgumentHelp("How far away people may choose to read, in metres.", valueName: "m,m,…"),
        transform: Self.choices)
    var radius: [Int]?
    @Option(help: ArgumentHelp("A place that lists show first; repeatable.", valueName: "place"))
    var pin: [String] = []
    @Option(help: ArgumentHelp("A line that greets people.", valueName: "text")) var welcome: String?
    @Option(help: ArgumentHelp("The rules of the house.", valueName: "text")) var rules: String?
    @Option(
        help: ArgumentHelp(
            "Remove a part: description, area, text-length, radius, pins, welcome or rules; repeatable.",
            valueName: "part"),
        transform: Self.part)
    var remove: [MeshCardDraft.Part] = []
    @OptionGroup var options: WritingOptions

    func validate() throws {
        guard
            called != nil || about != nil || area != nil || textLength != nil || radius != nil || !pin.isEmpty
                || welcome != nil || rules != nil || !remove.isEmpty
        else { throw ValidationError("nothing to set; use --called, --welcome, --rules or another option") }
    }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        var draft = MeshCardDraft()
        (draft.name, draft.about, draft.textLength) = (called, about, textLength)
        (draft.radiusChoices, draft.welcome, draft.rules) = (radius, welcome, rules)
        draft.pins = pin.isEmpty ? nil : pin.map { PlaceReference($0) }
        if let area { draft.area = MapArea(try await area.spot.resolved(on: node).coordinate, metres: area.metres) }
        return CardLines.output(try await node.perform(SetMeshCard(draft, remove: remove)), context)
    }

    private static func choices(_ text: String) throws -> [Int] {
        try text.split(separator: ",").map { part in
            let word = part.filter { !$0.isWhitespace }
            return try Int(word) ?? Int(Arguments.radius(word).rounded())
        }
    }

    private static func part(_ text: String) throws -> MeshCardDraft.Part {
        switch text {
        case "description": .about
        case "area": .area
        case "text-length": .textLength
        case "radius": .radiusChoices
        case "pins": .pins
        case "welcome": .welcome
        case "rules": .rules
        default:
            throw ValidationError("a part is description, area, text-length, radius, pins, welcome or rules")
        }
    }
}

/// `40.7128,-74.0060 500m`: a place and a distance.
struct AreaText: Equatable {
    let spot: Spot
    let metres: Int

    init(_ text: String) throws {
        guard let space = text.lastIndex(where: \.isWhitespace) else {
            throw ValidationError("an area is a place and a distance, such as \"40.7128,-74.0060 500m\"")
        }
        spot = try Spot(String(text[..<space]))
        do {
            metres = Int(try DistanceText.parse(String(text[text.index(after: space)...])).rounded())
        } catch {
            throw ValidationError(error.description)
        }
    }
}

struct MeshTakeCommand: SharedCommand {
    static let manual = CommandManual(
        "mesh take KEY", "Choose whose card of the mesh your node uses.",
        discussion:
            "KEY is the key of its signer, the name of somebody you know, or an invitation link that has the key.",
        examples: ["mesh take bob#k7f3"])

    @Argument(help: "The key, person or link.") var key: String
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let peer: PeerReference
        do {
            peer = PeerReference(try CardSigner.parse(key))
        } catch .neither {
            peer = PeerReference(key)
        } catch {
            throw CommandFailure.usage(error.description)
        }
        return CardLines.output(try await node.perform(TakeMeshCard(peer)), context)
    }
}

struct MeshForgetCommand: SharedCommand {
    static let manual = CommandManual(
        "mesh forget", "Stop using a card of the mesh.", examples: ["mesh forget"])

    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        CardLines.output(try await node.perform(TakeMeshCard(nil)), context)
    }
}
