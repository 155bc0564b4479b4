internal import LatticeCore

/// Inserts many characters at once: pastes and completions.
extension LineEditor {
    /// A paste with more lines is a mistake, not chat. A guess.
    package static let pasteLinesMax = 64

    /// Inserts a paste of one line at the cursor. A paste of several lines, together with what was typed around it,
    /// waits for Enter: a line break in a paste never sends anything. Tabs become spaces and other control characters
    /// are dropped. A paste that is truncated or has too many lines is refused whole.
    mutating func pasted(_ text: String, isTruncated: Bool, into actions: inout [Action]) {
        guard !isTruncated else { return refuse(.pasteTooLong(bytesMax: KeyDecoder.pasteBytesMax), into: &actions) }
        let lines = PastePreview.lines(of: text)
        guard lines.count > 1 else { return insert(lines.first ?? "", into: &actions) }
        guard lines.count <= Self.pasteLinesMax else {
            return refuse(.pasteOfTooManyLines(linesMax: Self.pasteLinesMax), into: &actions)
        }
        guard
            let preview = PastePreview(
                lines, before: buffer.before, after: buffer.after, bytesMax: textBytesMax, lineBytesMax: lineBytesMax)
        else { return refuse(.lineTooLong(bytesMax: textBytesMax), into: &actions) }
        self.preview = preview
        actions.append(.previewed(preview))
    }

    /// Enter sends the paste; Control-C drops it and restores the line.
    mutating func actOnPreview(_ key: Key, into actions: inout [Action]) {
        guard let preview else { return }
        switch key {
        case .enter:
            discardLine()
            actions.append(preview.command.map { .submitted($0) } ?? .submittedPaste(preview.messages))
        case .control("c"), .control("g"), .escape:
            self.preview = nil
            actions.append(.discardedPaste)
        case .control("z"): actions.append(.suspend)
        case .control("l"): actions.append(.clearScreen)
        case .paste: refuse(.pasteWaits, into: &actions)
        default: actions.append(.bell)
        }
    }

    /// Tab inserts the only candidate, or what several share. If that adds nothing, a second Tab lists them.
    mutating func complete(_ completion: Completion, isSecondTab: Bool, into actions: inout [Action]) {
        guard let only = completion.candidates.first else { return actions.append(.bell) }
        let length = min(max(0, completion.replaceLength), buffer.before.count)
        if completion.walks { return walk(completion, at: 0, replacing: length, into: &actions) }
        if completion.candidates.count == 1 {
            replace(before: length, with: only + completion.suffix, into: &actions)
            return
        }
        followsTab = true
        let common = completion.commonPrefix
        if common.count > length {
            replace(before: length, with: common, into: &actions)
        } else if isSecondTab {
            actions.append(.list(Array(completion.candidates.prefix(Completion.listedMax))))
        } else {
            actions.append(.bell)
        }
    }

    /// Goes to the next candidate.
    ///
    /// - Returns: `false` if Tab does not walk through candidates now.
    mutating func walkOn(into actions: inout [Action]) -> Bool {
        guard let walk else { return false }
        let next = (walk.index + 1) % walk.completion.candidates.count
        self.walk(walk.completion, at: next, replacing: walk.length, into: &actions)
        return true
    }

    private mutating func walk(
        _ completion: Completion, at index: Int, replacing length: Int, into actions: inout [Action]
    ) {
        let start = buffer.before.count - length
        replace(before: length, with: completion.candidates[index] + completion.suffix, into: &actions)
        walk = CompletionWalk(completion: completion, index: index, length: max(0, buffer.before.count - start))
    }

    private mutating func replace(before count: Int, with text: String, into actions: inout [Action]) {
        let kept = buffer
        buffer.removeBefore(count)
        let refusals = actions.count
        insert(text, into: &actions)
        if actions.count > refusals { buffer = kept }
    }
}
