/// A square of modules, and its penalty: how hard its mask makes it to read (section 7.8.3.1).
struct QRMatrix {
    let width: Int
    private(set) var modules: [Bool]

    init(width: Int) {
        self.width = width
        modules = Array(repeating: false, count: width * width)
    }

    subscript(row: Int, column: Int) -> Bool {
        get { modules[row * width + column] }
        set { modules[row * width + column] = newValue }
    }

    var penalty: Int {
        let lines = (0..<width).reduce(0) { sum, index in
            let row = modules[(index * width)..<((index + 1) * width)]
            let column = stride(from: index, to: modules.count, by: width).map { modules[$0] }
            return sum + Self.linePenalty(Array(row)) + Self.linePenalty(column)
        }
        return lines + blockPenalty + balancePenalty
    }

    /// Runs of one colour, and what looks like a finder pattern.
    private static func linePenalty(_ line: [Bool]) -> Int {
        var penalty = 0
        var run = 0
        var recent = 0
        for (index, isDark) in line.enumerated() {
            run = index > 0 && line[index - 1] == isDark ? run + 1 : 1
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
            recent = (recent << 1 | (isDark ? 1 : 0)) & 0b111_1111_1111
            if index >= 10, recent == 0b101_1101_0000 || recent == 0b000_0101_1101 { penalty += 40 }
        }
        return penalty
    }

    /// Squares of two by two in one colour.
    private var blockPenalty: Int {
        var blocks = 0
        for row in 1..<width {
            for column in 1..<width {
                let isDark = self[row, column]
                if self[row - 1, column] == isDark, self[row, column - 1] == isDark, self[row - 1, column - 1] == isDark
                {
                    blocks += 1
                }
            }
        }
        return 3 * blocks
    }

    /// Ten for every five per cent away from half dark.
    private var balancePenalty: Int {
        let dark = modules.count { $0 }
        return abs(20 * dark - 10 * modules.count) / modules.count * 10
    }
}
