/// base64url (RFC 4648 section 5) without padding.
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func string(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (waiting, bits) = (UInt32(0), UInt32(0))
        for byte in bytes {
            waiting = waiting << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(waiting >> bits & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(waiting << (6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: `nil` for anything that `string` does not write: padding, other characters, or a length or final bits
    ///   that no bytes encode to.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (waiting, bits) = (UInt32(0), UInt32(0))
        for digit in text.utf8 {
            guard let value = value(of: digit) else { return nil }
            waiting = waiting << 6 | value
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: waiting >> bits))
        }
        let rest = waiting & (1 << bits - 1)
        return bits < 6 && rest == 0 ? bytes : nil
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
