/// Paints the prompt and the line at the bottom of a terminal, over as many rows as they need, and prints lines above
/// them. Does no I/O: each method returns what to write. Only the painted rows are touched, so the scrollback stays
/// intact.
///
/// If the line needs more rows than the terminal has (less one, for printed lines), a window around the cursor is
/// shown.
package struct Screen: Sendable {
    /// Smaller screens are painted as if they had this size; the terminal then wraps by itself.
    package static let columnsMin = 8
    package static let rowsMin = 2

    private struct Content: Equatable {
        var prompt = ""
        var before = ""
        var after = ""
    }

    /// The rows now on the terminal, from the first one painted, and the cursor in them.
    private struct Painted: Equatable {
        var rows: [ScreenLayout.Row]
        var cursorRow: Int
        var cursorColumn: Int
        /// The last row with a part of the prompt, whose colours need painting from the start; -1 for none.
        var promptRow: Int
        /// How many rows of the layout are above the window.
        var rowsAbove: Int

        var isCursorAtEnd: Bool { cursorRow == rows.count - 1 && cursorColumn == rows[cursorRow].columns }
    }

    package private(set) var columns: Int
    package private(set) var rows: Int
    private var content = Content()
    private var painted: Painted?

    package init(columns: Int, rows: Int) {
        self.columns = max(columns, Self.columnsMin)
        self.rows = max(rows, Self.rowsMin)
    }

    /// Shows the prompt and the line, repainting from the first row that changed.
    package mutating func show(prompt: String, before: String, after: String) -> String {
        content = Content(prompt: prompt, before: before, after: after)
        let wanted = window()
        defer { painted = wanted }
        guard let painted else { return paint(wanted, from: 0, over: 0) }
        guard let changed = firstChanged(painted, wanted) else {
            return move(from: painted, toRow: wanted.cursorRow, column: wanted.cursorColumn)
        }
        return move(from: painted, toRow: changed, column: 0)
            + paint(wanted, from: changed, over: painted.rows.count)
    }

    /// Prints lines above the prompt; the terminal wraps and scrolls them. Keeps colours and drops everything else that
    /// could move the cursor. A line break inside a line starts another line.
    ///
    /// - Parameter picture: what libchafa drew, printed before them as it is. After each, the cursor is in its last row.
    package mutating func printAbove(_ lines: [String], below picture: [String] = []) -> String {
        let wasPainted = painted != nil
        var output = erase() + picture.map { $0 + ControlSequence.newLine }.joined()
        for line in lines.flatMap({ $0.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }) {
            output += StyledText.tame(String(line)) + ControlSequence.newLine
        }
        return wasPainted ? output + repaint() : output
    }

    /// Leaves the prompt and `text` on the screen as a printed line; nothing is shown after it.
    package mutating func leaveBehind(prompt: String, text: String) -> String {
        erase() + StyledText.tame(prompt) + StyledText.tame(text) + ControlSequence.newLine
    }

    /// Repaints after the terminal was resized, assuming that it has rewrapped its content, as most do.
    package mutating func resize(columns: Int, rows: Int) -> String {
        let columns = max(columns, Self.columnsMin)
        let output = painted.map { painted in
            "\r" + ControlSequence.up(cursorRow(of: painted, wrappedAt: columns))
                + ControlSequence.eraseFromHere
        }
        self.columns = columns
        self.rows = max(rows, Self.rowsMin)
        guard let output else { return "" }
        painted = nil
        return output + repaint()
    }

    /// Erases the prompt and the line; the cursor ends where they began.
    package mutating func erase() -> String {
        guard let painted else { return "" }
        self.painted = nil
        let rows = painted.rows.count
        let erased = Array(repeating: ControlSequence.eraseToRightEdge, count: rows)
        return move(from: painted, toRow: 0, column: 0) + erased.joined(separator: ControlSequence.newLine) + "\r"
            + ControlSequence.up(rows - 1)
    }

    /// Clears the terminal and paints the prompt at the top.
    package mutating func clear() -> String {
        painted = nil
        return ControlSequence.clear + repaint()
    }

    private mutating func repaint() -> String {
        show(prompt: content.prompt, before: content.before, after: content.after)
    }

    /// The rows to show. The window moves only as far as the cursor requires.
    private func window() -> Painted {
        let layout = ScreenLayout(
            prompt: content.prompt, before: content.before, after: content.after, columns: columns
        )
        let height = min(rows - 1, layout.rows.count)
        let lowest = min(layout.cursorRow, layout.rows.count - height)
        let rowsAbove = min(lowest, max(painted?.rowsAbove ?? 0, layout.cursorRow - height + 1))
        return Painted(
            rows: Array(layout.rows[rowsAbove..<(rowsAbove + height)]),
            cursorRow: layout.cursorRow - rowsAbove,
            cursorColumn: layout.cursorColumn,
            promptRow: max(-1, min(layout.promptRow - rowsAbove, height - 1)),
            rowsAbove: rowsAbove
        )
    }

    private func firstChanged(_ old: Painted, _ new: Painted) -> Int? {
        guard old.rows != new.rows else { return nil }
        let same = zip(old.rows, new.rows).prefix { $0 == $1 }.count
        // If rows are only added, the last old row is painted, too, so that it continues into them.
        let changed = min(same, old.rows.count - 1, new.rows.count - 1)
        return changed <= max(old.promptRow, new.promptRow) ? 0 : changed
    }

    /// Paints rows from `first` over `oldRows` old ones, then moves to the cursor.
    private func paint(_ wanted: Painted, from first: Int, over oldRows: Int) -> String {
        let isAtEnd = oldRows <= wanted.rows.count && wanted.isCursorAtEnd
        let texts = wanted.rows[first...].map { row in
            row.columns < columns ? row.text + ControlSequence.eraseToRightEdge : row.text
        }
        let painted = texts.joined(separator: ControlSequence.wrap)
        if isAtEnd { return painted }
        let surplus = max(0, oldRows - wanted.rows.count)
        let erased = String(repeating: ControlSequence.newLine + ControlSequence.eraseToRightEdge, count: surplus)
        let rowsBelow = wanted.rows.count - 1 - wanted.cursorRow + surplus
        return painted + erased + "\r" + ControlSequence.up(rowsBelow) + ControlSequence.toColumn(wanted.cursorColumn)
    }

    private func move(from painted: Painted, toRow row: Int, column: Int) -> String {
        if painted.cursorRow == row && painted.cursorColumn == column { return "" }
        return ControlSequence.up(painted.cursorRow - row) + ControlSequence.down(row - painted.cursorRow)
            + ControlSequence.toColumn(column)
    }

    /// The row of the cursor after the terminal has rewrapped the rows, as one long line, at `newColumns`.
    private func cursorRow(of painted: Painted, wrappedAt newColumns: Int) -> Int {
        guard newColumns != columns else { return painted.cursorRow }
        var row = 0
        var column = 0
        for (index, line) in painted.rows[...painted.cursorRow].enumerated() {
            let end = index == painted.cursorRow ? painted.cursorColumn : columns
            var passed = 0
            for case .cluster(let cluster) in StyledText.pieces(of: line.text) where passed < end {
                let width = DisplayWidth.columns(of: cluster)
                passed += width
                if column + width > newColumns { (row, column) = (row + 1, 0) }
                column += width
            }
        }
        // After a full row the cursor is in the next one, if there is one.
        return column == newColumns && !painted.isCursorAtEnd ? row + 1 : row
    }
}
