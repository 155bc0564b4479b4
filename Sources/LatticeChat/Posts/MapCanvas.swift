/// A grid of cells for dots and characters. A braille cell holds two by four dots; an ASCII cell holds one.
struct MapCanvas {
    let columns: Int
    let rows: Int
    private let isBraille: Bool
    private var dots: [UInt8]
    private var written: [Character?]

    init(columns: Int, rows: Int, isBraille: Bool) {
        self.columns = columns
        self.rows = rows
        self.isBraille = isBraille
        dots = Array(repeating: 0, count: columns * rows)
        written = Array(repeating: nil, count: columns * rows)
    }

    /// Draws a dot, unless it is outside the grid.
    ///
    /// - Parameters: fractional cells from the upper left corner.
    mutating func dot(column: Double, row: Double) {
        guard column >= 0, row >= 0, column < Double(columns), row < Double(rows) else { return }
        let index = Int(row) * columns + Int(column)
        let across = Int(column * 2) % 2
        let down = Int(row * 4) % 4
        // Dots 1–3 and 4–6 form the columns; 7 and 8 were added below them (Unicode block U+2800).
        dots[index] |= down == 3 ? 0x40 << UInt8(across) : 1 << UInt8(down + 3 * across)
    }

    /// Writes over dots and earlier text; clips at the edges.
    mutating func write(_ text: String, column: Int, row: Int) {
        guard (0..<rows).contains(row) else { return }
        for (offset, character) in text.enumerated() where (0..<columns).contains(column + offset) {
            written[row * columns + column + offset] = character
        }
    }

    /// The rows without trailing blanks.
    var lines: [String] {
        (0..<rows).map { row in
            let cells = (0..<columns).map { cell(row * columns + $0) }
            return String(cells).trimmedAtEnd()
        }
    }

    private func cell(_ index: Int) -> Character {
        if let character = written[index] { return character }
        guard dots[index] != 0 else { return " " }
        guard isBraille, let scalar = Unicode.Scalar(0x2800 + UInt32(dots[index])) else { return "." }
        return Character(scalar)
    }
}
