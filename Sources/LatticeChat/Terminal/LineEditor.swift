internal import LatticeCore

/// The line that is being typed and what each key does to it, after readline's emacs mode. It does no I/O: keys go in,
/// actions come out, and `prompt` and `buffer` say what to show.
package struct LineEditor: Sendable {
    package enum Action: Equatable, Sendable {
        /// Enter was pressed: the line, which may be empty. It is in the history already.
        case submitted(String)
        /// Enter was pressed after a paste of several lines: each is a message.
        case submittedPaste([String])
        /// Several lines were pasted and wait for Enter.
        case previewed(PastePreview)
        /// Control-C took away what was typed.
        case discardedLine
        /// The paste that waited is gone.
        case discardedPaste
        /// Control-C on an empty line.
        case interrupt
        /// Control-D on an empty line.
        case endOfInput
        case suspend
        case clearScreen
        case bell
        /// What Tab could stand for.
        case list([String])
        /// The key or paste did nothing, and why; a bell comes before it.
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
    /// What a message can hold; in a line, a command may stand before it.
    package let textBytesMax: Int
    package internal(set) var buffer = EditBuffer()
    package internal(set) var history: LineHistory
    /// The entry shown while the arrow keys walk through the history, and the line that was left for it.
    var recalled: (index: Int, draft: EditBuffer)?
    var search: ReverseSearch?
    /// Several pasted lines, not sent yet. While they wait, Enter and Control-C are all that acts.
    var preview: PastePreview?
    /// What Control-R searches for when it is pressed twice at once.
    var searchedLast = ""
    /// What Control-Y puts back. Kills that follow each other gather here; a line is the most they can hold.
    var killed = ""
    var followsKill = false
    var followsTab = false

    /// - Parameter textBytesMax: `nil` is `lineBytesMax`.
    package init(history: LineHistory = LineHistory(), lineBytesMax: Int = 4_096, textBytesMax: Int? = nil) {
        self.history = history
        self.lineBytesMax = lineBytesMax
        self.textBytesMax = textBytesMax ?? lineBytesMax
    }

    /// What stands before the line in place of the caller's prompt, while a search is on or a paste waits.
    package var searchPrompt: String? { preview?.prompt ?? search?.prompt }

    /// Whether a paste waits, so that the line is not shown.
    package var hasPreview: Bool { preview != nil }

    package mutating func handle(_ key: Key, completing: (String) -> Completion = { _ in .none }) -> [Action] {
        var actions: [Action] = []
        let (followedKill, followedTab) = (followsKill, followsTab)
        (followsKill, followsTab) = (false, false)
        if preview != nil {
            actOnPreview(key, into: &actions)
            return actions
        }
        if search != nil, searched(key, into: &actions) { return actions }
        switch key {
        case .text(let scalar): insert(String(scalar), into: &actions)
        case .paste(let text, let isTruncated): pasted(text, isTruncated: isTruncated, into: &actions)
        case .enter: submit(into: &actions)
        case .tab: complete(completing(buffer.before), isSecondTab: followedTab, into: &actions)
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
        case .escape, .pageUp, .pageDown: break
        }
        return actions
    }

    /// Empties the line, as an interrupt may.
    package mutating func discardLine() {
        buffer = EditBuffer()
        recalled = nil
        search = nil
        preview = nil
    }

    /// A line that cannot be sent stays to be shortened. One out of the history may be longer than the limit, if that was another one when
    /// it was typed.
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

    /// Puts text at the cursor if the line may hold it.
    mutating func insert(_ text: String, into actions: inout [Action]) {
        let safe = String(text.unicodeScalars.filter { !DisplayText.isUnsafe($0) })
        guard buffer.bytes + safe.utf8.count <= lineBytesMax else {
            return refuse(.lineTooLong(bytesMax: textBytesMax), into: &actions)
        }
        buffer.insert(safe)
    }

    /// What is thrown away by mistake comes back with Control-Y.
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
        case "b": buffer.moveLeft(buffer.wordBefore())
        case "d": kill(after: buffer.wordAfter(), followsKill: followsKill, into: &actions)
        case "f": buffer.moveRight(buffer.wordAfter())
        default: break
        }
    }
}
