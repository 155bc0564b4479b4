/// A picture as a person chooses it: a PNG with as many colours as it needs to differ from others, and with metadata.
package enum PictureFile {
    package static let metadata = "Exif GPS 52.5 N 13.4 E"

    /// - Parameter number: each is another picture.
    package static func png(_ number: UInt8, width: Int = 600, height: Int = 450) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (width * 3 + 1))
        for row in 0..<height {
            // No filter.
            rows.append(0)
            for column in 0..<width {
                let isDark = (column * 4 / width + row * 4 / height) % 2 == 0
                rows += isDark ? [number, 40, 90] : [200, UInt8(truncatingIfNeeded: column), number]
            }
        }
        var header = number32(width) + number32(height)
        header += [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("tEXt", Array("Comment".utf8) + [0] + Array(metadata.utf8)) + chunk("IDAT", stored(rows))
            + chunk("IEND", [])
    }

    private static func number32(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
        let whole = Array(type.utf8) + bytes
        return number32(bytes.count) + whole + number32(Int(crc(whole)))
    }

    /// zlib (RFC 1950) without compression.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let count = UInt16(block.count)
            stream.append(start + block.count == bytes.count ? 1 : 0)
            for value in [count, ~count] { stream += [UInt8(value & 0xFF), UInt8(value >> 8)] }
            stream += block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + number32(Int(high << 16 | low))
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}
