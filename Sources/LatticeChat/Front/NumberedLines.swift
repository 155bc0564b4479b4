import DequeModule
import LatticeAPI
import LatticeCore

/// The last lines on the screen, each with a short number by which a person names it. A number stays with its line until
/// `numberMax` more lines were shown.
struct NumberedLines {
    static let numberMax = 99
    /// Lines that are listed with their numbers.
    static let listedMax = 9

    struct Entry {
        let number: Int
        var line: Message
    }

    /// The newest is last.
    private var entries = Deque<Entry>()
    private var next = 1

    mutating func add(_ line: Message) {
        guard !change(line) else { return }
        if entries.count == Self.numberMax { entries.removeFirst() }
        entries.append(Entry(number: next, line: line))
        next = next % Self.numberMax + 1
    }

    /// - Returns: whether the line has a number.
    @discardableResult
    mutating func change(_ line: Message) -> Bool {
        guard let index = entries.lastIndex(where: { $0.line.record == line.record }) else { return false }
        entries[index].line = line
        return true
    }

    subscript(number: Int) -> Message? { entries.last { $0.number == number }?.line }

    subscript(record: RecordID) -> Message? { entries.last { $0.line.record == record }?.line }

    func number(of record: RecordID) -> Int? { entries.last { $0.line.record == record }?.number }

    /// The last line of a room for which the condition holds; deleted lines never count.
    func last(in room: RoomName, where holds: (Message) -> Bool) -> Message? {
        entries.last { $0.line.room == room && !$0.line.isDeleted && holds($0.line) }?.line
    }

    func last(_ count: Int, in room: RoomName) -> [Entry] { entries.filter { $0.line.room == room }.suffix(count) }
}
