/// As much of a VT100 as a line editor needs. Written without a look at the program's own idea of one.
struct Screen {
    private let columns: Int
    private let rows: Int
    private var scrolled: [[Character]] = []
    private var cells: [[Character]]
    private var row = 0
    private var column = 0

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// Without blanks at their ends and without blank ones at the end.
    var lines: [String] {
        var lines = (scrolled + cells).map { String($0).trimmingSuffix() }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    mutating func write(_ output: String) {
        var rest = output.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n": lineFeed()
            case "\u{8}": column = max(0, column - 1)
            case "\u{1B}": sequence(&rest)
            case let scalar where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: put(Character(scalar))
            }
        }
    }

    private mutating func put(_ character: Character) {
        if column == columns {
            column = 0
            lineFeed()
        }
        cells[row][column] = character
        column += 1
    }

    private mutating func lineFeed() {
        if row < rows - 1 {
            row += 1
            return
        }
        scrolled.append(cells.removeFirst())
        cells.append(Array(repeating: " ", count: columns))
    }

    private mutating func sequence(_ rest: inout Substring.UnicodeScalarView) {
        if rest.first == "]" { return skipText(&rest) }
        guard rest.first == "[" else { return }
        rest.removeFirst()
        var parameter = ""
        while let scalar = rest.popFirst() {
            if (0x40...0x7E).contains(scalar.value) { return obey(scalar, parameter) }
            parameter.unicodeScalars.append(scalar)
        }
    }

    /// Titles, alerts and links show nothing. They end with BEL, or with ESC and a backslash.
    private func skipText(_ rest: inout Substring.UnicodeScalarView) {
        while let scalar = rest.popFirst(), scalar != "\u{7}" {
            guard scalar == "\u{1B}", rest.first == "\\" else { continue }
            rest.removeFirst()
            return
        }
    }

    private mutating func obey(_ final: Unicode.Scalar, _ parameter: String) {
        let count = max(1, Int(parameter) ?? 1)
        switch final {
        case "A": row = max(0, row - count)
        case "B": row = min(rows - 1, row + count)
        case "C": column = min(columns - 1, column + count)
        case "D": column = max(0, column - count)
        case "H": (row, column) = (0, 0)
        case "K": eraseToEnd()
        case "J" where parameter == "2": cells = cells.map { _ in Array(repeating: " ", count: columns) }
        case "J":
            eraseToEnd()
            for below in cells.indices where below > row { cells[below] = Array(repeating: " ", count: columns) }
        default: break  // Colours and modes show nothing.
        }
    }

    private mutating func eraseToEnd() {
        for index in min(column, columns)..<columns { cells[row][index] = " " }
    }
}
