internal import LatticeCore

/// Text that comes in many characters at once: pastes and completions.
extension LineEditor {
    /// More lines than this at once are a slip of the hand, not chat. A guess.
    package static let pasteLinesMax = 64

    /// Takes a paste as if it had been typed, Enter at each line end; what follows the last one stays in the line. A tab
    /// becomes a space, other control characters go. All of it or nothing: what is cut short, has too many lines, or has
    /// one that would be too long, is refused before anything is sent.
    mutating func pasted(_ text: String, isTruncated: Bool, into actions: inout [Action]) {
        guard !isTruncated else { return refuse(.pasteTooLong(bytesMax: KeyDecoder.pasteBytesMax), into: &actions) }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { DisplayText.safe(String($0)) }
        guard lines.count <= Self.pasteLinesMax else {
            return refuse(.pasteOfTooManyLines(linesMax: Self.pasteLinesMax), into: &actions)
        }
        let longest = lines.dropFirst().map(\.utf8.count).max() ?? 0
        guard max(buffer.bytes + lines[0].utf8.count, longest) <= lineBytesMax else {
            return refuse(.lineTooLong(bytesMax: lineBytesMax), into: &actions)
        }
        for line in lines.dropLast() {
            buffer.insert(line)
            submit(into: &actions)
        }
        buffer.insert(lines[lines.count - 1])
    }

    /// Tab: one candidate is put in, of several what they share; when they share no more, a second Tab lists them.
    mutating func complete(_ completion: Completion, isSecondTab: Bool, into actions: inout [Action]) {
        guard let only = completion.candidates.first else { return actions.append(.bell) }
        let length = min(max(0, completion.replaceLength), buffer.before.count)
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

    private mutating func replace(before count: Int, with text: String, into actions: inout [Action]) {
        let kept = buffer
        buffer.removeBefore(count)
        let refusals = actions.count
        insert(text, into: &actions)
        if actions.count > refusals { buffer = kept }
    }
}
