import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// Where the parts of a line stand, on wide screens and on narrow ones.
struct LineLayoutTests {
    private func renderer(columns: Int = 80, rows: Int = 24, isUTF8: Bool = true) -> TerminalRenderer {
        TerminalRenderer(
            me: Samples.peer(1), hasColor: false, isUTF8: isUTF8,
            size: { TerminalDevice.Size(columns: columns, rows: rows) }, clock: { _ in "14:05" })
    }

    private func line(
        _ text: String, name: String = "bob", room: String = "#lobby", style: SpeechStyle = .says,
        isMention: Bool = false
    ) throws -> ChatItem {
        .message(
            try Samples.message(text, room: room, style: style), shown: name, isCurrentRoom: room == "#lobby",
            isMention: isMention)
    }

    @Test(arguments: [(80, ["14:05  bob  one two three four"]), (40, ["14:05  bob  one two three four"])])
    func whatFitsIsOneRow(columns: Int, rows: [String]) throws {
        #expect(renderer(columns: columns).render(try line("one two three four")).output == rows)
    }

    @Test func textWrapsAtWordsUnderTheText() throws {
        #expect(
            renderer(columns: 40).render(try line("the road over the bridge is closed, take the north road")).output
                == [
                    "14:05  bob  the road over the bridge is", "            closed, take the north road",
                ])
    }

    @Test func aWordThatIsWiderThanTheTextIsCut() throws {
        let rows = renderer(columns: 24).render(try line("see https://example.org/a/long/path")).output
        #expect(
            rows == ["14:05  bob  see", "            https://exam", "            ple.org/a/lo", "            ng/path"])
    }

    @Test func everyRowFitsWhateverIsSaid() throws {
        for columns in [8, 13, 20, 33, 40, 80] {
            for text in Samples.hostileTexts + ["漢字 漢字漢字漢字漢字漢字 漢字", String(repeating: "x", count: 300)] {
                for row in renderer(columns: columns).render(try line(text, name: "bartholomew#k7f3")).output {
                    #expect(StyledText.columns(of: row) <= columns, "\(columns): \(row)")
                }
            }
        }
    }

    @Test func severalLinesStandUnderEachOther() throws {
        let rows = renderer().render(try line("\n\nfor x in y:\n    print(x)\n\n\n\ndone\n\n")).output
        #expect(
            rows
                == ["14:05  bob  for x in y:", "                print(x)", "            ", "            done"].map {
                    $0.allSatisfy { $0 == " " } ? "" : $0
                }
                || rows == ["14:05  bob  for x in y:", "                print(x)", "            ", "            done"])
    }

    @Test func nobodyFillsAScreenWithLineEnds() throws {
        let rows = renderer(rows: 24).render(try line(String(repeating: "a\n", count: 2_048))).output
        #expect(rows.count <= 64 + 4_096 / 60)
    }

    @Test func theColumnOfNamesIsAsWideAsTheLongestOnTheScreenAndTwelveAtMost() throws {
        let renderer = renderer(rows: 4)
        #expect(renderer.render(try line("a")).output == ["14:05  bob  a"])
        #expect(renderer.render(try line("b", name: "anneliese")).output == ["14:05  anneliese  b"])
        #expect(renderer.render(try line("c")).output == ["14:05  bob        c"])
        for _ in 0..<4 { _ = renderer.render(.missed(1)) }
        #expect(renderer.render(try line("d")).output == ["14:05  bob  d"], "the long name has left the screen")
        #expect(
            renderer.render(try line("e", name: "bartholomew-of-the-hill")).output
                == ["14:05  bartholomew-of-the-hill  e"])
        #expect(renderer.render(try line("f")).output == ["14:05  bob           f"])
    }

    @Test func aMentionHasAMarkAtTheMargin() throws {
        let item = try line("alice: come", isMention: true)
        #expect(renderer().render(item).output == ["▌14:05 bob  alice: come"])
        #expect(renderer(isUTF8: false).render(item).output == [">14:05 bob  alice: come"])
        let spoken = PlainRenderer(clock: { _ in "14:05" }, marksMentions: true)
        #expect(spoken.render(item).output == ["> <bob> alice: come"])
        #expect(Samples.plainRenderer.render(item).output == ["<bob> alice: come"], "a pipe stays as it is")
    }

    @Test func whatSomebodyDoesAndOtherRoomsStandInTheColumnOfNames() throws {
        #expect(renderer().render(try line("waves", style: .acts)).output == ["14:05  * bob  waves"])
        #expect(renderer().render(try line("hi", room: "#park")).output == ["14:05  #park bob  hi"])
        // No name holds a mark that stands before it.
        #expect(throws: NameError.self) { try PeerName("#park bob") }
        #expect(try PeerName("* bob").withoutMarks == "? bob")
        #expect(try PeerName("→ bob").withoutMarks == "? bob")
    }

    @Test func privateMessagesHaveTheirMarks() throws {
        func shown(_ message: PrivateMessage, isUTF8: Bool = true) -> [String] {
            renderer(isUTF8: isUTF8).render(.privateMessage(message, shown: "bob", isPast: false)).output
        }
        #expect(shown(try Samples.privateMessage("hi")) == ["14:05  *bob*  hi"])
        #expect(shown(try Samples.privateMessage("waves", style: .acts)) == ["14:05  *bob*  * waves"])
        #expect(
            shown(try Samples.privateMessage("one\ntwo", isMine: true, state: .delivered)) == [
                "14:05  → bob  one", "              two ✓",
            ])
        #expect(
            shown(try Samples.privateMessage("hi", isMine: true, state: .waiting), isUTF8: false) == [
                "14:05  -> bob  hi (waiting)"
            ])
    }

    @Test func noticesAndErrorsBeginWithTheirMarkAndAreSetIn() throws {
        let long = Notice(.information, code: "x", "one two three four five six seven eight nine")
        #expect(
            renderer(columns: 30).render(.notice(long)).output == [
                "• one two three four five six", "  seven eight nine",
            ])
        #expect(renderer(isUTF8: false).render(.missed(1)).output.first?.hasPrefix("* ") == true)
        #expect(renderer().render(.error(code: "x", "No.")).output == ["! No."])
    }

    @Test func theFirstScreenSaysWhoAndWhereOneIsAndWhatToDo() throws {
        let me = try Samples.me()
        #expect(
            renderer().render(.ready(me, ChatItem.Arrival(others: 3, isFirst: true))).output == [
                "lattice · alice in #lobby · 4 people here", "Type to talk. /help for commands, /quit to leave.",
            ])
        #expect(
            renderer(isUTF8: false).render(.ready(me, ChatItem.Arrival(others: 0, isFirst: false))).output == [
                "lattice - alice in #lobby - nobody else here yet"
            ])
        var closed = me
        closed.isClosed = true
        #expect(
            renderer().render(.ready(closed)).output.first
                == "lattice · alice in #lobby · closed mesh lattice · nobody else here yet")
    }

    @Test func helpFitsTwentyFourRowsAndIsReadableAtFortyColumns() throws {
        let lines = ["Talk     type and press Enter  /me TEXT  /history", "/help COMMAND explains one, /help all all."]
        let rendered = renderer(columns: 40).render(.reply(.help(lines)))
        #expect(rendered.isPaged)
        #expect(
            rendered.output == [
                "Talk     type and press Enter  /me TEXT", "         /history",
                "/help COMMAND explains one, /help all", "  all.",
            ])
    }

    @Test func coloursAndIsolatesAreClosedInEachRow() throws {
        let renderer = TerminalRenderer(
            me: Samples.peer(1), hasColor: true, size: { TerminalDevice.Size(columns: 30, rows: 24) },
            clock: { _ in "14:05" })
        let rows = renderer.render(try line("alice שלום שלום שלום שלום שלום", isMention: true)).output
        #expect(rows.count > 1)
        for row in rows {
            #expect(row.hasSuffix("\u{1B}[0m"))
            #expect(row.unicodeScalars.filter { $0 == "\u{2068}" }.count == 1)
            #expect(row.unicodeScalars.filter { $0 == "\u{2069}" }.count == 1)
        }
    }

    @Test func inAPipeAMessageOfSeveralLinesIsOneLine() throws {
        #expect(Samples.plainRenderer.render(try line("one\n\ntwo\n")).output == ["<bob> one ⏎ two"])
        #expect(
            JSONRenderer().render(try line("one\ntwo")).output.first?.contains(#""text":"one\ntwo""#) == true)
    }
}
