/// The control sequences that are written: those that every terminal since the VT100 knows, and the switches for
/// bracketed paste and focus reports, which others ignore.
enum ControlSequence {
    /// Erases the row and everything below it. Starts at the second column, because tmux moves what is erased from the
    /// very first cell into its scrollback.
    static let eraseFromHere = "\r\u{1B}[K \u{1B}[J\r"
    static let eraseToRightEdge = "\u{1B}[K"
    static let clear = "\u{1B}[H\u{1B}[2J"
    static let plainStyle = "\u{1B}[0m"
    static let bracketedPasteOn = "\u{1B}[?2004h"
    static let bracketedPasteOff = "\u{1B}[?2004l"
    /// The terminal reports when its window gets or loses the focus.
    static let focusReportsOn = "\u{1B}[?1004h"
    static let focusReportsOff = "\u{1B}[?1004l"
    static let bell = "\u{07}"
    static let newLine = "\r\n"

    /// Moves to the next row after the last column was written. A terminal that has filled a row either waits at its
    /// edge or has moved on already, and there is no way to know; one more character takes both to the next row. The
    /// two rows then count as one line when the user copies them or widens the window.
    static let wrap = " \r"

    static func up(_ rows: Int) -> String {
        rows > 0 ? "\u{1B}[\(rows)A" : ""
    }

    /// Moves down existing rows, so nothing scrolls.
    static func down(_ rows: Int) -> String {
        String(repeating: "\n", count: max(0, rows))
    }

    static func toColumn(_ column: Int) -> String {
        column > 0 ? "\r\u{1B}[\(column)C" : "\r"
    }
}
