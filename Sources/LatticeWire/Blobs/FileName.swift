import LatticeCore

/// The name of a file, without a path.
///
/// 1–255 bytes of UTF-8 without `/`, `\`, control characters, bidirectional overrides and invisible formatting. It neither begins
/// nor ends with a blank or ends with a dot, and is not `.` or `..`.
package struct FileName: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 255

    package let text: String

    /// - Returns: `nil` if it breaks the rule.
    package init?(_ text: String) {
        guard (1...Self.bytesMax).contains(text.utf8.count), !text.hasPrefix(" "), !text.hasSuffix(" "),
            !text.hasSuffix("."),
            text.unicodeScalars.allSatisfy({ $0 != "/" && $0 != "\\" && !DisplayText.isUnsafe($0) })
        else { return nil }
        self.text = text
    }

    package static let unnamed = FileName(checked: "file")

    private init(checked text: String) { self.text = text }

    package var description: String { text }
}

/// The type of a file (RFC 6838 section 4.2), without parameters: 3–127 bytes, `type/subtype` in lower case.
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 127

    package let text: String

    package static let unknown = MediaType(checked: "application/octet-stream")

    private init(checked text: String) { self.text = text }

    /// - Returns: `nil` if it breaks the rule.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isAllowed) }) else {
            return nil
        }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$&^_.+-".utf8.contains(byte)
        }
    }

    package var description: String { text }
}
