import LatticeCore

@testable import LatticePicture
@testable import LatticePictureDecoder

/// Pictures made by code, with what a test needs to know of them.
enum MadePictures {
    typealias Colour = (red: UInt8, green: UInt8, blue: UInt8)

    static let (red, green, blue, white): (Colour, Colour, Colour, Colour) = (
        (220, 30, 30), (30, 200, 30), (30, 30, 220), (240, 240, 240)
    )

    static func pixels(_ width: Int, _ height: Int, _ colour: (Int, Int) -> Colour) throws -> Pixels {
        var rgb: [UInt8] = []
        rgb.reserveCapacity(width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                let (red, green, blue) = colour(x, y)
                rgb.append(red)
                rgb.append(green)
                rgb.append(blue)
            }
        }
        let size = try made(PictureSize(width: width, height: height))
        return try made(Pixels(size: size, rgb: rgb))
    }

    /// Red and green above blue and white.
    static func quarters(_ width: Int, _ height: Int) throws -> Pixels {
        try pixels(width, height) { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): red
            case (false, true): green
            case (true, false): blue
            case (false, false): white
            }
        }
    }

    static func noise(_ width: Int, _ height: Int, seed: UInt64 = 1) throws -> Pixels {
        var dice = SeededGenerator(seed: seed)
        return try pixels(width, height) { _, _ in
            let word = dice.next()
            return (UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8), UInt8(word >> 56))
        }
    }

    static func made<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw NotMade() }
        return value
    }

    struct NotMade: Error {}
}

// MARK: - JPEG

extension MadePictures {
    static func jpeg(_ pixels: Pixels, quality: Int32 = 90) throws -> [UInt8] {
        try made(PictureRenderer.encoded(pixels, quality: quality, bytesMax: 16 << 20)).jpeg
    }

    /// Puts a segment behind the start of a JPEG.
    static func inserting(_ marker: UInt8, _ content: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        let head = [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)]
        return Array(jpeg.prefix(2)) + head + content + jpeg.dropFirst(2)
    }

    /// What a camera writes into a JPEG: how it was held, and where it was.
    static func exif(orientation: UInt16, isBigEndian: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            return isBigEndian ? bytes : bytes.reversed()
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            let padding = [UInt8](repeating: 0, count: 4 - value.count)
            return number(tag, 2) + number(type, 2) + number(count, 4) + value + padding
        }
        let (first, gps) = (8, 8 + 2 + 3 * 12 + 4)
        let maker = entry(0x010F, 2, 4, Array("Cam\0".utf8))
        let held = entry(0x0112, 3, 1, number(Int(orientation), 2))
        let pointer = entry(0x8825, 4, 1, number(gps, 4))
        let text = gps + 2 + 2 * 12 + 4
        var tiff: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
        tiff += number(first, 4)
        tiff += number(3, 2) + maker + held + pointer + number(0, 4)
        let north = entry(1, 2, 2, Array("N\0".utf8))
        let datum = entry(18, 2, placeMark.count, number(text, 4))
        tiff += number(2, 2) + north + datum + number(0, 4)
        return tiff + placeMark
    }

    /// Stands where a place would.
    static let placeMark = Array("48 51 29.6 N 2 17 40.2 E".utf8)

    static func photographed(_ pixels: Pixels, orientation: UInt16, isBigEndian: Bool = true) throws -> [UInt8] {
        let exif = exif(orientation: orientation, isBigEndian: isBigEndian)
        return inserting(0xE1, Array("Exif\0\0".utf8) + exif, into: try jpeg(pixels))
    }

    /// Changes the size that the frame of a JPEG claims.
    static func claiming(_ width: Int, _ height: Int, _ jpeg: [UInt8]) throws -> [UInt8] {
        var (bytes, segments) = (jpeg, JPEGSegments(jpeg))
        while let segment = segments.next() {
            guard segment.marker == JPEGMarker.baseline else { continue }
            for (offset, side) in [(1, height), (3, width)] {
                bytes[segment.content.startIndex + offset] = UInt8(side >> 8)
                bytes[segment.content.startIndex + offset + 1] = UInt8(side & 0xFF)
            }
            return bytes
        }
        throw NotMade()
    }
}

extension MadePictures {
    /// Gray all over, in two bits for each 8 × 8 pixels.
    static func grayJPEG(width: Int, height: Int) -> [UInt8] {
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
        }
        let sides = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        // Both tables have one code, a single zero: "no difference", and "nothing follows in this block".
        let code: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
        var bytes: [UInt8] = [0xFF, JPEGMarker.start]
        bytes += segment(JPEGMarker.quantization, [0] + [UInt8](repeating: 16, count: 64))
        bytes += segment(JPEGMarker.baseline, [8] + sides + [1, 1, 0x11, 0])
        bytes += segment(JPEGMarker.huffman, [0x00] + code) + segment(JPEGMarker.huffman, [0x10] + code)
        bytes += segment(JPEGMarker.scan, [1, 1, 0x00, 0, 63, 0])
        let blocks = ((width + 7) / 8) * ((height + 7) / 8)
        return bytes + [UInt8](repeating: 0, count: (blocks * 2 + 7) / 8) + [0xFF, JPEGMarker.end]
    }
}

// MARK: - WebP

extension MadePictures {
    /// Without loss: every pixel of one colour, in a few bytes however large it is.
    static func webp(_ width: Int, _ height: Int, _ colour: Colour, alpha: UInt8 = 255, exif: [UInt8] = []) -> [UInt8] {
        var bits = BitWriter()
        bits.add(0x2F, 8)
        bits.add(width - 1, 14)
        bits.add(height - 1, 14)
        bits.add(alpha < 255 ? 1 : 0, 1)
        bits.add(0, 3)
        // No transform, no cache of colours, one group of codes.
        bits.add(0, 3)
        // A code of one symbol takes no bits in the pixels.
        for symbol in [colour.green, colour.red, colour.blue, alpha, 0] {
            bits.add(1, 1)
            bits.add(0, 1)
            bits.add(1, 1)
            bits.add(Int(symbol), 8)
        }
        let image = chunk("VP8L", bits.bytes)
        if exif.isEmpty { return riff(image) }
        // It has EXIF (bit 3), and perhaps transparent pixels (bit 4).
        let flags: UInt8 = 0x08 | (alpha < 255 ? 0x10 : 0)
        let sides = little(width - 1, 3) + little(height - 1, 3)
        return riff(chunk("VP8X", [flags, 0, 0, 0] + sides) + image + chunk("EXIF", exif))
    }

    private static func riff(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: content.count % 2)
        return Array(name.utf8) + little(content.count, 4) + content + padding
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// The lowest bit first.
    private struct BitWriter {
        private(set) var bytes: [UInt8] = []
        private var count = 0

        mutating func add(_ value: Int, _ bits: Int) {
            for bit in 0..<bits {
                if count % 8 == 0 { bytes.append(0) }
                if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(count % 8) }
                count += 1
            }
        }
    }
}
