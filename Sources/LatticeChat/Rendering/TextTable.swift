/// Lays out rows of cells in columns. If they do not fit, each row becomes a block of its own.
enum TextTable {
    /// With fewer columns for the last column, it is not wrapped: blocks read better.
    private static let lastColumnsMin = 20
    private static let gap = "  "

    /// - Parameters:
    ///   - rows: the first holds the headings.
    ///   - columns: width of the screen; the last column stays free.
    ///   - heading: styles the line of headings.
    static func lines(
        _ rows: [[String]], columns: Int = .max, heading: (String) -> String = { $0 }
    ) -> [String] {
        guard let head = rows.first else { return [] }
        let widths = head.indices.map { column in rows.map { DisplayWidth.columns(of: $0[column]) }.max() ?? 0 }
        let start = widths.dropLast().reduce(0) { $0 + $1 + gap.count }
        let (last, free) = (widths.last ?? 0, columns - 1 - start)
        guard last <= free || free >= lastColumnsMin else { return entries(head, rows.dropFirst(), columns, heading) }
        return rows.enumerated().flatMap { index, row -> [String] in
            let front = zip(row.dropLast(), widths).map { padded($0, to: $1) + gap }.joined()
            let texts = last <= free ? [row.last ?? ""] : TextWrap.lines(row.last ?? "", columns: free)
            let blanks = String(repeating: " ", count: start)
            let lines = (texts.isEmpty ? [""] : texts).enumerated().map { line, text in
                ((line == 0 ? front : blanks) + text).trimmedAtEnd()
            }
            return index == 0 ? lines.map(heading) : lines
        }
    }

    /// For a terminal: fitted to its width, with coloured headings. For a pipe: one line a row.
    static func lines(_ rows: [[String]], _ context: CommandContext) -> [String] {
        lines(rows, columns: context.isTerminal || context.isChat ? context.columns : .max) { context.styled($0, "36") }
    }

    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.columns(of: text)))
    }

    /// The first cell, and below it the others with their headings. Unknown values are left out.
    private static func entries(
        _ head: [String], _ rows: ArraySlice<[String]>, _ columns: Int, _ heading: (String) -> String
    ) -> [String] {
        rows.flatMap { row -> [String] in
            let facts = zip(head, row).dropFirst().filter { !$1.isEmpty && $1 != "-" }.map { name, cell in
                name.isEmpty ? cell : "\(name.lowercased()) \(cell)"
            }
            return [heading(row.first ?? "")]
                + TextWrap.lines(facts.joined(separator: ", "), columns: columns - 3).map { gap + $0 }
        }
    }
}
