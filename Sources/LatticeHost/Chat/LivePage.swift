import Glibc

/// A page on the terminal that is written over itself, and leaves the terminal as it was.
struct LivePage {
    /// Of the last line that fits, where more would follow.
    private static let more = "… a taller window shows the rest"

    /// `nil` where standard output is no terminal that can do it.
    init?(term: String?) {
        switch term {
        case nil, "", "dumb": return nil
        default: if isatty(1) == 0 { return nil }
        }
    }

    /// The screen beside the ordinary one, and no cursor.
    func begin() throws { try Report.output("\u{1B}[?1049h\u{1B}[?25l") }

    func end() throws { try Report.output("\u{1B}[?25h\u{1B}[?1049l") }

    func show(_ lines: [String]) throws {
        let (columns, rows) = Self.size
        try Report.output(Self.text(lines, columns: columns, rows: rows))
    }

    /// Each line is written over the one before, and what is left of that is taken away: nothing flickers.
    static func text(_ lines: [String], columns: Int, rows: Int) -> String {
        var shown = lines.prefix(max(1, rows))
        if shown.count < lines.count { shown = shown.dropLast() + [more] }
        let body = shown.map { "\($0.prefix(max(1, columns)))\u{1B}[K" }.joined(separator: "\r\n")
        return "\u{1B}[H\(body)\u{1B}[J"
    }

    /// Columns of the terminal now.
    static var columns: Int { size.columns + 1 }

    // Safety: the size is lent to ioctl(2) for the length of the call.
    private static var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else { return (80, 24) }
        return (Int(window.ws_col), Int(window.ws_row))
    }
}
