import LatticeChat
import Testing

/// As much of a VT100 as `Screen` writes for, with the rows that have scrolled off its top: what it holds is what a user
/// would see.
struct TerminalEmulator {
    /// How it draws a grapheme cluster: as one, or each scalar by itself, as older terminals do.
    enum Drawing { case clusters, scalars }

    private struct Row {
        /// Empty where nothing was written; nil is the second half of a wide character.
        var cells: [String?]
        /// The next row continues this one.
        var isWrapped = false
    }

    private(set) var columns: Int
    let rows: Int
    private let drawing: Drawing
    private var scrolled: [Row] = []
    private var screen: [Row]
    private var row = 0
    private var column = 0
    private var isWrapPending = false
    private(set) var unknown: [String] = []

    init(columns: Int, rows: Int, drawing: Drawing = .clusters) {
        (self.columns, self.rows, self.drawing) = (columns, rows, drawing)
        screen = Array(repeating: Row(cells: Array(repeating: "", count: columns)), count: rows)
    }

    /// All rows from the first one that scrolled off, without blanks at their ends and blank ones at the end.
    var lines: [String] {
        var lines = (scrolled + screen).map { row in
            String(row.cells.compactMap { $0 == "" ? " " : $0 }.joined().reversed().drop { $0 == " " }.reversed())
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    /// The cursor's row, counted from the first one that scrolled off, and its column.
    var cursor: [Int] { [scrolled.count + row, column] }

    /// For each cell the ASCII letter that it holds, if it holds one.
    var letters: [[String]] {
        screen.map { $0.cells.map { cell in cell.flatMap { ("a"..."z").contains($0) ? $0 : nil } ?? "" } }
    }

    mutating func write(_ output: String) {
        var plain = ""
        var rest = output.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar.value >= 0x20 && scalar.value != 0x7F {
                plain.unicodeScalars.append(scalar)
                continue
            }
            draw(plain)
            plain = ""
            switch scalar {
            case "\r": (column, isWrapPending) = (0, false)
            case "\n": lineFeed()
            case "\u{07}": break
            case "\u{1B}": sequence(&rest)
            default: unknown.append("control \(scalar.value)")
            }
        }
        draw(plain)
    }

    /// Cuts all lines anew for another width, as terminals do that keep lines together.
    mutating func reflow(columns newColumns: Int) {
        let cursorRow = scrolled.count + row
        let lastRow = max(cursorRow, (scrolled + screen).lastIndex { $0.cells.contains { $0 != "" } } ?? 0)
        var cut: [Row] = []
        var cursor = (row: 0, column: 0)
        var line: [String?] = []
        var cursorOffset: Int?
        for (index, row) in (scrolled + screen)[...lastRow].enumerated() {
            if index == cursorRow { cursorOffset = line.count + column }
            line += row.cells
            guard !row.isWrapped || index == lastRow else { continue }
            var length = line.count
            while length > cursorOffset ?? 0, line[length - 1] == "" { length -= 1 }
            let start = cut.count
            for offset in stride(from: 0, to: max(length, 1), by: newColumns) {
                let cells = Array(line[offset..<min(offset + newColumns, length)])
                let filled = cells + Array(repeating: "", count: newColumns - cells.count)
                cut.append(Row(cells: filled, isWrapped: offset + newColumns < length))
            }
            if let offset = cursorOffset, cursor == (0, 0) {
                let row = min(offset / newColumns, cut.count - 1 - start)
                cursor = (start + row, min(offset - row * newColumns, newColumns - 1))
            }
            (line, cursorOffset) = ([], nil)
        }
        columns = newColumns
        let blank = Row(cells: Array(repeating: "", count: columns))
        let above = max(0, cut.count - rows)
        scrolled = Array(cut[..<above])
        screen = Array(cut[above...]) + Array(repeating: blank, count: max(0, rows - cut.count))
        (row, column, isWrapPending) = (cursor.row - above, cursor.column, false)
    }

    private mutating func draw(_ text: String) {
        switch drawing {
        case .clusters:
            for cluster in text { put(String(cluster), columns: DisplayWidth.columns(of: cluster)) }
        case .scalars:
            for scalar in text.unicodeScalars { put(String(scalar), columns: DisplayWidth.columns(of: scalar)) }
        }
    }

    private mutating func put(_ text: String, columns width: Int) {
        if width == 0 {
            let at = isWrapPending ? column : max(0, column - 1)
            let owner = screen[row].cells[at] == nil ? at - 1 : at
            screen[row].cells[owner] = (screen[row].cells[owner] ?? "") + text
            return
        }
        if isWrapPending || column + width > columns {
            screen[row].isWrapped = true
            (column, isWrapPending) = (0, false)
            lineFeed()
        }
        for at in column..<(column + width) { blank(at) }
        screen[row].cells[column] = text
        for at in (column + 1)..<(column + max(width, 1)) { screen[row].cells[at] = nil }
        column += width
        if column == columns { (column, isWrapPending) = (columns - 1, true) }
    }

    /// Half of a wide character takes the other half along.
    private mutating func blank(_ at: Int) {
        if screen[row].cells[at] == nil, at > 0 { screen[row].cells[at - 1] = "" }
        if at + 1 < columns, screen[row].cells[at + 1] == nil { screen[row].cells[at + 1] = "" }
        screen[row].cells[at] = ""
    }

    private mutating func lineFeed() {
        isWrapPending = false
        guard row == rows - 1 else { return row += 1 }
        scrolled.append(screen.removeFirst())
        screen.append(Row(cells: Array(repeating: "", count: columns)))
    }

    private mutating func sequence(_ rest: inout Substring.UnicodeScalarView) {
        if rest.first == "]" { return rest = rest.drop { $0 != "\u{07}" }.dropFirst() }
        guard rest.popFirst() == "[" else { return unknown.append("ESC") }
        let parameters = String(Substring(rest.prefix { (0x20...0x3F).contains($0.value) }))
        rest = rest.dropFirst(parameters.unicodeScalars.count)
        let count = Int(parameters) ?? 1
        switch (rest.popFirst(), parameters) {
        case ("A", _): (row, isWrapPending) = (max(0, row - count), false)
        case ("C", _): (column, isWrapPending) = (min(columns - 1, column + count), false)
        case ("H", ""): (row, column, isWrapPending) = (0, 0, false)
        case ("K", ""): eraseToRightEdge()
        case ("J", ""): eraseBelow()
        case ("J", "2"): screen = screen.map { _ in Row(cells: Array(repeating: "", count: columns)) }
        case ("m", _), ("h", "?2004"), ("l", "?2004"), ("h", "?1004"), ("l", "?1004"): break
        case (let final, _): unknown.append("ESC [ \(parameters) \(final.map { String($0) } ?? "")")
        }
    }

    private mutating func eraseToRightEdge() {
        for at in column..<columns { blank(at) }
        screen[row].isWrapped = false
    }

    private mutating func eraseBelow() {
        eraseToRightEdge()
        for below in (row + 1)..<max(rows, row + 1) {
            screen[below] = Row(cells: Array(repeating: "", count: columns))
        }
    }
}
