import LatticeAPI
import LatticeConcurrency
import LatticeCore
import Testing

@testable import LatticeChat

/// `/view` in a chat: which picture is meant, and that the chat goes on while it comes.
@Suite(.timeLimit(.minutes(10))) struct ViewTests {
    private static let file = Samples.record("lake.jpg")

    /// Says which commands it was asked to run. `/view slow` waits until it is cancelled.
    private struct Echo: ChatExtension {
        let begun: Signal
        var words: [String] { ["view"] }
        var usage: [(call: String, summary: String)] { [] }
        func help(_ topic: String) -> [String] { [] }

        func run(
            _ word: String, _ rest: String, on node: any MeshNode, progress: @escaping CommandProgress
        ) async -> CommandOutput {
            guard rest.hasPrefix("slow") else {
                var output = CommandOutput(["\(word) \(rest)"])
                output.picture = ["PICTURE"]
                return output
            }
            await progress("fetching…")
            begun.raise()
            let never = Signal()
            while !Task.isCancelled { await never.wait() }
            await progress(nil)
            return CommandOutput(failure: CommandFailure(code: "cancelled", "given up"))
        }
    }

    private let begun = Signal()

    private func rig(isInteractive: Bool = true) throws -> ChatRig {
        try ChatRig(isInteractive: isInteractive, slash: Echo(begun: begun)) { request throws(RequestError) in
            try await FakeNode.obliging(request)
        }
    }

    /// Line 1 shares a picture, 2 nothing, 3 a map.
    private func tell(_ rig: ChatRig) throws {
        var picture = try Samples.message("shares the file lake.jpg (48 kB)")
        picture.file = Self.file
        var map = try Samples.message("shares the file map.pdf (2 kB)", from: 3, name: "carol")
        map.file = Samples.record("map.pdf")
        rig.tell(.message(picture), .message(try Samples.message("thanks", from: 3, name: "carol")), .message(map))
    }

    @Test func aNumberIsThatOfALineWithAFile() async throws {
        let expected = [
            "/view 1": "view 1 --file \(Self.file.hex)",
            "/view 1 --ascii": "view 1 --ascii --file \(Self.file.hex)",
            "/view 2": "view 2",
            "/view 3": "view 3 --file \(Samples.record("map.pdf").hex)",
            "/view": "view \(Self.file.hex) ",
            "/view --ascii": "view \(Self.file.hex) --ascii",
            "/view bob": "view bob",
            "/view 7cdbb3": "view 7cdbb3",
        ]
        for (typed, command) in expected {
            let rig = try rig()
            try tell(rig)
            async let end = rig.run()
            try await rig.until("the lines") { rig.screen.output.count == 3 }
            rig.screen.type(typed)
            try await rig.until("the answer") { rig.screen.error.count == 2 }
            #expect(rig.screen.error == ["PICTURE", command], "\(typed)")
            rig.screen.put([.interrupt])
            #expect(await end == .done)
        }
    }

    @Test func withoutAPictureInTheRoomThereIsNothingToView() async throws {
        let rig = try rig()
        #expect(await rig.run(typing: ["/view"]) == .done)
        #expect(rig.screen.error.contains { $0.contains("No picture was shared here since you came") })
    }

    @Test func theChatGoesOnAndControlCStopsThePictureFirst() async throws {
        let rig = try rig()
        async let end = rig.run()
        rig.screen.type("/view slow", "/view slow too", "hello")
        await begun.wait()
        try await rig.until("the line is said") { await rig.said() == ["hello"] }
        #expect(rig.screen.progress.last == "fetching…")
        rig.screen.put([.interrupt])
        try await rig.until("it is given up") { rig.screen.error.contains { $0.contains("given up") } }
        rig.screen.type("/view next")
        try await rig.until("the next one is shown") { rig.screen.error.last == "view next" }
        #expect(rig.screen.error.filter { $0.contains("given up") }.count == 1, "the second never began")
        #expect(rig.screen.progress.last == .some(nil))
        rig.screen.put([.interrupt])
        #expect(await end == .done)
    }

    @Test func aChatEndsWhileAPictureComes() async throws {
        let rig = try rig()
        async let end = rig.run()
        rig.screen.type("/view slow")
        await begun.wait()
        rig.screen.type("/quit")
        #expect(await end == .done)
    }

    @Test func onlySoManyWait() async throws {
        let rig = try rig()
        async let end = rig.run()
        rig.screen.type("/view slow")
        await begun.wait()
        rig.screen.put((0...8).map { .line("/view \($0)00") })
        try await rig.until("one is refused") { rig.screen.error.contains { $0.contains("8 pictures wait already") } }
        rig.screen.put([.interrupt])
        try await rig.until("it is given up") { rig.screen.error.contains { $0.contains("given up") } }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
    }

    /// In a pipe one command follows the other.
    @Test func aScriptWaitsForThePicture() async throws {
        let rig = try rig(isInteractive: false)
        #expect(await rig.run(typing: ["/view bob", "/view carol"]) == .done)
        #expect(rig.screen.error.suffix(4) == ["PICTURE", "view bob", "PICTURE", "view carol"])
    }

    // MARK: - On the screen

    @Test func aLineThatSharesAPictureSaysHowToSeeIt() throws {
        let renderer = TerminalRenderer(me: Samples.peer(1), hasColor: false) { _ in "08:15" }
        for (text, hint) in [
            ("shares the file lake.jpg (48 kB)", "/view 5"), ("shares the file LAKE.WebP (1.2 MB)", "/view 5"),
            ("shares the file map.pdf (2 kB)", "/get 5"), ("shares the folder a.jpg with 2 files (2 kB)", "/get 5"),
            ("look", "/get 5"),
        ] {
            var line = try Samples.message(text)
            line.file = Self.file
            let shown = renderer.render(
                .message(line, shown: "bob", isCurrentRoom: true, isMention: false, number: 5))
            #expect(shown.output.last?.hasSuffix(hint) == true, "\(shown.output)")
        }
    }

    @Test func linesWithPicturesAreListedWhileTheCommandIsTyped() throws {
        var lines = NumberedLines()
        var picture = try Samples.message("shares the file lake.png (48 kB)")
        picture.file = Self.file
        lines.add(.room(try Samples.message("hello")))
        lines.add(.room(picture))
        let screen = ScreenLines(lines, in: .room(try RoomName("#lobby")), me: Samples.peer(1))
        #expect(screen.entries(for: .view).map(\.number) == [2])
        #expect(NumberedCommand(typing: "/view ") == .view)
        let completer = Completer(names: ["bob"], rooms: [], extraWords: ["view"], addressees: ["bob"], lines: screen)
        #expect(completer.complete("/view ").candidates == ["2 "])
        #expect(completer.complete("/view b").candidates == ["bob"])
    }

    @Test func aPictureStandsAboveItsWordsAndThePromptBelow() {
        var screen = Screen(columns: 20, rows: 5)
        _ = screen.show(prompt: "> ", before: "ab", after: "")
        let output = screen.printAbove(["words"], below: ["\u{1B}Pq#0\u{1B}\\"])
        #expect(output.contains("\u{1B}Pq#0\u{1B}\\\r\nwords\r\n> ab"))
    }

    @Test func aTerminalGetsThePictureAsItIsAndAProgramNone() {
        var output = CommandOutput(["words"], objects: [JSONLine([("event", .text("picture"))])])
        output.picture = ["\u{1B}[31m▀  ▀\u{1B}[0m"]
        let terminal = TerminalRenderer(me: Samples.peer(1), hasColor: true) { _ in "" }
            .render(.reply(.output(output)))
        #expect(terminal.picture == output.picture && terminal.output == ["words"])
        let plain = Samples.plainRenderer.render(.reply(.output(output)))
        #expect(plain.error == output.picture + ["words"] && plain.picture.isEmpty)
        let json = JSONRenderer().render(.reply(.output(output)))
        #expect(json.output == ["{\"event\":\"picture\"}"] && json.picture.isEmpty)
    }
}
