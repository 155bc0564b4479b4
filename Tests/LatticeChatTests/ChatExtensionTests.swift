import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// Commands that a chat takes besides its own, and what is posted near.
@Suite(.timeLimit(.minutes(10)))
struct ChatExtensionTests {
    /// Says what it was asked; refuses `/shout no`.
    private struct Echo: ChatExtension {
        let words = ["near", "shout", "file"]
        let usage = [(call: "/near [PLACE]", summary: "lists"), (call: "/shout TEXT", summary: "shouts")]

        func help(_ topic: String) -> [String] { ["all about \(topic)"] }

        func run(
            _ word: String, _ rest: String, on node: any MeshNode, progress: @escaping CommandProgress
        ) async -> CommandOutput {
            guard rest != "no" else {
                let faults = [
                    CommandFailure.Fault("text", "write something else"), CommandFailure.Fault("place", "go"),
                ]
                return CommandOutput(failure: CommandFailure(code: "invalid", "that is not said", faults: faults))
            }
            return CommandOutput(
                ["\(word): \(rest)"], remarks: ["there is more"],
                objects: [JSONLine([("event", .text(word))]), JSONLine([("event", .text("next"))])])
        }
    }

    private func shown(_ lines: [String], isJSON: Bool = false, isInteractive: Bool = true) async throws
        -> (rig: ChatRig, end: ChatEnd)
    {
        let rig = try ChatRig(isInteractive: isInteractive, isJSON: isJSON, slash: Echo())
        return (rig, await rig.run(typing: lines))
    }

