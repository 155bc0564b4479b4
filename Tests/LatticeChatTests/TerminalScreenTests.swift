import LatticeChat
import LatticeCore
import Testing

/// What a terminal shows, against a plain model: the lines that were printed, then the prompt and the line.
struct TerminalScreenTests {
    private static let prompt = "\u{1B}[1;32mme>\u{1B}[0m "
    private static let sizes = [(8, 3), (20, 5), (20, 24), (37, 8), (80, 24)]

    /// Text cut into rows as a terminal cuts it.
    private static func rows(_ text: String, columns: Int) -> [String] {
        var rows = [""]
        var column = 0
        for cluster in text {
            let width = DisplayWidth.columns(of: cluster)
            if column + width > columns { (rows, column) = (rows + [""], 0) }
            rows[rows.count - 1].append(cluster)
            column += width
        }
        return rows.map { String($0.reversed().drop { $0 == " " }.reversed()) }
    }

    /// Row and column of the cursor behind `before`, when `next` comes after it.
    private static func cursor(_ before: String, next: Character?, columns: Int) -> [Int] {
        let rows = rows(before + "x", columns: columns)
        let column = DisplayWidth.columns(of: rows[rows.count - 1]) - 1
        let nextWidth = next.map { DisplayWidth.columns(of: $0) } ?? 1
        return column + nextWidth > columns ? [rows.count, 0] : [rows.count - 1, column]
    }

    private static func check(
        _ emulator: TerminalEmulator,
        printed: [String],
        before: String,
        after: String,
        rows screenRows: Int,
        _ comment: Comment
    ) {
        let columns = emulator.columns
        let above = printed.flatMap { Self.rows($0, columns: columns) }
        var expected = Self.rows("me> " + before + after, columns: columns)
        let cursor = Self.cursor("me> " + before, next: after.first, columns: columns)
        if DisplayWidth.columns(of: expected[expected.count - 1]) == columns || cursor[0] == expected.count {
            expected.append("")
        }
        let height = min(screenRows - 1, expected.count)
        // The window is where the cursor says; it must lie within the line.
        let hidden = cursor[0] - (emulator.cursor[0] - above.count)
        #expect(hidden >= 0 && hidden <= expected.count - height, comment)
        #expect(emulator.cursor[1] == cursor[1], comment)
        guard hidden >= 0 && hidden <= expected.count - height else { return }
        var lines = above + expected[hidden..<(hidden + height)]
        while lines.last == "" { lines.removeLast() }
        #expect(emulator.lines == lines, comment)
        #expect(emulator.unknown == [], comment)
    }

    private static let keys: [String] = [
        "\u{1B}[D", "\u{1B}[C", "\u{1B}b", "\u{1B}f", "\u{01}", "\u{05}", "\u{7F}", "\u{1B}[3~", "\u{17}", "\u{19}",
        "\u{14}", "\u{1B}[A", "\u{1B}[B", "\u{1B}[200~pasted text 漢字\u{1B}[201~",
    ]

