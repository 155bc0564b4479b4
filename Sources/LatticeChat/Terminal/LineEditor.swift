internal import LatticeCore

/// The line being typed, and what each key does to it, modelled on readline's emacs mode. Does no I/O: keys go in,
/// actions come out, and `prompt` and `buffer` say what to show.
package struct LineEditor: Sendable {
    package enum Action: Equatable, Sendable {
        /// Enter was pressed: the line, which may be empty. The history has it already.
        case submitted(String)
        /// Enter was pressed after a paste of several lines: each is a message.
        case submittedPaste([String])
        /// Several lines were pasted and await Enter.
        case previewed(PastePreview)
        case discardedLine
        case discardedPaste
        case interrupt
        /// Control-D on an empty line.
        case endOfInput
        case suspend
        case clearScreen
        case bell
        /// The candidates for Tab.
        case list([String])
        /// The key or paste had no effect, and why; `bell` precedes it.
        case refused(Refusal)
    }

    package enum Refusal: Equatable, Sendable {
        case lineTooLong(bytesMax: Int)
        case pasteTooLong(bytesMax: Int)
        case pasteOfTooManyLines(linesMax: Int)
        case pasteWaits

        package var sentence: String {
            switch self {
            case .lineTooLong(let bytesMax): LineLimit.sentence(bytesMax: bytesMax)
            case .pasteTooLong(let bytesMax):
                "This paste was not taken: it can be at most \(bytesMax.grouped) bytes long. Paste it in parts."
            case .pasteOfTooManyLines(let linesMax):
                "This paste was not taken: it can have at most \(linesMax) lines. Paste it in parts."
            case .pasteWaits: "Send the pasted lines first (Enter), or drop them (Ctrl-C)."
            }
        }
    }

    package let lineBytesMax: Int
    /// Limit for a message; a line may have a command before it.
    package let textBytesMax: Int
    package internal(set) var buffer = EditBuffer()
    package internal(set) var history: LineHistory
    /// The history entry shown by the arrow keys, and the unfinished line.
    var recalled: (index: Int, draft: EditBuffer)?
    /// What Up brings on an empty line, before the lines of the history.
    package var edit: String?
    var search: ReverseSearch?
    /// Pasted lines not sent yet. Meanwhile only Enter and Control-C act.
    var preview: PastePreview?
    /// The text that a repeated Control-R searches for.
    var searchedLast = ""
    /// The kill buffer for Control-Y. Consecutive kills accumulate, up to the length of a line.
    var killed = ""
    var followsKill = false
    var followsTab = false
    /// Candidates that further Tabs go through.
    var walk: CompletionWalk?

    /// - Parameter textBytesMax: `nil` is `lineBytesMax`.
    package init(history: LineHistory = LineHistory(), lineBytesMax: Int = 4_096, textBytesMax: Int? = nil) {
        self.history = history
        self.lineBytesMax = lineBytesMax
        self.textBytesMax = textBytesMax ?? lineBytesMax
    }

    /// Replaces the caller's prompt during a search or while a paste waits.
    package var searchPrompt: String? { preview?.prompt ?? search?.prompt }

    /// Whether a paste waits; the line is hidden then.
    package var hasPreview: Bool { preview != nil }

    package mutating func handle(_ key: Key, completing: (String) -> Completion = { _ in .none }) -> [Action] {
        var actions: [Action] = []
        let (followedKill, followedTab) = (followsKill, followsTab)
        (followsKill, followsTab) = (false, false)
        if key != .tab { walk = nil }
        if preview != nil {
            actOnPreview(key, into: &actions)
            return actions
        }
        if search != nil, searched(key, into: &actions) { return actions }
        switch key {
        case .text(let scalar): insert(String(scalar), into: &actions)
        case .paste(let text, let isTruncated): pasted(text, isTruncated: isTruncated, into: &actions)
        case .enter: submit(into: &actions)
        case .tab:
            if !walkOn(into: &actions) { complete(completing(buffer.before), isSecondTab: followedTab, into: &actions) }
        case .control(let letter): control(letter, followsKill: followedKill, into: &actions)
        case .alt(let letter): alt(letter, followsKill: followedKill, into: &actions)
        case .altBackspace: kill(before: buffer.wordBefore(), followsKill: followedKill, into: &actions)
        case .backspace: backspace(into: &actions)
        case .delete: delete(into: &actions)
        case .left: buffer.moveLeft(1)
        case .right: buffer.moveRight(1)
        case .wordLeft: buffer.moveLeft(buffer.wordBefore())
        case .wordRight: buffer.moveRight(buffer.wordAfter())
        case .home: buffer.moveLeft(.max)
        case .end: buffer.moveRight(.max)
        case .up: recallOlder(into: &actions)
        case .down: recallNewer(into: &actions)
        case .escape, .pageUp, .pageDown, .focusGained, .focusLost: break
        }
        return actions
    }

    /// Empties the line, as after an interrupt.
    package mutating func discardLine() {
        buffer = EditBuffer()
        recalled = nil
        search = nil
        preview = nil
    }

    /// Submits the line. One that is too long stays for editing; a line from the history may be, if the limit was
    /// another one then.
    mutating func submit(into actions: inout [Action]) {
        let isCommand = buffer.before.hasPrefix("/") || buffer.before.isEmpty && buffer.after.hasPrefix("/")
        guard buffer.bytes <= (isCommand ? lineBytesMax : textBytesMax) else {
            return refuse(.lineTooLong(bytesMax: textBytesMax), into: &actions)
        }
        let line = buffer.text
        history.add(line)
        discardLine()
        actions.append(.submitted(line))
    }

    /// Inserts text at the cursor if the line is not too long then.
    mutating func insert(_ text: String, into actions: inout [Action]) {
        let safe = String(text.unicodeScalars.filter { !DisplayText.isUnsafe($0) })
        guard buffer.bytes + safe.utf8.count <= lineBytesMax else {
            return refuse(.lineTooLong(bytesMax: textBytesMax), into: &actions)
        }
        buffer.insert(safe)
    }

    /// A line discarded by mistake can be restored with Control-Y.
    private mutating func interrupt(into actions: inout [Action]) {
        guard !buffer.isEmpty else { return actions.append(.interrupt) }
        killed = buffer.text
        discardLine()
        actions.append(.discardedLine)
    }

    func refuse(_ refusal: Refusal, into actions: inout [Action]) {
        actions += [.bell, .refused(refusal)]
    }

    private mutating func control(_ letter: Character, followsKill: Bool, into actions: inout [Action]) {
        switch letter {
        case "a": buffer.moveLeft(.max)
        case "b": buffer.moveLeft(1)
        case "c": interrupt(into: &actions)
        case "d": if buffer.isEmpty { actions.append(.endOfInput) } else { delete(into: &actions) }
        case "e": buffer.moveRight(.max)
        case "f": buffer.moveRight(1)
        case "g": actions.append(.bell)
        case "k": kill(after: .max, followsKill: followsKill, into: &actions)
        case "l": actions.append(.clearScreen)
        case "n": recallNewer(into: &actions)
        case "p": recallOlder(into: &actions)
        case "r": search = ReverseSearch(interrupted: buffer, newest: history.entries.count - 1)
        case "t": if !buffer.transpose() { actions.append(.bell) }
        case "u": kill(before: .max, followsKill: followsKill, into: &actions)
        case "w":
            kill(before: buffer.wordBefore(isWhiteSpaceBound: true), followsKill: followsKill, into: &actions)
        case "y": if killed.isEmpty { actions.append(.bell) } else { insert(killed, into: &actions) }
        case "z": actions.append(.suspend)
        default: break
        }
    }

    private mutating func alt(_ letter: Character, followsKill: Bool, into actions: inout [Action]) {
        switch letter {
        // What is being typed stays.
        case "a": actions.append(.submitted("/next"))
        case "b": buffer.moveLeft(buffer.wordBefore())
        case "d": kill(after: buffer.wordAfter(), followsKill: followsKill, into: &actions)
        case "f": buffer.moveRight(buffer.wordAfter())
        default: break
        }
    }
}
