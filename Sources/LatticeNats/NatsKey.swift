import LatticeCore
import LatticeCrypto

/// A key pair with which a user logs in to a NATS server: the server gets the public text, and the seed never leaves this
/// machine.
///
/// Base32 (RFC 4648, without padding) of a prefix, the 32 bytes, and their CRC-16/XMODEM, low byte first.
package struct NatsKey: Sendable {
    private static let userPrefix: UInt8 = 20 << 3
    private static let seedPrefix: UInt8 = 18 << 3
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Begins with `SU`.
    package let seedText: String
    /// Begins with `U`.
    package let publicText: String

    package init() { self.init(seed: SecureRandom.bytes(32)) }

    package init(seed: [UInt8]) {
        precondition(seed.count == 32, "a seed has 32 bytes")
        let key = Identity(seed: SecretBytes(copying: seed)).peer.key
        seedText = Self.text([Self.seedPrefix | Self.userPrefix >> 5, (Self.userPrefix & 31) << 3] + seed)
        publicText = Self.text([Self.userPrefix] + key.bytes)
    }

    /// - Parameter text: of a seed; spaces and lines around it do not matter.
    /// - Returns: `nil` if it is none of a user, or was mistyped.
    package init?(seedText text: String) {
        let words = text.split { $0.isWhitespace || $0.isNewline }
        guard let word = words.first(where: { $0.hasPrefix("SU") }), let bytes = Self.bytes(of: word),
            bytes.count == 36, Self.text(Array(bytes.prefix(34))) == word
        else { return nil }
        self.init(seed: Array(bytes[2..<34]))
        guard seedText == word else { return nil }
    }

    private static func bytes(of text: some StringProtocol) -> [UInt8]? {
        var (bytes, rest, bits): ([UInt8], Int, Int) = ([], 0, 0)
        for character in text.utf8 {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            rest = rest << 5 | digit
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: rest >> bits))
            }
            rest &= 1 << bits - 1
        }
        return bytes
    }

    private static func text(_ bytes: [UInt8]) -> String {
        let sum = checksum(bytes)
        return base32(bytes + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)])
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt16 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
    }

    private static func base32(_ bytes: [UInt8]) -> String {
        var (text, rest, bits): ([UInt8], Int, Int) = ([], 0, 0)
        for byte in bytes {
            rest = rest << 8 | Int(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(digits[rest >> bits & 31])
            }
            rest &= 1 << bits - 1
        }
        if bits > 0 { text.append(digits[rest << (5 - bits) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }
}
