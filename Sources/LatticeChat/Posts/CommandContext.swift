import LatticeAPI
package import LatticeCore

/// Shows how far something is, in a few words; `nil` when it is done.
package typealias CommandProgress = @Sendable (String?) async -> Void

/// What the answer to a command depends on besides its arguments: time, output device, calendar.
package struct CommandContext: Sendable {
    package var now: WallTime
    /// Size of the terminal; 80 × 24 elsewhere.
    package var columns: Int
    package var rows: Int
    /// On a terminal long texts are wrapped; in a pipe each thing is one line.
    package var isTerminal: Bool
    package var isUTF8: Bool
    package var hasColor: Bool
    /// Whether commands begin with a slash.
    package var isChat: Bool
    /// Absolute path that file names are relative to.
    package var folder: String
    package var calendar: LocalCalendar
    /// Pixels of one character; `nil` where the terminal does not tell.
    package var cell: Cell?
    /// Whether pictures are drawn without being asked for in a certain form: on terminals, unless somebody wants plain text.
    package var drawsPictures = false
    /// By which a terminal names itself.
    package var environment: [String: String] = [:]
    /// Shows how far something is.
    package var progress: CommandProgress = { _ in }

    package struct Cell: Hashable, Sendable {
        package let width: Int
        package let height: Int
    }

    package init(
        now: WallTime, columns: Int = 80, rows: Int = 24, isTerminal: Bool = false, isUTF8: Bool = true,
        hasColor: Bool = false, isChat: Bool = false, folder: String = "/", calendar: LocalCalendar = .utc
    ) {
        self.now = now
        self.columns = columns
        self.rows = rows
        self.isTerminal = isTerminal
        self.isUTF8 = isUTF8
        self.hasColor = hasColor
        self.isChat = isChat
        self.folder = folder
        self.calendar = calendar
    }

    /// How a command is written here: `/near` or `lattice near`.
    package func call(_ words: String) -> String {
        isChat ? "/\(words)" : "lattice \(words)"
    }

    /// The failure, with commands in its text written as they are called here.
    package func told(_ failure: CommandFailure) -> CommandFailure {
        guard isChat else { return failure }
        func called(_ text: String) -> String {
            ["here", "store", "near", "show"].reduce(text) { $0.replacing("lattice \($1)", with: "/\($1)") }
        }
        return CommandFailure(
            code: failure.code, called(failure.message),
            faults: failure.faults.map { .init($0.field, called($0.reason)) }, exitCode: failure.exitCode,
            candidates: failure.candidates)
    }

    package func path(_ name: String) -> String {
        name.hasPrefix("/") ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    func styled(_ text: String, _ code: String) -> String {
        hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
