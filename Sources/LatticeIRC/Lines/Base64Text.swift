import LatticeCore

/// Base64 (RFC 4648 section 4), with or without padding.
enum Base64Text {
    static func decoded(_ text: String) -> [UInt8]? {
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.count
        guard text.utf8.count - digits <= 2, !text.contains("-"), !text.contains("_") else { return nil }
        return Base64URL.bytes(text.prefix(digits).replacing("+", with: "-").replacing("/", with: "_"))
    }
}
