import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeCommands

/// The card of the mesh, and the defaults that it sets for other commands.
@Suite struct MeshCommandTests {
    private static let gate = CommandNode.here
    private static let key = CommandNode.me

    private static func run(_ line: String, _ node: CommandNode = CommandNode()) async -> (CommandOutput, [AnyHashable])
    {
        let word = String(line.prefix { $0 != " " })
        let output = await SlashCommands().run(word, String(line.dropFirst(word.count + 1)), on: node)
        return (output, await node.requests)
    }

    @Test func whatIsTypedIsAsked() async throws {
        var whole = MeshCardDraft()
        (whole.name, whole.about, whole.welcome) = ("Camp by the lake", "All of it", "Hello, you!")
        (whole.rules, whole.textLength, whole.radiusChoices) = ("Quiet", 280, [100, 2_000, 500])
        whole.area = MapArea(try #require(Self.gate), metres: 500)
        whole.pins = [PlaceReference("Kitchen"), PlaceReference("Camp/Tap")]
        var rules = MeshCardDraft()
        rules.rules = "No fires."
        let link = "lattice://join/camp?v=1&card=BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc"
        let expected: [(String, AnyHashable)] = [
            (
                "mesh set --called \"Camp by the lake\" --description \"All of it\" --welcome \"Hello, you!\" "
                    + "--rules Quiet --text-length 280 --radius \"100, 2km,500\" --area \"40.7128,-74.006 0.5km\" "
                    + "--pin Kitchen --pin Camp/Tap",
                SetMeshCard(whole)
            ),
            (
                "mesh set --rules \"No fires.\" --remove area --remove text-length --remove radius --remove pins",
                SetMeshCard(rules, remove: [.area, .textLength, .radiusChoices, .pins])
            ),
            ("mesh take \(Self.key.hex)", TakeMeshCard(PeerReference(Self.key))),
            ("mesh take \(link)", TakeMeshCard(PeerReference(Self.key))),
            ("mesh take bob#k7f3", TakeMeshCard(PeerReference("bob#k7f3"))), ("mesh forget", TakeMeshCard(nil)),
        ]
        for (line, request) in expected {
            let (output, requests) = await Self.run(line)
            #expect(output.failure == nil && requests == [request], "\(line): \(output.failure?.message ?? "")")
        }
        let (shown, _) = await Self.run("mesh")
        #expect(shown.failure == nil && shown.remarks.first?.contains("/mesh set --called NAME") == true)
    }

    @Test(arguments: [
        ("mesh set", "nothing to set"), ("mesh set --area Kitchen", "a place and a distance"),
        ("mesh set --area \"40,-74 5\"", "unit"), ("mesh set --remove name", "a part is"),
        ("mesh set --text-length 0", "1 to 1000"), ("mesh set --radius 100,x", "x"),
        ("mesh set --name Camp", "works only in the shell"), ("mesh take lattice://join/camp?v=1", "names no card"),
    ])
    func whatIsWrongIsSaid(line: String, words: String) async {
        let (output, requests) = await Self.run(line)
        #expect(output.exitCode == 2 && requests.isEmpty)
        #expect(output.failure?.message.contains(words) == true, "\(line): \(output.failure?.message ?? "")")
    }

    /// A node of a mesh whose card has an area and reading distances.
    private static func node(hasPlace: Bool, area: MapArea?) -> CommandNode {
        CommandNode { request throws(RequestError) in
            switch request {
            case is ShowMeshCard:
                var card = MeshCard(record: RecordID(.zero), authorName: "bob", at: CommandNode.item.at, name: "Camp")
                card.area = area
                return MeshCardStatus(
                    signer: key, card: card, defaults: MeshDefaults(textClusters: 140, radiusChoices: [100, 700]))
            case let query as NearQuery where !hasPlace && query.centre == nil: throw .placeNeeded
            default: return try CommandNode.obliging(request)
            }
        }
    }

    @Test func theReadingDistanceIsThatOfTheMeshUnlessOneSaysAnother() async {
        for (line, metres) in [("near", 700.0), ("near --radius 250m", 250)] {
            let (_, requests) = await Self.run(line, Self.node(hasPlace: true, area: nil))
            #expect(requests == [NearQuery(.posts, centre: nil, radius: metres)])
        }
    }

    @Test func whoHasNoPlaceSeesTheAreaOfTheMesh() async throws {
        let middle = try #require(Self.gate)
        let area = MapArea(middle, metres: 1_500)
        let first = NearQuery(.posts, centre: nil, radius: 700)
        let (output, requests) = await Self.run("near", Self.node(hasPlace: false, area: area))
        #expect(requests == [first, NearQuery(.posts, centre: middle, radius: 1_500)])
        #expect(output.failure == nil && output.remarks.last?.contains("Your place is not set") == true)
        let (map, _) = await Self.run("near --map --ascii", Self.node(hasPlace: false, area: area))
        #expect(map.lines.contains { $0.contains("@ is \(middle)") } && map.lines.contains { $0.contains("100 m") })
        let (chosen, asked) = await Self.run("near --radius 50m", Self.node(hasPlace: false, area: area))
        #expect(asked.last == AnyHashable(NearQuery(.posts, centre: middle, radius: 50)) && chosen.failure == nil)
        let (none, _) = await Self.run("near", Self.node(hasPlace: false, area: nil))
        #expect(none.failure?.code == "placeNeeded")
        let (own, _) = await Self.run("near", Self.node(hasPlace: true, area: area))
        #expect(own.remarks.isEmpty)
    }
}
