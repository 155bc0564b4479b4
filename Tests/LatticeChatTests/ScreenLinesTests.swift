import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeChat

/// Numbers of lines while a command about one is typed.
@Suite(.timeLimit(.minutes(10))) struct ScreenLinesTests {
    private let lobby: RoomName

    init() throws { lobby = try RoomName("#lobby") }

    private func lines(_ said: [(text: String, rank: UInt8)], room: String = "#lobby") throws -> NumberedLines {
        var lines = NumberedLines()
        for (text, rank) in said {
            lines.add(.room(try Samples.message(text, from: rank, name: rank == 1 ? "alice" : "bob", room: room)))
        }
        return lines
    }

    private func screenLines(_ lines: NumberedLines) -> ScreenLines {
        ScreenLines(lines, in: .room(lobby), me: Samples.peer(1))
    }

    @Test func aCommandAsksForLinesWhileItsFirstWordIsTyped() {
        for (line, command) in [
            ("/reply ", NumberedCommand.reply), ("/React ", .react), ("/edit 1", .edit), ("/delete b", .delete),
            ("/context ", .context),
        ] {
            #expect(NumberedCommand(typing: line) == command)
        }
        for line in ["", "/", "/reply", "/reply 3 ", "/edit 12 text", "reply ", "//reply ", "/msg ", " /reply ", "/ "] {
            #expect(NumberedCommand(typing: line) == nil, "\(line)")
        }
    }

    @Test func theLastNineAreShownAndOnesOwnToEdit() throws {
        let said: [(String, UInt8)] = (1...12).map { ("line \($0)", $0 == 2 || $0 == 11 ? 1 : 2) }
        let screenLines = screenLines(try lines(said))
        #expect(screenLines.entries(for: .reply).map(\.number) == Array(4...12))
        #expect(screenLines.entries(for: .edit).map(\.number) == [2, 11])
        #expect(screenLines.entries(for: .delete).map(\.number) == [2, 11])
        #expect(screenLines.rows(for: .delete, columns: 80) == [" 2  alice: line 2", "11  alice: line 11"])
        #expect(screenLines.edit == "/edit 11 line 11")
    }

    @Test func rowsFitTheScreenAndAreHarmless() throws {
        let text = "\u{1B}[31mred\nand \u{202E}more " + String(repeating: "日本", count: 40)
        let rows = screenLines(try lines([(text, 2)])).rows(for: .reply, columns: 40)
        #expect(rows == [" 1  bob: [31mred ⏎ and more 日本日本日…"])
        #expect(rows.allSatisfy { StyledText.columns(of: $0) < 40 })
    }

    @Test func onlyALastLineThatCanBeEditedComesBack() throws {
        var all = try lines([("first", 1), ("second", 1)])
        #expect(screenLines(all).edit == "/edit 2 second")
        // It was deleted: what was said before is not the last line.
        all.change(.room(try Samples.message("second", from: 1, name: "alice").deleted))
        #expect(screenLines(all).edit == nil)
        #expect(screenLines(all).entries.map(\.text) == ["first"])
        #expect(screenLines(try lines([("two\nlines", 1)])).edit == nil)
        #expect(screenLines(try lines([("hers", 2)])).edit == nil)
        #expect(ScreenLines(all, in: nil, me: Samples.peer(1)) == ScreenLines())
        #expect(screenLines(try lines([("elsewhere", 1)], room: "#park")) == ScreenLines())
    }

    @Test func tabGoesThroughNumbersNewestFirst() throws {
        let said: [(String, UInt8)] = [("one", 1), ("two", 2), ("three", 1)]
        let completer = Completer(
            names: ["bob"], rooms: [], addressees: ["bob"], lines: screenLines(try lines(said)))
        func found(_ before: String) -> [String] { completer.complete(before).candidates }
        #expect(found("/reply ") == ["3 ", "2 ", "1 "] && completer.complete("/reply ").walks)
        #expect(found("/react 2") == ["2 "] && found("/reply b") == ["bob"])
        #expect(found("/edit ") == ["3 three", "1 one"] && found("/delete ") == ["3 ", "1 "])
        #expect(found("/context ") == ["3 ", "2 ", "1 "])
        #expect(found("/reply 2 ").isEmpty && found("/reply 9").isEmpty && found("/msg ") == ["bob"])
    }

    // MARK: - In a chat

    @Test func theScreenHasTheLinesOfTheOpenRoom() async throws {
        let rig = try ChatRig(rooms: ["#lobby", "#park"])
        let mine = try Samples.message("mine", from: 1, name: "alice")
        rig.tell(.message(try Samples.message("hi")), .message(mine), .message(try Samples.message("x", room: "#park")))
        async let end = rig.run()
        try await rig.until("both") { rig.screen.lines.entries.map(\.text) == ["hi", "mine"] }
        #expect(rig.screen.lines.edit == "/edit 2 mine")
        var edited = Message(
            record: mine.record, room: mine.room, from: mine.from, name: mine.name, text: "ours", style: .says,
            at: mine.at, hops: 0)
        edited.isEdited = true
        rig.tell(.lineChanged(LineChange(.edited, by: mine.from, of: edited)))
        try await rig.until("the edit") { rig.screen.lines.edit == "/edit 2 ours" }
        rig.screen.put([.line("/join #park")])
        try await rig.until("the other room") { rig.screen.lines.entries.map(\.text) == ["x"] }
        #expect(rig.screen.lines.edit == nil)
        rig.screen.put([.interrupt])
        #expect(await end == .done)
    }

    @Test func aLineHasItsNumberWhenItIsSeen() async throws {
        let rig = try ChatRig()
        async let end = rig.run()
        rig.tell(.message(try Samples.message("mine", from: 1, name: "alice")))
        try await rig.until("the line") { rig.screen.output.contains { $0.contains("mine") } }
        let shown = try #require(rig.screen.shown.firstIndex { $0.output.contains { $0.contains("mine") } })
        #expect(rig.screen.linesWhenShown[shown].edit == "/edit 1 mine")
        rig.screen.put([.interrupt])
        #expect(await end == .done)
    }

    @Test func programsGetNone() async throws {
        let rig = try ChatRig(isInteractive: false, isJSON: true)
        rig.tell(.message(try Samples.message("hi")))
        async let end = rig.run()
        try await rig.until("the line") { rig.screen.output.count == 1 }
        rig.screen.put([.endOfInput])
        _ = await end
        #expect(rig.screen.lines == ScreenLines())
    }
}
