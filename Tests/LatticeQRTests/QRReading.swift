@testable import LatticeQR

/// The bytes in a symbol, read by the standard from its modules alone.
///
/// Which modules belong to a pattern comes from drawing the version without codewords, all ones and all zeros.
struct QRReading {
    enum Failure: Error {
        case noVersion
        case format
        case correction
        case mode
    }

    let bytes: [UInt8]

    /// - Parameter inverting: A module to read wrongly.
    init(_ symbol: QRSymbol, inverting: Int? = nil) throws {
        var modules = symbol.modules
        if let inverting { modules[inverting].toggle() }
        guard let version = (1...2_953).lazy.compactMap(QRVersion.init).first(where: { $0.width == symbol.width })
        else {
            throw Failure.noVersion
        }
        let mask = try Self.mask(modules, version.width)
        let codewords = Self.codewords(modules, version, mask)
        bytes = try Self.message(Self.data(codewords, version), version)
    }

    private static func mask(_ modules: [Bool], _ width: Int) throws -> Int {
        // The format's bits beside the first finder, the most significant first.
        let places = [0, 1, 2, 3, 4, 5, 7, 8].map { (8, $0) } + [7, 5, 4, 3, 2, 1, 0].map { ($0, 8) }
        let bits = places.reduce(0) { $0 << 1 | (modules[$1.0 * width + $1.1] ? 1 : 0) } ^ 0b101_0100_0001_0010
        var remainder = bits
        for shift in (0...4).reversed() where remainder >> (shift + 10) & 1 == 1 {
            remainder ^= 0b101_0011_0111 << shift
        }
        // Level L.
        guard remainder == 0, bits >> 13 == 0b01 else { throw Failure.format }
        return bits >> 10 & 0b111
    }

    private static func codewords(_ modules: [Bool], _ version: QRVersion, _ mask: Int) -> [UInt8] {
        let width = version.width
        let zeros = QRDrawing(version, codewords: Array(repeating: 0, count: version.codewords)).matrix.modules
        let ones = QRDrawing(version, codewords: Array(repeating: 0xFF, count: version.codewords)).matrix.modules
        var bits: [Bool] = []
        var right = width - 1
        var isUpward = true
        while right > 0 {
            if right == 6 { right -= 1 }
            for step in 0..<width {
                let row = isUpward ? width - 1 - step : step
                for column in [right, right - 1] where zeros[row * width + column] != ones[row * width + column] {
                    bits.append(modules[row * width + column] != isInverted(mask, row, column))
                }
            }
            right -= 2
            isUpward.toggle()
        }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<(start + 8)].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    private static func isInverted(_ mask: Int, _ i: Int, _ j: Int) -> Bool {
        [
            (i + j) % 2, i % 2, j % 3, (i + j) % 3, (i / 2 + j / 3) % 2, (i * j) % 2 + (i * j) % 3,
            ((i * j) % 2 + (i * j) % 3) % 2, ((i + j) % 2 + (i * j) % 3) % 2,
        ][mask] == 0
    }

    /// Blocks side by side again, each with all its syndromes zero.
    private static func data(_ codewords: [UInt8], _ version: QRVersion) throws -> [UInt8] {
        var blocks = [[UInt8]](repeating: [], count: version.blockCount)
        let short = version.dataCodewords / version.blockCount
        let long = version.dataCodewords % version.blockCount
        var next = 0
        for column in 0...short {
            for block in blocks.indices where column < short || block >= version.blockCount - long {
                blocks[block].append(codewords[next])
                next += 1
            }
        }
        var data: [UInt8] = []
        for block in blocks.indices {
            let correction = (0..<version.correctionPerBlock).map { codewords[next + $0 * version.blockCount + block] }
            var root: UInt8 = 1
            for _ in 0..<version.correctionPerBlock {
                let syndrome = (blocks[block] + correction).reduce(0) { ReedSolomon.product($0, root) ^ $1 }
                guard syndrome == 0 else { throw Failure.correction }
                root = ReedSolomon.product(root, 2)
            }
            data += blocks[block]
        }
        return data
    }

    private static func message(_ data: [UInt8], _ version: QRVersion) throws -> [UInt8] {
        let bits = data.flatMap { byte in (0..<8).reversed().map { Int(byte >> UInt8($0) & 1) } }
        func value(_ start: Int, _ count: Int) -> Int { bits[start..<(start + count)].reduce(0) { $0 << 1 | $1 } }
        guard value(0, 4) == 0b0100 else { throw Failure.mode }
        let start = 4 + version.countBits
        return (0..<value(4, version.countBits)).map { UInt8(value(start + 8 * $0, 8)) }
    }
}
