import DequeModule
import LatticeAPI
import LatticeCore

/// The last lines of public rooms, so that an answer is shown with what it answers before anything is read.
struct RecentLines {
    private static let linesMax = 512

    /// The newest is last.
    private var lines = Deque<Message>()

    /// - Returns: the line, with what it answers if that is among the last lines.
    mutating func add(_ line: Message) -> Message {
        let shown = line.answering { id in lines.last { $0.record == id }.map { LineReference($0) } }
        if lines.count == Self.linesMax { lines.removeFirst() }
        lines.append(shown)
        return shown
    }

    subscript(record: RecordID) -> Message? { lines.last { $0.record == record } }

    /// - Returns: `false` if the line was already shown like this.
    mutating func change(_ line: Message) -> Bool {
        guard let index = lines.lastIndex(where: { $0.record == line.record }) else { return true }
        defer { lines[index] = line }
        let shown = lines[index]
        return (shown.text, shown.isEdited, shown.isDeleted) != (line.text, line.isEdited, line.isDeleted)
            || shown.reactions != line.reactions
    }
}
