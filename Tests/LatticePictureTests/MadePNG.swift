@testable import LatticePicture

/// A PNG that is made by hand: its rows are not packed.
struct MadePNG {
    enum Kind: UInt8 {
        case gray = 0
        case rgb = 2
        case palette = 3
        case rgba = 6

        var channels: Int {
            switch self {
            case .gray, .palette: 1
            case .rgb: 3
            case .rgba: 4
            }
        }
    }

    var width: Int
    var height: Int
    var kind = Kind.rgb
    /// 8 or 16.
    var depth = 8
    var isInterlaced = false
    var palette: [UInt8] = []
    /// Chunks between the header and the pixels.
    var extras: [(name: String, content: [UInt8])] = []
    /// The samples of a pixel.
    var sample: (Int, Int) -> [UInt8] = { _, _ in [0, 0, 0] }

    static func of(_ pixels: Pixels) -> MadePNG {
        MadePNG(
            width: pixels.size.width, height: pixels.size.height,
            sample: { x, y in
                let start = (y * pixels.size.width + x) * 3
                return Array(pixels.rgb[start..<start + 3])
            })
    }

    var bytes: [UInt8] { header + Self.chunk("IDAT", Self.stored(rows)) + Self.chunk("IEND", []) }

    /// What stands before the pixels.
    var header: [UInt8] {
        let shape = [UInt8(depth), kind.rawValue, 0, 0, isInterlaced ? 1 : 0]
        var bytes = PictureFormat.pngMark + Self.chunk("IHDR", Self.big(width) + Self.big(height) + shape)
        if kind == .palette { bytes += Self.chunk("PLTE", palette) }
        for extra in extras { bytes += Self.chunk(extra.name, extra.content) }
        return bytes
    }

    private var rows: [UInt8] {
        guard isInterlaced else { return rows(xs: Array(0..<width), ys: Array(0..<height)) }
        // Adam7: where each pass begins, and its steps.
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        return passes.flatMap { left, top, across, down in
            rows(
                xs: Array(stride(from: left, to: width, by: across)),
                ys: Array(stride(from: top, to: height, by: down)))
        }
    }

    private func rows(xs: [Int], ys: [Int]) -> [UInt8] {
        if xs.isEmpty { return [] }
        var bytes: [UInt8] = []
        for y in ys {
            bytes.append(0)
            for x in xs {
                for value in sample(x, y) {
                    bytes.append(value)
                    if depth == 16 { bytes.append(value) }
                }
            }
        }
        return bytes
    }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return big(content.count) + named + big(Int(checksum(named)))
    }

    private static func big(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// A stream of zlib with nothing packed.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
        } while !rest.isEmpty
        var (first, second): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            first = (first + UInt32(byte)) % 65_521
            second = (second + first) % 65_521
        }
        return stream + big(Int(second << 16 | first))
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { value, byte in table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
    }
}
