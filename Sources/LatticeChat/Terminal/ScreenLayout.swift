/// The prompt and the line cut into terminal rows, with the position of the cursor.
struct ScreenLayout: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        var text = ""
        var columns = 0
    }

    let columns: Int
    private(set) var rows = [Row()]
    private(set) var cursorRow = 0
    private(set) var cursorColumn = 0
    /// The last row with a part of the prompt.
    private(set) var promptRow = 0

    init(prompt: String, before: String, after: String, columns: Int) {
        precondition(columns >= 2, "a wide character needs two columns")
        self.columns = columns
        place(prompt: prompt)
        for cluster in before { place(cluster) }
        // The cursor stands on the next cluster, which may begin a row.
        if let first = after.first {
            place(first, hasCursor: true)
            for cluster in after.dropFirst() { place(cluster) }
            openRowIfFull()
        } else {
            openRowIfFull()
            (cursorRow, cursorColumn) = (rows.count - 1, rows[rows.count - 1].columns)
        }
    }

    private mutating func place(prompt: String) {
        var hasStyle = false
        for piece in StyledText.pieces(of: prompt) {
            switch piece {
            case .style(let sequence):
                hasStyle = true
                rows[rows.count - 1].text += sequence
            case .link: break  // A prompt has none.
            case .cluster(let cluster): place(cluster)
            }
        }
        if hasStyle { rows[rows.count - 1].text += ControlSequence.plainStyle }
        promptRow = rows.count - 1
    }

    private mutating func place(_ cluster: Character, hasCursor: Bool = false) {
        let drawing = Drawing(cluster, columns: columns)
        if rows[rows.count - 1].columns + drawing.columnsNeeded > columns { openRow() }
        var row = rows[rows.count - 1]
        if hasCursor { (cursorRow, cursorColumn) = (rows.count - 1, row.columns) }
        row.columns += drawing.columns
        if drawing.isContested {
            // Erase what may remain of the old text if the cluster is narrower, and of the cluster itself if it is
            // wider.
            row.text += ControlSequence.eraseToRightEdge + drawing.text
            row.text += ControlSequence.toColumn(row.columns) + ControlSequence.eraseToRightEdge
        } else {
            row.text += drawing.text
        }
        rows[rows.count - 1] = row
    }

    /// A full last row would leave the cursor beyond the edge.
    private mutating func openRowIfFull() {
        if rows[rows.count - 1].columns == columns { openRow() }
    }

    private mutating func openRow() {
        let last = rows.count - 1
        rows[last].text += String(repeating: " ", count: columns - rows[last].columns)
        rows[last].columns = columns
        rows.append(Row())
    }
}

private struct Drawing {
    let text: String
    let columns: Int
    /// Columns that must be free in the row. If terminals disagree about the width, enough that it reaches the edge in
    /// none of them: the column is set again after it, which is not safe at the edge.
    let columnsNeeded: Int
    let isContested: Bool

    init(_ cluster: Character, columns screenColumns: Int) {
        var scalars = String(cluster).unicodeScalars
        let isContested = DisplayWidth.isContested(cluster)
        // With a trailing joiner, some terminals would swallow what comes after it.
        while scalars.last == "\u{200D}" || scalars.last == "\u{200C}" { scalars.removeLast() }
        let most = DisplayWidth.columnsAtMost(of: cluster) + 1
        if isContested && most > screenColumns {
            (text, columns, columnsNeeded, self.isContested) = ("\u{FFFD}", 1, 1, false)
        } else {
            text = String(scalars)
            columns = DisplayWidth.columns(of: cluster)
            columnsNeeded = isContested ? max(most, columns + 1) : columns
            self.isContested = isContested
        }
    }
}
