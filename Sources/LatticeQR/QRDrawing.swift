/// Draws a symbol: the patterns that every symbol of a version has, then the codewords between them, then a mask.
struct QRDrawing {
    private let version: QRVersion
    /// Without a mask.
    private(set) var matrix: QRMatrix
    /// Modules that belong to a pattern: no mask changes them.
    private var isFixed: [Bool]

    init(_ version: QRVersion, codewords: [UInt8]) {
        self.version = version
        matrix = QRMatrix(width: version.width)
        isFixed = Array(repeating: false, count: version.width * version.width)
        drawPatterns()
        drawCodewords(codewords)
    }

    /// With the mask of the least penalty.
    var best: QRMatrix {
        let masked = (0..<8).map { mask in self.masked(mask) }
        return masked.min { $0.penalty < $1.penalty } ?? matrix
    }

    private mutating func fix(row: Int, column: Int, _ isDark: Bool) {
        matrix[row, column] = isDark
        isFixed[row * version.width + column] = true
    }

    private mutating func drawPatterns() {
        let last = version.width - 1
        for index in 0...last {
            fix(row: 6, column: index, index % 2 == 0)
            fix(row: index, column: 6, index % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, last - 3), (last - 3, 3)] { drawFinder(row: row, column: column) }
        let centres = version.alignmentCentres
        for row in centres {
            for column in centres {
                let isAtFinder =
                    (row == 6 && column == 6) || (row == 6 && column == centres.last)
                    || (row == centres.last && column == 6)
                if !isAtFinder { drawAlignment(row: row, column: column) }
            }
        }
        // Reserved now, drawn with the mask.
        for (row, column) in formatPlaces(isFirst: true) + formatPlaces(isFirst: false) {
            fix(row: row, column: column, false)
        }
        fix(row: last - 7, column: 8, true)
        drawVersion()
    }

    /// With its separator (sections 6.3.3 and 6.3.4).
    private mutating func drawFinder(row: Int, column: Int) {
        for down in -4...4 {
            for right in -4...4 {
                let distance = max(abs(down), abs(right))
                let (row, column) = (row + down, column + right)
                guard 0..<version.width ~= row, 0..<version.width ~= column else { continue }
                fix(row: row, column: column, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignment(row: Int, column: Int) {
        for down in -2...2 {
            for right in -2...2 {
                fix(row: row + down, column: column + right, max(abs(down), abs(right)) != 1)
            }
        }
    }

    /// Twice, from version 7 on (section 7.10).
    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        let bits = version.number << 12 | Self.remainder(version.number << 12, 0b1_1111_0010_0101, degree: 12)
        for index in 0..<18 {
            let (long, short) = (index / 3, version.width - 11 + index % 3)
            fix(row: long, column: short, bits >> index & 1 == 1)
            fix(row: short, column: long, bits >> index & 1 == 1)
        }
    }

    /// From the least significant bit of the format on (figure 25): around the first finder, and beside the two others.
    private func formatPlaces(isFirst: Bool) -> [(row: Int, column: Int)] {
        let width = version.width
        if isFirst {
            return [0, 1, 2, 3, 4, 5, 7, 8].map { ($0, 8) } + [7, 5, 4, 3, 2, 1, 0].map { (8, $0) }
        }
        return (0..<8).map { (8, width - 1 - $0) } + (0..<7).map { (width - 7 + $0, 8) }
    }

    /// Two columns at a time from the right, up and down in turn, past the column of the timing pattern (section 7.7.3).
    private mutating func drawCodewords(_ codewords: [UInt8]) {
        let width = version.width
        var bit = 0
        for right in stride(from: width - 1, through: 1, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
            let isUpward = (right + 1) & 2 == 0
            for step in 0..<width {
                let row = isUpward ? width - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * width + column] && bit < 8 * codewords.count {
                    matrix[row, column] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
        }
    }

    private func masked(_ mask: Int) -> QRMatrix {
        var matrix = matrix
        for row in 0..<version.width {
            for column in 0..<version.width where !isFixed[row * version.width + column] {
                if Self.isInverted(mask, row, column) { matrix[row, column].toggle() }
            }
        }
        // Level L is 01 (section 7.9.1).
        let data = 0b01 << 3 | mask
        let bits = (data << 10 | Self.remainder(data << 10, 0b101_0011_0111, degree: 10)) ^ 0b101_0100_0001_0010
        for places in [formatPlaces(isFirst: true), formatPlaces(isFirst: false)] {
            for (index, place) in places.enumerated() { matrix[place.row, place.column] = bits >> index & 1 == 1 }
        }
        return matrix
    }

    /// Table 10.
    private static func isInverted(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }

    /// Remainder of a division of polynomials over GF(2).
    private static func remainder(_ value: Int, _ divisor: Int, degree: Int) -> Int {
        var value = value
        while value >> degree != 0 {
            value ^= divisor << (Int.bitWidth - 1 - value.leadingZeroBitCount - degree)
        }
        return value
    }
}
