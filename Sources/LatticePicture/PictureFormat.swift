/// What the first bytes of a file say that it is.
package enum PictureFormat: Hashable, Sendable {
    case jpeg, png, webp

    /// Longer files are refused.
    package static let bytesMax = 64 << 20

    package init?(of bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, JPEGMarker.start, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: Self.pngMark) {
            self = .png
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webp
        } else {
            return nil
        }
    }

    static let pngMark: [UInt8] = [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]
}
