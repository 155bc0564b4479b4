/// A terminal without its I/O: input goes in, and output and events come out. Owns the decoder, the editor and the
/// screen.
package struct LineTerminal: Sendable {
    package enum Event: Equatable, Sendable {
        case submitted(String)
        /// Pasted lines that the user has confirmed: each is text.
        case submittedPaste([String])
        /// A paste awaits Enter.
        case previewed(PastePreview)
        case discardedLine
        case discardedPaste
        case interrupt
        case endOfInput
        /// The caller writes `leave()`, suspends the program, and writes `enter()` when it resumes.
        case suspend
        /// Why a key or paste had no effect, as a sentence.
        case refused(String)
    }

    package struct Reply: Equatable, Sendable {
        /// Must be written before the events are handled.
        package var output = ""
        package var events: [Event] = []

        package init() {}
    }

    package private(set) var prompt: String
    /// Whether a submitted line stays on the screen as typed, with its prompt. False if the caller prints it in a form
    /// of its own.
    package let keepsSubmittedLines: Bool
    private var decoder = KeyDecoder()
    private var editor: LineEditor
    private var screen: Screen
    private var isShown = false
    /// As last reported; `nil` for a terminal that has reported nothing.
    package private(set) var hasFocus: Bool?

    package init(
        prompt: String,
        columns: Int,
        rows: Int,
        history: LineHistory = LineHistory(),
        lineBytesMax: Int = 4_096,
        textBytesMax: Int? = nil,
        keepsSubmittedLines: Bool = true
    ) {
        self.prompt = prompt
        self.keepsSubmittedLines = keepsSubmittedLines
        editor = LineEditor(history: history, lineBytesMax: lineBytesMax, textBytesMax: textBytesMax)
        screen = Screen(columns: columns, rows: rows)
    }

    package var history: LineHistory { editor.history }
    /// What Up brings on an empty line; `nil` is the newest line of the history.
    package var edit: String? {
        get { editor.edit }
        set { editor.edit = newValue }
    }
    package var line: String { editor.buffer.text }
    package var columns: Int { screen.columns }
    package var rows: Int { screen.rows }
    /// Whether to call `fellSilent` after a short silence: a pending ESC may be the key or start a sequence.
    package var awaitsSilence: Bool { decoder.awaitsSilence }

    /// Must be written first, in raw mode and at the start of a row.
    package mutating func enter() -> String {
        isShown = true
        return ControlSequence.focusReportsOn + ControlSequence.bracketedPasteOn + show()
    }

    /// Must be written last and before suspending; erases the prompt.
    package mutating func leave() -> String {
        isShown = false
        return screen.erase() + ControlSequence.focusReportsOff + ControlSequence.bracketedPasteOff
    }

    package mutating func feed(
        _ bytes: some Sequence<UInt8>,
        completing: (String) -> Completion = { _ in .none }
    ) -> Reply {
        perform(decoder.feed(bytes), completing: completing)
    }

    /// Reports that no byte followed for a short while.
    package mutating func fellSilent() -> Reply {
        perform(decoder.flush(), completing: { _ in .none })
    }

    package mutating func printAbove(_ lines: [String], below picture: [String] = []) -> String {
        screen.printAbove(lines, below: picture)
    }

    package mutating func setPrompt(_ prompt: String) -> String {
        self.prompt = prompt
        return show()
    }

    package mutating func resized(columns: Int, rows: Int) -> String {
        screen.resize(columns: columns, rows: rows)
    }

    package mutating func clear() -> String {
        isShown ? screen.clear() : ""
    }

    package func bell() -> String { ControlSequence.bell }

    /// Handles keys one after the other and repaints once. Of several refusals of one kind, as when text comes in
    /// faster than a line may grow, only one is reported.
    private mutating func perform(_ keys: [Key], completing: (String) -> Completion) -> Reply {
        var reply = Reply()
        var hasBell = false
        for key in keys {
            if key == .focusGained || key == .focusLost {
                hasFocus = key == .focusGained
                continue
            }
            for action in editor.handle(key, completing: completing) {
                switch action {
                case .submitted(let line): submitted(line, into: &reply)
                case .submittedPaste(let messages): reply.events.append(.submittedPaste(messages))
                case .previewed(let preview): reply.events.append(.previewed(preview))
                case .discardedLine: reply.events.append(.discardedLine)
                case .discardedPaste: reply.events.append(.discardedPaste)
                case .interrupt: reply.events.append(.interrupt)
                case .endOfInput: reply.events.append(.endOfInput)
                case .suspend: reply.events.append(.suspend)
                case .clearScreen: reply.output += clear()
                case .bell: hasBell = true
                case .list(let candidates): reply.output += screen.printAbove(inColumns(candidates))
                case .refused(let refusal):
                    let event = Event.refused(refusal.sentence)
                    if !reply.events.contains(event) { reply.events.append(event) }
                }
            }
        }
        reply.output += show() + (hasBell ? bell() : "")
        return reply
    }

    private mutating func submitted(_ line: String, into reply: inout Reply) {
        reply.events.append(.submitted(line))
        if keepsSubmittedLines && isShown { reply.output += screen.leaveBehind(prompt: prompt, text: line) }
    }

    private mutating func show() -> String {
        guard isShown else { return "" }
        let buffer = editor.buffer
        guard !editor.hasPreview else {
            return screen.show(prompt: editor.searchPrompt ?? prompt, before: "", after: "")
        }
        return screen.show(prompt: editor.searchPrompt ?? prompt, before: buffer.before, after: buffer.after)
    }

    private func inColumns(_ words: [String]) -> [String] {
        let width = (words.map { StyledText.columns(of: $0) }.max() ?? 0) + 2
        let perRow = max(1, columns / width)
        return stride(from: 0, to: words.count, by: perRow).map { start in
            let row = words[start..<min(start + perRow, words.count)]
            let padded = row.dropLast().map { word in
                word + String(repeating: " ", count: width - StyledText.columns(of: word))
            }
            return (padded + row.suffix(1)).joined()
        }
    }
}
