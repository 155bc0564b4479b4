/// An sRGB colour with eight bits per channel.
package struct Colour: Hashable, Sendable, CustomStringConvertible {
    /// 0x000000…0xFFFFFF
    package let rgb: UInt32

    package init(rgb: UInt32) {
        precondition(rgb <= 0xFF_FFFF, "a colour has 24 bits")
        self.rgb = rgb
    }

    /// - Parameter text: six hexadecimal digits, with or without a `#` before them.
    /// - Returns: `nil` for anything else.
    package init?(parsing text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, let bytes = Hex.bytes(digits) else { return nil }
        rgb = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// For example `#1e90ff`.
    package var description: String {
        "#" + Hex.string([16, 8, 0].map { UInt8(truncatingIfNeeded: rgb >> UInt32($0)) })
    }
}
