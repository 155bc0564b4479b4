/// Where the parts of a chat line stand: the time, the name, the text, each in a column of its own.
struct LineLayout {
    static let nameColumnsMax = 12
    /// Fewer columns than this are no place for a text: it then goes under the name.
    private static let textColumnsMin = 12

    let columns: Int
    let nameColumns: Int

    /// The width of names on a screen of `columns` columns.
    static func nameColumnsMax(columns: Int) -> Int { max(4, min(nameColumnsMax, columns / 5)) }

    /// Rows of one line of chat.
    ///
    /// - Parameters:
    ///   - mark: one column wide, or empty.
    ///   - text: a row, or more where the author wrote several.
    func rows(mark: String, time: String, name: String, text: [String]) -> [String] {
        let timeColumns = StyledText.columns(of: time) + 2
        let start = mark.isEmpty ? "\(time)  " : "\(mark)\(time) "
        let padding = max(0, nameColumns - StyledText.columns(of: name))
        let head = start + name + String(repeating: " ", count: padding + 2)
        let wanted = timeColumns + nameColumns + 2
        let indent = columns - wanted < Self.textColumnsMin ? 2 : wanted
        let first = RowCutter.rows(of: head + (text.first ?? ""), columns: columns, indent: indent)
        let margin = String(repeating: " ", count: indent)
        return first + text.dropFirst().flatMap { RowCutter.rows(of: margin + $0, columns: columns, indent: indent) }
    }

    /// A line that has no author: what follows its mark is set in.
    func rows(mark: String, _ text: String) -> [String] {
        RowCutter.rows(of: mark + text, columns: columns, indent: StyledText.columns(of: mark))
    }

    /// A row of a list or a table: the next rows begin under its second column, if it has one that leaves room.
    func rows(ofList text: String) -> [String] {
        let start = text.prefix { $0 == " " }.count
        let body = text.dropFirst(start)
        var indent = start + 2
        if let gap = body.firstRange(of: "  ") {
            let second =
                start + StyledText.columns(of: String(body[..<gap.lowerBound]))
                + body[gap.lowerBound...].prefix { $0 == " " }.count
            if second <= columns / 2 { indent = second }
        }
        return RowCutter.rows(of: text, columns: columns, indent: indent)
    }
}

/// How wide the column of names is: as wide as the longest name that is still on the screen.
struct NameColumn {
    private var recent: [(columns: Int, rows: Int)] = []

    /// - Parameter columns: of the name that is about to be shown.
    func columns(with columns: Int, on size: TerminalDevice.Size) -> Int {
        let widest = max(columns, recent.map(\.columns).max() ?? 0)
        return min(widest, LineLayout.nameColumnsMax(columns: size.columns))
    }

    /// A line took this many rows; `name` is the width of its name, if it has one.
    mutating func note(columns: Int, rows: Int, on size: TerminalDevice.Size) {
        recent.append((columns, max(1, rows)))
        var sum = recent.reduce(0) { $0 + $1.rows }
        while let first = recent.first, sum - first.rows >= size.rows {
            sum -= first.rows
            recent.removeFirst()
        }
    }
}
