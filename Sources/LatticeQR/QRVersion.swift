/// One of the forty sizes of a symbol, with its capacity at level L (tables 1, 7 and 9).
struct QRVersion: Equatable, Sendable {
    /// 1–40.
    let number: Int

    private static let correctionPerBlock = [
        7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
        28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let blocks = [
        1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
        8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
    ]

    /// The smallest version that holds this number of bytes.
    init?(byteCount: Int) {
        let fitting = (1...40).lazy.map(QRVersion.init(number:)).first { version in
            version.headerBits + 8 * byteCount <= 8 * version.dataCodewords
        }
        guard let fitting else { return nil }
        self = fitting
    }

    private init(number: Int) {
        self.number = number
    }

    var width: Int { 4 * number + 17 }
    var blockCount: Int { Self.blocks[number - 1] }
    var correctionPerBlock: Int { Self.correctionPerBlock[number - 1] }
    var dataCodewords: Int { codewords - blockCount * correctionPerBlock }

    /// Bits of the byte count in byte mode (table 3).
    var countBits: Int { number < 10 ? 8 : 16 }
    /// Bits before the bytes: the mode and the byte count.
    var headerBits: Int { 4 + countBits }

    /// Codewords of data and correction: the modules that no pattern takes, in eights.
    var codewords: Int {
        var free = (16 * number + 128) * number + 64
        if number >= 2 {
            let centres = alignmentCentres.count
            free -= (25 * centres - 10) * centres - 55
        }
        if number >= 7 { free -= 36 }
        return free / 8
    }

    /// Rows and columns of the alignment patterns' centres (annex E).
    var alignmentCentres: [Int] {
        guard number >= 2 else { return [] }
        let count = number / 7 + 2
        // Version 32 is the one that does not follow the formula.
        let step = number == 32 ? 26 : (4 * number + 2 * count + 1) / (2 * count - 2) * 2
        return [6] + (0..<(count - 1)).reversed().map { width - 7 - step * $0 }
    }
}
