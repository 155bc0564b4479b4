/// The bytes as codewords, cut into blocks that each carry their error correction (sections 7.4 to 7.6).
struct QRCodewords {
    private let blocks: [(data: [UInt8], correction: [UInt8])]

    init(_ bytes: [UInt8], _ version: QRVersion) {
        let data = Self.data(bytes, version)
        let generator = ReedSolomon(degree: version.correctionPerBlock)
        let short = data.count / version.blockCount
        // The first blocks are the short ones.
        let shortCount = version.blockCount - data.count % version.blockCount
        var start = 0
        blocks = (0..<version.blockCount).map { index in
            let end = start + short + (index < shortCount ? 0 : 1)
            defer { start = end }
            let block = Array(data[start..<end])
            return (block, generator.remainder(block))
        }
    }

    /// The first codeword of each block, then the second, and so on; correction after all data (section 7.6).
    var interleaved: [UInt8] {
        Self.columns(blocks.map(\.data)) + Self.columns(blocks.map(\.correction))
    }

    private static func columns(_ rows: [[UInt8]]) -> [UInt8] {
        (0..<(rows.map(\.count).max() ?? 0)).flatMap { column in
            rows.compactMap { column < $0.count ? $0[column] : nil }
        }
    }

    /// Mode, byte count, bytes, terminator, padding.
    private static func data(_ bytes: [UInt8], _ version: QRVersion) -> [UInt8] {
        var bits = BitWriter()
        bits.append(0b0100, count: 4)
        bits.append(bytes.count, count: version.countBits)
        for byte in bytes { bits.append(Int(byte), count: 8) }
        let capacity = 8 * version.dataCodewords
        bits.append(0, count: min(4, capacity - bits.count))
        bits.append(0, count: (8 - bits.count % 8) % 8)
        var isFirst = true
        while bits.count < capacity {
            bits.append(isFirst ? 0xEC : 0x11, count: 8)
            isFirst.toggle()
        }
        return bits.bytes
    }
}

/// Bits, the most significant first.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    mutating func append(_ value: Int, count bits: Int) {
        for shift in (0..<bits).reversed() {
            if count % 8 == 0 { bytes.append(0) }
            if value >> shift & 1 == 1 { bytes[count / 8] |= 0x80 >> UInt8(count % 8) }
            count += 1
        }
    }
}
