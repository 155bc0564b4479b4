/// Error correction codewords over GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1 (section 7.5.2 and annex A).
struct ReedSolomon {
    /// Coefficients of the generator polynomial from the highest power down, without the leading one.
    private let divisor: [UInt8]

    init(degree: Int) {
        var divisor = [UInt8](repeating: 0, count: degree)
        divisor[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                let next = index + 1 < degree ? divisor[index + 1] : 0
                divisor[index] = Self.product(divisor[index], root) ^ next
            }
            root = Self.product(root, 2)
        }
        self.divisor = divisor
    }

    func remainder(_ data: [UInt8]) -> [UInt8] {
        data.reduce(into: [UInt8](repeating: 0, count: divisor.count)) { remainder, byte in
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in divisor.indices { remainder[index] ^= Self.product(divisor[index], factor) }
        }
    }

    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        (0..<8).reversed().reduce(into: 0) { product, bit in
            let overflow = product & 0x80 != 0
            product <<= 1
            if overflow { product ^= 0x1D }
            if right >> UInt8(bit) & 1 == 1 { product ^= left }
        }
    }
}
