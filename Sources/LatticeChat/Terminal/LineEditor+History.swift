/// Recalls earlier lines. The unfinished line waits at the bottom. Changes to a recalled line are lost when another one
/// is shown, unless it was submitted.
extension LineEditor {
    mutating func recallOlder(into actions: inout [Action]) {
        if let edit, recalled == nil, buffer.isEmpty, edit.utf8.count <= lineBytesMax {
            recalled = (history.entries.count, buffer)
            buffer = EditBuffer(edit)
            return
        }
        let index = recalled?.index ?? history.entries.count
        guard index > 0 else { return actions.append(.bell) }
        recalled = (index - 1, recalled?.draft ?? buffer)
        buffer = EditBuffer(history.entries[index - 1])
    }

    mutating func recallNewer(into actions: inout [Action]) {
        guard let (index, draft) = recalled else { return actions.append(.bell) }
        if index + 1 < history.entries.count {
            recalled = (index + 1, draft)
            buffer = EditBuffer(history.entries[index + 1])
        } else {
            recalled = nil
            buffer = draft
        }
    }
}
