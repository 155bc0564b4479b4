/// A picture file without metadata.
package struct BarePicture: Hashable, Sendable {
    package let bytes: [UInt8]
    /// `image/jpeg`, `image/png` or `image/webp`.
    package let mediaType: String
    /// `jpg`, `png` or `webp`.
    package let pathExtension: String

    /// As `of`, off the caller's actor.
    @concurrent package static func made(of bytes: [UInt8]) async throws(PictureFault) -> BarePicture {
        guard let format = PictureFormat(of: bytes) else { throw .notAPicture }
        let (mediaType, pathExtension) =
            switch format {
            case .jpeg: ("image/jpeg", "jpg")
            case .png: ("image/png", "png")
            case .webp: ("image/webp", "webp")
            }
        return BarePicture(bytes: try of(bytes), mediaType: mediaType, pathExtension: pathExtension)
    }
}

extension BarePicture {
    /// Removes what is not the picture from a file, and leaves its pixels as they are coded: position, camera, dates, comments,
    /// thumbnails, and what follows the end. The profile of its colours stays, and its orientation.
    ///
    /// - Returns: a file of the same format, not larger than the given one but for a few dozen bytes.
    /// - Throws: `notAPicture`, or `damaged` if it is cut off or malformed.
    package static func of(_ bytes: [UInt8]) throws(PictureFault) -> [UInt8] {
        guard let format = PictureFormat(of: bytes) else { throw .notAPicture }
        let orientation = PictureOrientation(of: bytes, format)
        let exif = orientation == .upright ? nil : orientation.exif
        let bare: [UInt8]? =
            switch format {
            case .jpeg: jpeg(bytes, exif)
            case .png: png(bytes, exif)
            case .webp: webp(bytes, exif)
            }
        guard let bare else { throw .damaged }
        return bare
    }

    // MARK: - JPEG

    private static func jpeg(_ bytes: [UInt8], _ exif: [UInt8]?) -> [UInt8]? {
        var reader = JPEGSegments(bytes)
        var bare: [UInt8] = [0xFF, JPEGMarker.start]
        bare.reserveCapacity(bytes.count)
        if let exif { append(JPEGMarker.application1, (PictureOrientation.exifMark + exif)[...], to: &bare) }
        var hasPixels = false
        while let segment = reader.next() {
            guard let content = kept(segment) else { continue }
            append(segment.marker, content, to: &bare)
            guard segment.marker == JPEGMarker.scan else { continue }
            bare += reader.pixels()
            hasPixels = true
        }
        guard hasPixels, reader.isAtEnd else { return nil }
        return bare + [0xFF, JPEGMarker.end]
    }

    private static func append(_ marker: UInt8, _ content: ArraySlice<UInt8>, to bare: inout [UInt8]) {
        let length = content.count + 2
        bare += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }

    /// - Returns: `nil` if the segment is not needed to see the picture.
    private static func kept(_ segment: JPEGSegments.Segment) -> ArraySlice<UInt8>? {
        let content = segment.content
        switch segment.marker {
        case JPEGMarker.application0:
            guard content.starts(with: Array("JFIF\0".utf8)), content.count >= 14 else { return nil }
            // Without the thumbnail that may follow.
            return content.prefix(12) + [0, 0]
        case JPEGMarker.application2: return content.starts(with: Array("ICC_PROFILE\0".utf8)) ? content : nil
        // How the colours are coded.
        case JPEGMarker.application14: return content.starts(with: Array("Adobe".utf8)) ? content.prefix(12) : nil
        case JPEGMarker.applications, JPEGMarker.comment, JPEGMarker.extensions: return nil
        default: return content
        }
    }

    // MARK: - PNG

