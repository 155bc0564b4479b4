/// A QR code (ISO/IEC 18004): bytes as a square of dark and light modules.
///
/// Byte mode and error correction level L alone: what is shown on a screen has no stains.
package struct QRSymbol: Equatable, Sendable {
    /// Modules per side, 21–177.
    package let width: Int
    /// Row by row, `true` for dark.
    package let modules: [Bool]

    /// The smallest symbol that holds the bytes.
    /// - Returns: `nil` for no bytes, or more than a symbol holds (2,953).
    package init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, let version = QRVersion(byteCount: bytes.count) else { return nil }
        let drawing = QRDrawing(version, codewords: QRCodewords(bytes, version).interleaved)
        width = drawing.matrix.width
        modules = drawing.best.modules
    }
}
