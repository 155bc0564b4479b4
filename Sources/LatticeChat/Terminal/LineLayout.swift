/// Lays out a chat line: time, name and text in columns.
struct LineLayout {
    static let nameColumnsMax = 12
    /// With fewer columns left, the text goes below the name.
    private static let textColumnsMin = 12

    let columns: Int
    let nameColumns: Int

    static func nameColumnsMax(columns: Int) -> Int { max(4, min(nameColumnsMax, columns / 5)) }

    /// The rows of one chat line.
    ///
    /// - Parameters:
    ///   - mark: one column wide, or empty.
    ///   - text: one row, or several if the author wrote several.
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

    /// The rows of a line without an author; continuation rows are indented by the mark.
    func rows(mark: String, _ text: String) -> [String] {
        RowCutter.rows(of: mark + text, columns: columns, indent: StyledText.columns(of: mark))
    }

    /// A row of a list or table. Continuation rows start at its second column, if that leaves enough space.
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

/// The width of the name column: as wide as the longest name still on the screen.
struct NameColumn {
    private var recent: [(columns: Int, rows: Int)] = []

    /// - Parameter columns: width of the name about to be shown.
    func columns(with columns: Int, on size: TerminalDevice.Size) -> Int {
        let widest = max(columns, recent.map(\.columns).max() ?? 0)
        return min(widest, LineLayout.nameColumnsMax(columns: size.columns))
    }

    /// Notes that a line took `rows` rows; `columns` is the width of its name.
    mutating func note(columns: Int, rows: Int, on size: TerminalDevice.Size) {
        recent.append((columns, max(1, rows)))
        var sum = recent.reduce(0) { $0 + $1.rows }
        while let first = recent.first, sum - first.rows >= size.rows {
            sum -= first.rows
            recent.removeFirst()
        }
    }
}
