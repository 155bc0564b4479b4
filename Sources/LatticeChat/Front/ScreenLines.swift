import LatticeAPI
import LatticeCore

/// A command about a line, while its first argument is typed.
package enum NumberedCommand: String, CaseIterable, Sendable {
    case reply, react, pin, edit, delete, context, view

    /// - Parameter typed: the line so far.
    /// - Returns: `nil` unless it is one of these commands, a blank and at most one word.
    package init?(typing typed: String) {
        guard typed.hasPrefix("/"), let blank = typed.firstIndex(of: " ") else { return nil }
        self.init(rawValue: typed[typed.index(after: typed.startIndex)..<blank].lowercased())
        if typed[typed.index(after: blank)...].contains(where: \.isWhitespace) { return nil }
    }

    /// Whether only the author of a line may do it.
    var isForOwn: Bool { self == .edit || self == .delete }
}

/// The last lines of the open room with their numbers, to pick from while typing a command.
package struct ScreenLines: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package let number: Int
        package let author: String
        package let text: String
        package let isMine: Bool
        package var isPicture = false

        /// The text to edit; `nil` if it does not fit on one line of input as it is.
        var editable: String? {
            text.unicodeScalars.contains { DisplayText.isUnsafe($0) || $0.properties.isWhitespace && $0 != " " }
                ? nil : text
        }
    }

    /// Lines that are drawn at once.
    static let shownMax = 9

    /// The last nine lines and the user's own last nine, oldest first. Deleted lines are left out.
    package private(set) var entries: [Entry] = []
    /// The command that edits the user's own last line. The Up key shows it when nothing was typed yet.
    package private(set) var edit: String?

    package init() {}

    /// - Parameter place: `nil` if none is open.
    init(_ lines: NumberedLines, in place: UnreadBoard.Place?, me: PeerID) {
        guard let place else { return }
        let all = lines.last(NumberedLines.numberMax, in: place)
        let shown = all.filter { !$0.line.isDeleted }
        let numbers = Set(
            shown.suffix(Self.shownMax).map(\.number)
                + shown.filter { $0.line.author(me) == me }.suffix(Self.shownMax).map(\.number))
        entries = shown.filter { numbers.contains($0.number) }.map { entry in
            Entry(
                number: entry.number, author: entry.line.speaker, text: entry.line.text,
                isMine: entry.line.author(me) == me, isPicture: entry.line.isPicture)
        }
        let own = all.last { $0.line.author(me) == me }.flatMap { own in entries.last { $0.number == own.number } }
        edit = own.flatMap { own in own.editable.map { "/edit \(own.number) \($0)" } }
    }

    func entries(for command: NumberedCommand) -> [Entry] {
        entries.filter { ($0.isMine || !command.isForOwn) && ($0.isPicture || command != .view) }.suffix(Self.shownMax)
    }

    /// The lines that a command can be about, each in one row.
    package func rows(for command: NumberedCommand, columns: Int) -> [String] {
        entries(for: command).map { entry in
            let number = (entry.number < 10 ? " " : "") + "\(entry.number)  "
            let text = MessageText.lines(entry.text).filter { !$0.isEmpty }.joined(separator: " ⏎ ")
            return number
                + RoomList.beginning(
                    of: "\(DisplayText.safe(entry.author)): \(text)", columns: columns - 1 - number.count)
        }
    }
}