    private static func randomBytes(_ alphabet: [String], using random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 1...6, using: &random)
        return (0..<count).flatMap { _ in
            let isText = Int.random(in: 0..<5, using: &random) > 0
            return Array((isText ? alphabet : keys).randomElement(using: &random)!.utf8)
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func whateverIsTypedTheScreenShowsTheLine(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (columns, rows) = Self.sizes[Int(seed) % Self.sizes.count]
        var terminal = LineTerminal(prompt: Self.prompt, columns: columns, rows: rows)
        var emulator = TerminalEmulator(columns: columns, rows: rows)
        var editor = LineEditor()
        var decoder = KeyDecoder()
        var printed: [String] = []
        emulator.write(terminal.enter())
        for step in 0..<120 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                let wide = String(repeating: "wide 漢字", count: 6)
                let arriving = ["short", wide, String(repeating: "=", count: columns)]
                let lines = Array(arriving.shuffled(using: &random).prefix(2))
                printed += lines
                emulator.write(terminal.printAbove(lines))
            case 1:
                let line = editor.buffer.text
                printed.append("me> " + line)
                _ = editor.handle(.enter)
                let reply = terminal.feed([0x0D])
                #expect(reply.events == [.submitted(line)])
                emulator.write(reply.output)
            default:
                let bytes = Self.randomBytes(["a", "b", " ", "word", "漢", "字字", "e\u{301}", "é"], using: &random)
                for key in decoder.feed(bytes) { _ = editor.handle(key) }
                emulator.write(terminal.feed(bytes).output)
            }
            let buffer = editor.buffer
            Self.check(
                emulator, printed: printed, before: buffer.before, after: buffer.after, rows: rows,
                "seed \(seed), step \(step)"
            )
        }
        emulator.write(terminal.leave())
        #expect(emulator.lines == Self.withoutBlankEnd(printed.flatMap { Self.rows($0, columns: columns) }))
    }

    private static func withoutBlankEnd(_ lines: [String]) -> [String] {
        Array(lines.reversed().drop { $0 == "" }.reversed())
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func terminalsThatDisagreeAboutEmojiAgreeAboutAllElse(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (columns, rows) = [(20, 5), (20, 24), (37, 8)][Int(seed) % 3]
        var terminal = LineTerminal(prompt: Self.prompt, columns: columns, rows: rows)
        var one = TerminalEmulator(columns: columns, rows: rows, drawing: .clusters)
        var other = TerminalEmulator(columns: columns, rows: rows, drawing: .scalars)
        func write(_ output: String) {
            one.write(output)
            other.write(output)
        }
        write(terminal.enter())
        for step in 0..<100 {
            let alphabet = [
                "a", "b", " ", "word", "漢", "👩‍👩‍👧", "🇩🇪", "❤️", "👍🏽", "1️⃣", "क्ष", "\u{200D}", "🇩",
                "👩‍👩‍👧‍👧‍👧‍👧‍👧‍👧‍👧‍👧",
            ]
            write(terminal.feed(Self.randomBytes(alphabet, using: &random)).output)
            #expect(one.cursor == other.cursor, "seed \(seed), step \(step)")
            #expect(one.letters == other.letters, "seed \(seed), step \(step)")
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func aTerminalThatWrapsAnewShowsTheLineAfterItsWidthChanged(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rows = 24
        var columns = 40
        var terminal = LineTerminal(prompt: Self.prompt, columns: columns, rows: rows)
        var emulator = TerminalEmulator(columns: columns, rows: rows)
        var editor = LineEditor()
        var decoder = KeyDecoder()
        emulator.write(terminal.enter())
        emulator.write(terminal.printAbove(["above"]))
        for step in 0..<60 {
            let bytes = Self.randomBytes(["a", "b", " ", "word"], using: &random).filter { $0 < 0x80 }
            for key in decoder.feed(bytes) { _ = editor.handle(key) }
            emulator.write(terminal.feed(bytes).output)
            if Int.random(in: 0..<4, using: &random) == 0 {
                columns = Int.random(in: 20...80, using: &random)
                emulator.reflow(columns: columns)
                emulator.write(terminal.resized(columns: columns, rows: rows))
            }
            let buffer = editor.buffer
            Self.check(
                emulator, printed: ["above"], before: buffer.before, after: buffer.after, rows: rows,
                "seed \(seed), step \(step)"
            )
        }
    }

    @Test func aCharacterTypedAtTheEndPaintsOneRow() {
        var screen = Screen(columns: 20, rows: 5)
        _ = screen.show(prompt: "> ", before: String(repeating: "a", count: 30), after: "")
        let output = screen.show(prompt: "> ", before: String(repeating: "a", count: 31), after: "")
        #expect(output == "\r\(String(repeating: "a", count: 13))\u{1B}[K")
        #expect(screen.show(prompt: "> ", before: String(repeating: "a", count: 31), after: "") == "")
    }

    @Test func arrivingLinesKeepTheirColoursAndLoseWhatMovesTheCursor() {
        var screen = Screen(columns: 20, rows: 5)
        let output = screen.printAbove(["\u{1B}[31mred\u{1B}[2J\u{07}\tx", "two\nlines"])
        #expect(output == "\u{1B}[31mred    x\u{1B}[0m\r\ntwo\r\nlines\r\n")
    }

    @Test func clearingLeavesThePromptAtTheTop() {
        var terminal = LineTerminal(prompt: "> ", columns: 20, rows: 5)
        var emulator = TerminalEmulator(columns: 20, rows: 5)
        emulator.write(terminal.enter() + terminal.printAbove(["one", "two"]))
        emulator.write(terminal.feed(Array("abc\u{0C}".utf8)).output)
        #expect(emulator.lines == ["> abc"])
        #expect(emulator.cursor == [0, 5])
    }

    @Test func aLineThatIsNotKeptLeavesNothingBehind() {
        var terminal = LineTerminal(prompt: "> ", columns: 20, rows: 5, keepsSubmittedLines: false)
        var emulator = TerminalEmulator(columns: 20, rows: 5)
        emulator.write(terminal.enter())
        let reply = terminal.feed(Array("abc\rde".utf8))
        #expect(reply.events == [.submitted("abc")])
        emulator.write(reply.output)
        #expect(emulator.lines == ["> de"])
    }

    @Test func candidatesAreListedInColumnsAboveThePrompt() {
        var terminal = LineTerminal(prompt: "> ", columns: 20, rows: 8)
        var emulator = TerminalEmulator(columns: 20, rows: 8)
        emulator.write(terminal.enter())
        let reply = terminal.feed(Array("\t\t".utf8)) { _ in
            Completion(replaceLength: 0, candidates: ["anna", "日本", "bert"])
        }
        emulator.write(reply.output)
        #expect(emulator.lines == ["anna  日本  bert", ">"])
        #expect(reply.output.last == "\u{07}")
    }

    @Test func aFloodOfRefusalsIsToldOnce() {
        var terminal = LineTerminal(prompt: "> ", columns: 20, rows: 5, lineBytesMax: 4)
        _ = terminal.enter()
        let reply = terminal.feed(Array("abcdefgh".utf8))
        #expect(reply.events == [.refused(LineLimit.sentence(bytesMax: 4))])
        #expect(terminal.line == "abcd")
    }

    @Test func theSearchShowsItsPromptAndGivesTheOtherOneBack() {
        var terminal = LineTerminal(prompt: "> ", columns: 60, rows: 5, history: LineHistory(["make tea"]))
        var emulator = TerminalEmulator(columns: 60, rows: 5)
        emulator.write(terminal.enter())
        emulator.write(terminal.feed(Array("\u{12}te".utf8)).output)
        #expect(emulator.lines == ["(reverse-i-search)`te': make tea"])
        emulator.write(terminal.feed([0x1B]).output)
        #expect(terminal.awaitsSilence)
        emulator.write(terminal.fellSilent().output)
        #expect(emulator.lines == ["> make tea"])
        #expect(emulator.cursor == [0, 7])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func randomBytesOnAnySizeWriteOnlyWhatIsKnown(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = (Int.random(in: 8...30, using: &random), Int.random(in: 2...6, using: &random))
        var terminal = LineTerminal(prompt: Self.prompt, columns: size.0, rows: size.1, lineBytesMax: 200)
        var emulator = TerminalEmulator(columns: size.0, rows: size.1)
        emulator.write(terminal.enter())
        for _ in 0..<200 {
            let bytes = (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
            emulator.write(terminal.feed(bytes).output)
        }
        #expect(emulator.unknown == [])
    }
}