    @Test func aWordOfTheExtensionGoesThere() async throws {
        let (rig, end) = try await shown(["/near 40.7 -74", "/NEAR", "//near"])
        #expect(end == .done)
        #expect(
            rig.screen.error.filter { !$0.hasPrefix("* ") } == [
                "near: 40.7 -74", "there is more", "near: ", "there is more",
            ])
        #expect(await rig.said() == ["/near"])
    }

    /// A file for the people of one room does not go to another.
    @Test func aFileIsSharedInTheOpenRoom() async throws {
        let (rig, _) = try await shown([
            "/file share map.pdf", "/join #park", "/file share map.pdf", "/file share map.pdf --room #lobby",
            "/file list",
        ])
        #expect(
            rig.screen.error.filter { $0.hasPrefix("file: ") } == [
                "file: share --room #lobby map.pdf", "file: share --room #park map.pdf",
                "file: share map.pdf --room #lobby", "file: list",
            ])
    }

    @Test func aProgramIsGivenEveryObjectOnALine() async throws {
        let (rig, _) = try await shown(["/near", "/shout no"], isJSON: true)
        #expect(
            rig.screen.output == [
                "{\"event\":\"near\"}", "{\"event\":\"next\"}",
                "{\"event\":\"error\",\"code\":\"invalid\",\"message\":\"that is not said\","
                    + "\"errors\":[{\"field\":\"text\",\"message\":\"write something else\"},"
                    + "{\"field\":\"place\",\"message\":\"go\"}]}",
            ])
    }

    @Test func aRefusalIsToldWithEachFaultAndFailsAScript() async throws {
        let (rig, end) = try await shown(["/shout no"], isInteractive: false)
        #expect(rig.screen.error == ["lattice: text: write something else", "lattice: place: go"])
        #expect(end == .failed)
    }

    @Test func helpSpellingAndCompletionKnowItsWords() async throws {
        let (rig, _) = try await shown(["/help", "/help all", "/help near", "/help /shout loud", "/nea", "/help shot"])
        let lines = rig.screen.error
        #expect(lines.contains { $0.hasPrefix("Share ") && $0.hasSuffix("  /near") })
        #expect(lines.contains { $0.hasPrefix("  /near [PLACE]  ") && $0.hasSuffix("  lists") })
        #expect(lines.contains("More:"), "a word of no group")
        #expect(lines.contains("all about near") && lines.contains("all about shout loud"))
        #expect(lines.contains { $0.contains("Did you mean /near?") })
        #expect(lines.contains { $0.contains("Did you mean /shout?") })
        let completer = Completer(names: [], rooms: [], extraWords: ["near", "shout"])
        #expect(completer.complete("/sh").candidates == ["/shout"])
        #expect(completer.complete("/nea").candidates == ["/near"])
    }

    @Test func withoutAnExtensionThereIsNoSuchCommand() {
        guard case .mistake(let text) = LineParser.parse("/near") else {
            Issue.record("it is a mistake")
            return
        }
        #expect(text.contains("There is no command /near"))
    }

    @Test func whatIsPostedNearIsAnnounced() async throws {
        let rig = try ChatRig()
        async let end = rig.run()
        let post = PostSamples.post(1, "Water at the gate", metres: 180, bearing: 45, secondsAgo: 60)
        var event = PostSamples.event()
        event.at = PostSamples.now
        var photo = PostSamples.post(2, "Bridge out", metres: 180, bearing: 45, secondsAgo: 60)
        photo.photo = PhotoInfo(width: 560, height: 420, size: 48_000, alt: "a bridge", state: .here)
        rig.tell(
            .posted(post), try Samples.presence(2, "bob"), .posted(post), .posted(event), .posted(photo))
        try await rig.until("all is reported") { rig.screen.error.count == 5 }
        #expect(
            rig.screen.error == [
                "* bob#\(Samples.peer(2).short) posted 180 m NE: \"Water at the gate\"   /show 010000",
                "* bob is here, 2 hops away",
                "* bob posted 180 m NE: \"Water at the gate\"   /show 010000",
                "* bob announced an event 640 m E: \"Concert\"   /show 090000",
                "* bob posted 180 m NE: \"Bridge out\" [photo]   /show 020000, /view 020000",
            ])
        rig.screen.put([.interrupt])
        #expect(await end == .done)
    }

    @Test func whoIsIgnoredPostsUnheard() async throws {
        let rig = try ChatRig()
        async let end = rig.run()
        rig.tell(try Samples.presence(2, "bob"))
        try await rig.until("bob is known") { rig.screen.context.names == ["bob"] }
        rig.screen.type("/ignore bob")
        try await rig.until("bob is ignored") { rig.screen.error.count == 2 }
        rig.tell(.posted(PostSamples.item(1, "hi")), .missed(3))
        try await rig.until("the rest is reported") { rig.screen.error.count == 3 }
        #expect(rig.screen.error.last?.hasPrefix("* 3 events") == true)
        rig.screen.put([.interrupt])
        #expect(await end == .done)
    }

    @Test func forProgramsAPostIsItsFields() {
        let post = PostSamples.post(1, nil, metres: 23_000.04, bearing: 359.97, state: .tooFar)
        #expect(
            JSONRenderer().render(.posted(post, shown: "bob")).output == [
                "{\"event\":\"posted\",\"id\":\"\(post.id.hex)\",\"short\":\"010000\",\"kind\":\"post\",\"state\":\"too_far\","
                    + "\"author\":\"\(post.author.hex)\",\"author_name\":\"bob\",\"author_colour\":null,"
                    + "\"author_photo_size\":null,"
                    + "\"at\":\"2026-11-21T09:26:40.250Z\",\"expires\":\"2026-12-21T09:26:40.250Z\",\"edited_at\":null,"
                    + "\"text\":null,\"title\":null,\"place_name\":null,\"lat\":40.919644,\"lon\":-74.0061433,\"blur\":null,"
                    + "\"metres\":23000.0,\"bearing\":0.0,\"compass\":\"N\",\"category\":null,"
                    + "\"hours\":null,\"part_of\":null,\"at_place\":null,\"unlock_metres\":null,\"written_at\":null,\"starts\":null,\"ends\":null,\"past\":false,\"parent\":null,"
                    + "\"likes\":0,\"comments\":0,\"attendees\":0,\"mine\":false,\"liked_by_me\":false,"
                    + "\"attended_by_me\":false,\"waiting\":false,\"photo\":null}"
            ])
    }
}
