import LatticeAPI
import LatticeCore

/// A token for writing and for reading private data: at least 22 characters of base64url.
package struct AccessToken: Sendable {
    /// 128 bits cannot be guessed.
    private static let octets = 16
    package static let charactersRange = 22...128

    private let key: TypedKey

    package init?(_ text: String) {
        guard Self.charactersRange.contains(text.utf8.count),
            text.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            })
        else { return nil }
        key = TypedKey(text)
    }

    private init(_ key: TypedKey) {
        self.key = key
    }

    /// - Parameter dice: must be the system's generator, so that nobody can guess its output.
    package static func made(using dice: inout some RandomNumberGenerator) -> AccessToken {
        let bytes = (0..<octets).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
        return AccessToken(TypedKey(Base64URL.string(bytes)))
    }

    package var text: String { String(decoding: key.bytes, as: UTF8.self) }

    /// Compares in constant time.
    package func isSame(as text: String) -> Bool {
        let other = Array(text.utf8)
        guard other.count == key.bytes.count else { return false }
        return zip(other, key.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
