/// Judges whether bytes are a baseline JPEG with nothing in it but its picture: no metadata, no comment, nothing behind.
///
/// What a child process says is a JPEG may have been made by the picture that took the child over.
package enum PlainJPEG {
    /// - Returns: the size of the picture; `nil` if the bytes are anything else.
    package static func size(of bytes: [UInt8]) -> PictureSize? {
        var reader = JPEGSegments(bytes)
        var size: PictureSize?
        while let segment = reader.next() {
            switch segment.marker {
            case JPEGMarker.application0:
                // JFIF's own 14 bytes: version and the shape of a pixel. A thumbnail would follow them.
                guard segment.content.count == 14, segment.content.starts(with: Array("JFIF\0".utf8)),
                    segment.content.suffix(2).allSatisfy({ $0 == 0 })
                else { return nil }
            case JPEGMarker.quantization, JPEGMarker.huffman, JPEGMarker.restartInterval: break
            case JPEGMarker.baseline:
                guard size == nil, segment.content.count > 5 else { return nil }
                let sides = segment.content.dropFirst().prefix(4).map(Int.init)
                size = PictureSize(width: sides[2] << 8 | sides[3], height: sides[0] << 8 | sides[1])
                if size == nil { return nil }
            case JPEGMarker.scan: return endsWithPicture(bytes, from: segment.content.endIndex) ? size : nil
            default: return nil
            }
        }
        return nil
    }

    /// Whether the coded pixels go on to the marker of the end, and that is the end.
    private static func endsWithPicture(_ bytes: [UInt8], from start: Int) -> Bool {
        var index = start
        while index + 1 < bytes.count {
            guard bytes[index] == 0xFF else {
                index += 1
                continue
            }
            switch bytes[index + 1] {
            // A pixel's 0xFF, or a restart.
            case 0, 0xD0...0xD7: index += 2
            case JPEGMarker.end: return index + 2 == bytes.count
            default: return false
            }
        }
        return false
    }
}

/// Of ITU-T T.81, table B.1.
enum JPEGMarker {
    static let baseline: UInt8 = 0xC0
    static let huffman: UInt8 = 0xC4
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA
    static let quantization: UInt8 = 0xDB
    static let restartInterval: UInt8 = 0xDD
    static let application0: UInt8 = 0xE0
    static let application1: UInt8 = 0xE1
    static let application2: UInt8 = 0xE2
    static let application14: UInt8 = 0xEE
    static let applications: ClosedRange<UInt8> = 0xE0...0xEF
    static let extensions: ClosedRange<UInt8> = 0xF0...0xFD
    static let comment: UInt8 = 0xFE
}

/// The segments of a JPEG, one after another. The coded pixels of a scan are none: `next` ends there.
struct JPEGSegments {
    struct Segment {
        let marker: UInt8
        /// Indices are those of the file.
        let content: ArraySlice<UInt8>
    }

    /// Cameras write about twenty.
    static let countMax = 1_000

    let bytes: [UInt8]
    /// Where the next segment begins.
    var index = 2
    private var count = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if !bytes.starts(with: [0xFF, JPEGMarker.start]) { index = bytes.count }
    }

    /// - Returns: the next segment; `nil` at the end of the picture, or where nothing follows that is one.
    mutating func next() -> Segment? {
        count += 1
        guard count <= Self.countMax, index < bytes.count, bytes[index] == 0xFF else { return nil }
        var start = index
        // Any number of 0xFF may stand before a marker.
        while start < bytes.count, bytes[start] == 0xFF { start += 1 }
        guard start + 2 < bytes.count else { return nil }
        let marker = bytes[start]
        let length = Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
        let end = start + 1 + length
        guard marker > 0xBF, marker != JPEGMarker.end, length >= 2, end <= bytes.count else { return nil }
        index = end
        return Segment(marker: marker, content: bytes[(start + 3)..<end])
    }
}
