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
        var line: SaidLine
    }

    /// The newest is last.
    private var entries = Deque<Entry>()
    private var next = 1

    mutating func add(_ line: SaidLine) {
        guard line.record != nil, !change(line) else { return }
        if entries.count == Self.numberMax { entries.removeFirst() }
        entries.append(Entry(number: next, line: line))
        next = next % Self.numberMax + 1
    }

    /// - Returns: whether the line has a number.
    @discardableResult
    mutating func change(_ line: SaidLine) -> Bool {
        guard let index = entries.lastIndex(where: { $0.line.record == line.record }) else { return false }
        entries[index].line = line
        return true
    }

    subscript(number: Int) -> SaidLine? { entries.last { $0.number == number }?.line }

    subscript(record: RecordID) -> SaidLine? { entries.last { $0.line.record == record }?.line }

    /// A line of a room, as another one that answers it shows it.
    func reference(_ record: RecordID) -> LineReference? {
        guard case .room(let line) = self[record] else { return nil }
        return LineReference(line)
    }

    func number(of record: RecordID) -> Int? { entries.last { $0.line.record == record }?.number }

    /// The last line of a place for which the condition holds; deleted lines never count.
    func last(in place: UnreadBoard.Place, where holds: (SaidLine) -> Bool) -> SaidLine? {
        entries.last { $0.line.place == place && !$0.line.isDeleted && holds($0.line) }?.line
    }

    func last(_ count: Int, in place: UnreadBoard.Place) -> [Entry] {
        entries.filter { $0.line.place == place }.suffix(count)
    }
}

extension SaidLine {
    /// The conversation that it belongs to.
    var place: UnreadBoard.Place {
        switch self {
        case .room(let line): .room(line.room)
        case .message(let message): .peer(message.peer)
        }
    }

    /// Whether its text names a file with the ending of a picture.
    var isPicture: Bool { file != nil && PhotoPhrases.isPicture(text) }

    /// The name of its author, not made safe.
    var speaker: String {
        switch self {
        case .room(let line): line.name.text
        case .message(let message): message.isMine ? "you" : message.peerName?.text ?? "#\(message.peer.short)"
        }
    }
}
