import Glibc

/// A page on the terminal that is repeatedly overwritten, and that restores the terminal at the end.
struct LivePage {
    /// Replaces the last line that fits if there are more.
    private static let more = "… a taller window shows the rest"

    /// `nil` if standard output is not a capable terminal.
    init?(term: String?) {
        switch term {
        case nil, "", "dumb": return nil
        default: if isatty(1) == 0 { return nil }
        }
    }

    /// Switches to the alternate screen and hides the cursor.
    func begin() throws { try Report.output("\u{1B}[?1049h\u{1B}[?25l") }

    func end() throws { try Report.output("\u{1B}[?25h\u{1B}[?1049l") }

    func show(_ lines: [String]) throws {
        let (columns, rows) = Self.size
        try Report.output(Self.text(lines, columns: columns, rows: rows))
    }

    /// Overwrites each line and erases the rest of the old one, which avoids flicker.
    static func text(_ lines: [String], columns: Int, rows: Int) -> String {
        var shown = lines.prefix(max(1, rows))
        if shown.count < lines.count { shown = shown.dropLast() + [more] }
        let body = shown.map { "\($0.prefix(max(1, columns)))\u{1B}[K" }.joined(separator: "\r\n")
        return "\u{1B}[H\(body)\u{1B}[J"
    }

    static var columns: Int { size.columns + 1 }

    // Safety: the size is lent to ioctl(2) for the length of the call.
    private static var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else { return (80, 24) }
        return (Int(window.ws_col), Int(window.ws_row))
    }
}
