/// Keys that remove text, for good or into the kill buffer (Control-Y).
extension LineEditor {
    mutating func backspace(into actions: inout [Action]) {
        if buffer.removeBefore(1).isEmpty { actions.append(.bell) }
    }

    mutating func delete(into actions: inout [Action]) {
        if buffer.removeAfter(1).isEmpty { actions.append(.bell) }
    }

    mutating func kill(before count: Int, followsKill: Bool, into actions: inout [Action]) {
        let removed = buffer.removeBefore(count)
        keep(followsKill ? removed + killed : removed, of: removed, followsKill: followsKill, into: &actions)
    }

    mutating func kill(after count: Int, followsKill: Bool, into actions: inout [Action]) {
        let removed = buffer.removeAfter(count)
        keep(followsKill ? killed + removed : removed, of: removed, followsKill: followsKill, into: &actions)
    }

    /// Killing nothing starts no sequence of kills: otherwise text that was put back could accumulate without limit.
    private mutating func keep(_ text: String, of removed: String, followsKill: Bool, into actions: inout [Action]) {
        guard !removed.isEmpty else {
            self.followsKill = followsKill
            actions.append(.bell)
            return
        }
        self.followsKill = true
        killed = text
    }
}