    /// What is needed to see the picture, and animated ones (PNG specification, third edition, sections 11 and 12).
    private static let pngChunks = Set(
        ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "cICP", "gAMA", "iCCP", "sBIT", "sRGB", "bKGD", "pHYs"]
            + ["acTL", "fcTL", "fdAT"])

    private static func png(_ bytes: [UInt8], _ exif: [UInt8]?) -> [UInt8]? {
        var bare = PictureFormat.pngMark
        bare.reserveCapacity(bytes.count)
        var (start, hasHeader) = (bare.count, false)
        while let length = PictureOrientation.number(bytes[...], at: start, bytes: 4, isBigEndian: true),
            bytes.count - start >= length + 12
        {
            let chunk = bytes[start..<start + length + 12]
            let type = String(decoding: chunk.dropFirst(4).prefix(4), as: UTF8.self)
            // There is one header, and it comes first.
            guard (type == "IHDR") != hasHeader else { return nil }
            if pngChunks.contains(type) { bare += chunk }
            if !hasHeader, let exif { bare += pngChunk("eXIf", exif) }
            hasHeader = true
            if type == "IEND" { return bare }
            start += length + 12
        }
        return nil
    }

    private static func pngChunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(type.utf8) + content
        return bigEndian(content.count, bytes: 4) + named + bigEndian(Int(checksum(named)), bytes: 4)
    }

    /// CRC-32 (ISO 3309), as PNG has it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
    }

    // MARK: - WebP

    private static let webpChunks: Set = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]
    /// Flags of the chunk VP8X (RFC 9649, section 2.7.1).
    private static let (exifFlag, xmpFlag): (UInt8, UInt8) = (0x08, 0x04)
    /// A frame of an animation has 16 bytes before its own chunks.
    private static let frameHeadBytes = 16

    private static func webp(_ bytes: [UInt8], _ exif: [UInt8]?) -> [UInt8]? {
        guard let size = PictureOrientation.number(bytes[...], at: 4, bytes: 4, isBigEndian: false),
            size >= 4, bytes.count >= size + 8, var chunks = webpChunks(in: bytes[12..<size + 8])
        else { return nil }
        if chunks.starts(with: Array("VP8X".utf8)), chunks.count > 8 {
            chunks[8] &= ~(exifFlag | xmpFlag)
            if let exif {
                chunks[8] |= exifFlag
                chunks += webpChunk("EXIF", exif[...])
            }
        }
        return Array("RIFF".utf8) + littleEndian(chunks.count + 4) + Array("WEBP".utf8) + chunks
    }

    /// - Returns: `nil` if they do not end where they should, or none is there.
    private static func webpChunks(in bytes: ArraySlice<UInt8>, isFrame: Bool = false) -> [UInt8]? {
        var (kept, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes)
        while rest.count >= 8 {
            guard let length = PictureOrientation.number(rest, at: 4, bytes: 4, isBigEndian: false),
                rest.count - 8 >= length + length % 2
            else { return nil }
            let type = String(decoding: rest.prefix(4), as: UTF8.self)
            var content = rest.dropFirst(8).prefix(length)
            if type == "ANMF" {
                guard !isFrame, let parts = webpChunks(in: content.dropFirst(frameHeadBytes), isFrame: true) else {
                    return nil
                }
                content = content.prefix(frameHeadBytes) + parts
            }
            if webpChunks.contains(type) { kept += webpChunk(type, content) }
            rest = rest.dropFirst(8 + length + length % 2)
        }
        return kept.isEmpty ? nil : kept
    }

    private static func webpChunk(_ type: String, _ content: ArraySlice<UInt8>) -> [UInt8] {
        Array(type.utf8) + littleEndian(content.count) + content + (content.count % 2 == 0 ? [] : [0])
    }

    private static func littleEndian(_ number: Int) -> [UInt8] { bigEndian(number, bytes: 4).reversed() }
}

extension PictureOrientation {
    /// EXIF with this entry alone: a directory of TIFF with one number of two bytes.
    fileprivate var exif: [UInt8] {
        [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, rawValue, 0, 0, 0, 0, 0, 0]
    }
}

extension JPEGSegments {
    /// Where the reader stands is the marker of the end.
    var isAtEnd: Bool {
        var index = index
        while index + 1 < bytes.count, bytes[index] == 0xFF, bytes[index + 1] == 0xFF { index += 1 }
        return index + 1 < bytes.count && bytes[index] == 0xFF && bytes[index + 1] == JPEGMarker.end
    }

    /// The coded pixels up to the next marker. The reader stands there from then on.
    mutating func pixels() -> ArraySlice<UInt8> {
        let start = index
        while index + 1 < bytes.count {
            // A pixel's 0xFF is followed by 0, and a scan may have restarts.
            if bytes[index] == 0xFF, bytes[index + 1] != 0, !(0xD0...0xD7).contains(bytes[index + 1]) { break }
            index += bytes[index] == 0xFF ? 2 : 1
        }
        index = min(index, bytes.count)
        return bytes[start..<index]
    }
}
