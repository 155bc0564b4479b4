import LatticeChat
import LatticeCore
import Testing

/// What is pasted into the line.
struct TerminalPasteTests {
    private var editor = LineEditor()

    private mutating func type(_ text: String) -> [LineEditor.Action] {
        text.unicodeScalars.flatMap { editor.handle(.text($0)) }
    }

    private mutating func press(_ keys: Key...) -> [LineEditor.Action] {
        keys.flatMap { editor.handle($0) }
    }

    private mutating func paste(_ text: String) -> [LineEditor.Action] {
        editor.handle(.paste(text, isTruncated: false))
    }

    /// The line with the cursor drawn into it.
    private var shown: String { "\(editor.buffer.before)|\(editor.buffer.after)" }

    @Test mutating func aPasteOfOneLineGoesIntoTheLineAndIsNotSentByItsLineEnd() {
        _ = type("<>")
        _ = press(.left)
        #expect(paste("a\tb\u{1B}[A\r\n") == [])
        #expect(shown == "<a b[A|>")
    }

    @Test mutating func aPasteOfSeveralLinesWaitsForEnterAndIsOneMessage() {
        let actions = paste("/part\r\n/nick evil\r  third\n\n")
        guard case .previewed? = actions.first, actions.count == 1 else {
            Issue.record("it is shown first")
            return
        }
        #expect(editor.searchPrompt == "Send 3 lines? Enter sends, Ctrl-C drops: ")
        #expect(press(.text("x"), .up, .tab) == [.bell, .bell, .bell])
        #expect(press(.enter) == [.submittedPaste(["/part\n/nick evil\n  third"])])
        #expect(editor.searchPrompt == nil && shown == "|")
        #expect(editor.history.entries == [])
    }

    @Test mutating func whatStandsAroundAPasteBelongsToIt() {
        _ = type("carol: ()")
        _ = press(.left)
        _ = paste("one\ntwo")
        #expect(press(.enter) == [.submittedPaste(["carol: (one\ntwo)"])])
    }

    @Test mutating func aDroppedPasteLeavesTheLineAsItWas() {
        _ = type("carol: ")
        for key in [Key.control("c"), .escape, .control("g")] {
            _ = paste("one\ntwo")
            #expect(press(key) == [.discardedPaste])
            #expect(shown == "carol: |")
        }
    }

    @Test mutating func aTypedCommandTakesThePasteAsItsText() {
        _ = type("/msg bob ")
        _ = paste("/part\n/quit")
        #expect(press(.enter) == [.submitted("/msg bob /part\n/quit")])
        _ = type("//")
        _ = paste("x\ny")
        #expect(press(.enter) == [.submittedPaste(["/x\ny"])])
    }

    @Test mutating func aSecondPasteWaitsForTheFirst() {
        _ = paste("one\ntwo")
        #expect(paste("three\nfour") == [.bell, .refused(.pasteWaits)])
        #expect(press(.enter) == [.submittedPaste(["one\ntwo"])])
    }

    @Test mutating func whatDoesNotFitIntoOneMessageGoesOutInAsFewAsItFitsIn() {
        editor = LineEditor(lineBytesMax: 10)
        _ = paste("12345\n1234\n123456\n7")
        #expect(editor.searchPrompt == "Send 4 lines as 2 messages? Enter sends, Ctrl-C drops: ")
        #expect(press(.enter) == [.submittedPaste(["12345\n1234", "123456\n7"])])
    }

    @Test mutating func aPasteIsTakenWholeOrNotAtAll() {
        editor = LineEditor(lineBytesMax: 10)
        _ = type("abc")
        #expect(paste("1234567") == [])
        let tooLong: [LineEditor.Action] = [.bell, .refused(.lineTooLong(bytesMax: 10))]
        #expect(paste("8") == tooLong)
        #expect(paste("\n12345678901") == tooLong)
        #expect(
            press(.paste("", isTruncated: true)) == [
                .bell, .refused(.pasteTooLong(bytesMax: KeyDecoder.pasteBytesMax)),
            ])
        let lines = String(repeating: "x\n", count: LineEditor.pasteLinesMax) + "x"
        #expect(
            press(.paste(lines, isTruncated: false)) == [
                .bell, .refused(.pasteOfTooManyLines(linesMax: LineEditor.pasteLinesMax)),
            ])
        #expect(shown == "abc1234567|")
    }

    @Test func thePreviewShowsTheFirstLinesAndHowManyThereAre() {
        var terminal = LineTerminal(prompt: "> ", columns: 60, rows: 12)
        var emulator = TerminalEmulator(columns: 60, rows: 12)
        emulator.write(terminal.enter())
        let text = (1...9).map { "line \($0)" }.joined(separator: "\r")
        let reply = terminal.feed(Array("typed \u{1B}[200~\(text)\u{1B}[201~".utf8))
        emulator.write(reply.output)
        #expect(emulator.lines == ["Send 9 lines? Enter sends, Ctrl-C drops:"])
        guard case .previewed(let preview)? = reply.events.first else {
            Issue.record("it is shown")
            return
        }
        #expect(
            preview.shown(rows: 12) == [
                "Pasted 9 lines:", "  typed line 1", "  line 2", "  line 3", "  line 4", "  … and 5 more",
            ])
        emulator.write(terminal.feed([0x03]).output)
        #expect(emulator.lines == ["> typed"])
    }
}
