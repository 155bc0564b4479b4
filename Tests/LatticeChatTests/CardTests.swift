import LatticeAPI
import LatticeCore
import LatticeGeo
import Synchronization
import Testing

@testable import LatticeChat

/// The card of the mesh in the chat and in what commands print.
@Suite(.timeLimit(.minutes(10))) struct CardTests {
    private static let now = WallTime(milliseconds: Samples.at.milliseconds + 7_200_000)

    private static func status(_ welcome: String? = "Hello!", rules: String? = "Quiet at ten.\nNo fires.") throws
        -> MeshCardStatus
    {
        var card = MeshCard(
            record: RecordID(.zero), authorName: "bob", at: Samples.at, name: "Camp\u{202E}\u{1B}[31m\nby the lake")
        (card.welcome, card.rules, card.textLength) = (welcome, rules, 280)
        card.area = MapArea(try #require(Coordinate(latitude: 40.5, longitude: -74)), metres: 500)
        (card.about, card.radiusChoices) = ("All are\u{200B} welcome", [100, 2_000])
        card.pins = [
            MeshCard.Pin(RecordID(.zero), name: "Kitchen"), MeshCard.Pin(RecordID(.zero), name: nil),
        ]
        return MeshCardStatus(signer: Samples.peer(2), card: card)
    }

    private static func output(_ status: MeshCardStatus) -> CommandOutput {
        CardLines.output(status, CommandContext(now: now))
    }

    @Test func aCardIsShownWithoutWhatWouldActOnAScreen() throws {
        let output = Self.output(try Self.status())
        #expect(
            output.lines == [
                "Camp[31m by the lake", "  signed by bob#\(Samples.peer(2).short), 2 h ago", "  All are welcome",
                "  Hello!", "  places: Kitchen, 000000 (not here)", "  map: 500 m around 40.50000,-74.00000",
                "  reading distance: 100 m, 2 km", "  posts and comments: up to 280 characters", "", "House rules",
                "  Quiet at ten.", "  No fires.",
            ])
        #expect(output.remarks.isEmpty && output.objects.count == 1)
        let object = try #require(output.json.first)
        for member in [
            #""event":"card""#, #""text_length":280"#, #""radius":[100,2000]"#, #""mine":false"#, #""metres":500"#,
            #""rules":"Quiet at ten.\nNo fires.""#,
        ] { #expect(object.contains(member), "\(object)") }
    }

    @Test func withoutACardOneReadsHowToMakeOne() throws {
        let none = Self.output(MeshCardStatus())
        #expect(none.lines.isEmpty && none.exitCode == 0)
        #expect(none.remarks.count == 1 && none.remarks[0].contains("lattice mesh set --called NAME"))
        let late = Self.output(MeshCardStatus(signer: Samples.peer(2)))
        #expect(
            late.remarks == ["The card of this mesh, signed by #\(Samples.peer(2).short), has not come yet."])
    }

    /// - Returns: what the chat showed.
    private func shown(_ statuses: [MeshCardStatus], isJSON: Bool = false) async throws -> [String] {
        let left = Mutex(statuses)
        let rig = try ChatRig(isJSON: isJSON) { request throws(RequestError) in
            guard request is ShowMeshCard else { return try await FakeNode.obliging(request) }
            return left.withLock { left in left.count > 1 ? left.removeFirst() : left[0] }
        }
        rig.tell(.ready(try Samples.me(rooms: ["#lobby"])))
        async let end = rig.run()
        for _ in statuses.dropFirst() {
            rig.tell(.changed(FeedChanges(people: [PersonChange(Samples.peer(2), [.card])])))
        }
        rig.tell(.message(try Samples.message("that was all")))
        func all() -> [String] { rig.screen.shown.flatMap { $0.error + $0.output } }
        try await rig.until("the end") { all().contains { $0.contains("that was all") } }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        return all().filter { $0.contains("Camp") }
    }

    @Test func aPersonIsGreetedOnce() async throws {
        var greetings = try await shown([try Self.status()])
        #expect(greetings.count == 1 && greetings[0].contains("Hello! House rules: /mesh"), "\(greetings)")
        // It comes later, is signed again, and says something else at last.
        greetings = try await shown([
            MeshCardStatus(), try Self.status(), try Self.status(), try Self.status("Come in", rules: nil),
        ])
        #expect(greetings.count == 2 && greetings[1].hasSuffix("by the lake: Come in"), "\(greetings)")
        #expect(try await shown([try Self.status(nil, rules: nil)]).isEmpty)
        #expect(try await shown([try Self.status()], isJSON: true).allSatisfy { $0.contains(#""event":"card""#) })
    }
}
