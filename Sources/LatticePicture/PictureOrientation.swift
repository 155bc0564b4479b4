/// How a camera was held, as EXIF says it: what has to be done to the stored rows so that up is up.
package enum PictureOrientation: UInt8, CaseIterable, Sendable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    /// Mirrored top to bottom.
    case flipped = 4
    /// Mirrored along the diagonal from the top left.
    case transposed = 5
    /// To be turned by 90° clockwise.
    case right = 6
    /// Mirrored along the diagonal from the top right.
    case transversed = 7
    /// To be turned by 90° counterclockwise.
    case left = 8

    /// Whether width and height change places.
    package var isTurned: Bool { rawValue >= 5 }

    /// The pixels as they should be seen.
    package func applied(to pixels: Pixels) -> Pixels {
        if self == .upright { return pixels }
        let (width, height) = (pixels.size.width, pixels.size.height)
        let size = isTurned ? pixels.size.turned : pixels.size
        let (right, bottom) = (width - 1, height - 1)
        var rgb: [UInt8] = []
        rgb.reserveCapacity(pixels.rgb.count)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (column, row) =
                    switch self {
                    case .upright: (x, y)
                    case .mirrored: (right - x, y)
                    case .upsideDown: (right - x, bottom - y)
                    case .flipped: (x, bottom - y)
                    case .transposed: (y, x)
                    case .right: (y, bottom - x)
                    case .transversed: (right - y, bottom - x)
                    case .left: (right - y, x)
                    }
                let index = (row * width + column) * 3
                rgb.append(pixels.rgb[index])
                rgb.append(pixels.rgb[index + 1])
                rgb.append(pixels.rgb[index + 2])
            }
        }
        guard let turned = Pixels(size: size, rgb: rgb) else { preconditionFailure("every pixel was taken once") }
        return turned
    }
}

// MARK: - In files

extension PictureOrientation {
    /// Upright if the file does not say, or says something else.
    package init(of bytes: [UInt8], _ format: PictureFormat) {
        let exif =
            switch format {
            case .jpeg: Self.exif(inJPEG: bytes)
            case .png: Self.exif(inPNG: bytes)
            case .webp: Self.exif(inWebP: bytes)
            }
        self = exif.flatMap { Self.init(exif: $0) } ?? .upright
    }

    static let exifMark = Array("Exif\0\0".utf8)
    /// Chunks that are looked at.
    private static let chunksMax = 1_000

    private static func exif(inJPEG bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var segments = JPEGSegments(bytes)
        while let segment = segments.next(), segment.marker != JPEGMarker.scan {
            if segment.marker == JPEGMarker.application1, segment.content.starts(with: exifMark) {
                return segment.content.dropFirst(exifMark.count)
            }
        }
        return nil
    }

    /// A chunk is its length (big-endian), its name, its content and a checksum.
    private static func exif(inPNG bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var rest = bytes.dropFirst(PictureFormat.pngMark.count)
        for _ in 0..<chunksMax {
            guard let length = number(rest, at: 0, bytes: 4, isBigEndian: true), rest.count >= length + 12 else {
                return nil
            }
            if rest.dropFirst(4).starts(with: Array("eXIf".utf8)) { return rest.dropFirst(8).prefix(length) }
            rest = rest.dropFirst(length + 12)
        }
        return nil
    }

    /// A chunk is its name, its length (little-endian) and its content, to an even number of bytes.
    private static func exif(inWebP bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var rest = bytes.dropFirst(12)
        for _ in 0..<chunksMax {
            guard let length = number(rest, at: 4, bytes: 4, isBigEndian: false), rest.count >= length + 8 else {
                return nil
            }
            if rest.starts(with: Array("EXIF".utf8)) {
                let content = rest.dropFirst(8).prefix(length)
                // Some programs copy the mark that only JPEG needs.
                return content.starts(with: exifMark) ? content.dropFirst(exifMark.count) : content
            }
            rest = rest.dropFirst(length + 8 + length % 2)
        }
        return nil
    }

    /// EXIF is a TIFF file: an order of bytes, and the offset of a directory with entries of 12 bytes.
    private init?(exif: ArraySlice<UInt8>) {
        let (orientationTag, shortType) = (0x0112, 3)
        let isBigEndian: Bool
        switch exif.prefix(4) {
        case [0x4D, 0x4D, 0, 42]: isBigEndian = true
        case [0x49, 0x49, 42, 0]: isBigEndian = false
        default: return nil
        }
        func read(_ offset: Int, _ bytes: Int) -> Int? {
            Self.number(exif, at: offset, bytes: bytes, isBigEndian: isBigEndian)
        }
        guard let directory = read(4, 4), let count = read(directory, 2) else { return nil }
        for entry in 0..<count {
            let start = directory + 2 + entry * 12
            guard let tag = read(start, 2) else { return nil }
            if tag != orientationTag { continue }
            guard read(start + 2, 2) == shortType, read(start + 4, 4) == 1, let value = read(start + 8, 2) else {
                return nil
            }
            self.init(rawValue: UInt8(clamping: value))
            return
        }
        return nil
    }

    /// A number of at most 4 bytes; `nil` if there are fewer bytes.
    static func number(
        _ bytes: ArraySlice<UInt8>, at offset: Int, bytes count: Int, isBigEndian: Bool
    ) -> Int? {
        let field = bytes.dropFirst(offset).prefix(count)
        guard field.count == count else { return nil }
        return isBigEndian ? field.reduce(0) { $0 << 8 | Int($1) } : field.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
