import Foundation
import LatticeAPI
import LatticeCore

/// Words for photos, where no picture is drawn.
enum PhotoPhrases {
    /// `[photo 560×420, 48 kB]`
    static func mark(_ photo: PhotoInfo, _ context: CommandContext) -> String {
        "[photo \(photo.width)\(context.isUTF8 ? "×" : "x")\(photo.height), \(size(photo.size))]"
    }

    /// Whether the line that announces a file names one that can be viewed: `shares the file lake.jpg (48 kB)`. Its author may
    /// have written anything.
    static func isPicture(_ text: String) -> Bool {
        guard let size = text.range(of: " (", options: .backwards) else { return false }
        let name = text[..<size.lowerBound].lowercased()
        return [".jpg", ".jpeg", ".png", ".webp"].contains { name.hasSuffix($0) }
    }

    static func size(_ bytes: Int64) -> String {
        bytes < 1_000_000 ? "\(max(1, (bytes + 500) / 1_000)) kB" : ByteCountText.text(Int(bytes))
    }

    /// `photo: a broken bridge`, safe and on one line.
    static func words(_ photo: PhotoInfo) -> String? {
        photo.alt.map { "photo: \(DisplayText.safe($0.replacing("\n", with: " ")))" }
    }

    /// `original bridge.jpg (4.2 MB): lattice file get 7cdbb3c0`
    static func original(_ file: ItemFile, _ context: CommandContext) -> String {
        let call = context.call("file get \(file.id.hex.prefix(8))")
        return "original \(DisplayText.isolated(file.name)) (\(size(file.size))): \(call)"
    }

    static func object(_ photo: PhotoInfo, thumbnail: [UInt8]? = nil) -> JSONLine {
        JSONLine(
            [
                ("width", .integer(photo.width)), ("height", .integer(photo.height)),
                ("size", .integer(Int(photo.size))),
                ("alt", .text(photo.alt)), ("here", .flag(photo.state == .here)),
            ] + (thumbnail.map { [("thumbnail", .text(address(of: $0)))] } ?? []))
    }

    /// A `data:` address (RFC 2397) that holds all of a JPEG.
    static func address(of jpeg: [UInt8]) -> String { "data:image/jpeg;base64,\(Data(jpeg).base64EncodedString())" }
}
