import LatticeCore

/// The text of a key file: four lines of fixed length, so that any missing, changed or added byte is detected.
///
/// ```
/// lattice identity 1
/// public <64 hexadecimal digits: the Ed25519 public key>
/// secret <64 hexadecimal digits: the Ed25519 seed>
/// check <64 hexadecimal digits: BLAKE2b-256 of the three lines above, line ends included>
/// ```
package enum IdentityText {
    package static let bytesCount = heading.count + 1 + (7 + 64 + 1) + (7 + 64 + 1) + (6 + 64 + 1)

    private static let heading = Array("lattice identity 1".utf8)
    private static let lineEnd = UInt8(ascii: "\n")

    /// - Returns: the complete text. It contains the secret: `wipe` it after writing.
    package static func write(_ identity: Identity) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytesCount)
        text += heading
        text.append(lineEnd)
        text += Array("public \(identity.peer.hex)\n".utf8)
        text += Array("secret ".utf8)
        appendHex(identity.seed(), to: &text)
        text.append(lineEnd)
        text += Array("check \(Digest.blake2b256(text).hex)\n".utf8)
        precondition(text.count == bytesCount, "every line has its fixed length")
        return text
    }

    package static func read(_ text: [UInt8]) throws(IdentityTextError) -> Identity {
        guard !text.isEmpty else { throw .empty }
        try checkHeading(text)
        guard text.count >= bytesCount else { throw .truncated(bytes: text.count, bytesExpected: bytesCount) }
        guard text.count == bytesCount else { throw .trailing }
        var position = heading.count + 1
        let publicKey = try field("public", in: text, at: &position)
        let seed = try field("secret", in: text, at: &position)
        let checked = position
        let check = try field("check", in: text, at: &position)
        guard check.matches(Digest.blake2b256(Array(text[..<checked])).bytes) else { throw .badChecksum }
        let identity = Identity(seed: seed, isGuarded: true)
        guard publicKey.matches(identity.peer.key.bytes) else { throw .otherPublicKey }
        return identity
    }

    /// Overwrites a text that held a secret, as far as Swift allows: copies that the compiler made are out of reach.
    package static func wipe(_ text: inout [UInt8]) {
        Sodium.wipe(&text)
        text.removeAll()
    }

    private static func checkHeading(_ text: [UInt8]) throws(IdentityTextError) {
        let line = Array(text.prefix(heading.count + 1))
        guard line != heading + [lineEnd] else { return }
        if line.elementsEqual((heading + [lineEnd]).prefix(line.count)) {
            throw .truncated(bytes: text.count, bytesExpected: bytesCount)
        }
        let isOtherVersion = line.starts(with: heading.dropLast()) && (49...57).contains(line[heading.count - 1])
        throw isOtherVersion ? .otherVersion : .badLine("lattice identity")
    }

    /// Reads a line `label <64 digits>`, and advances `position` behind it.
    private static func field(
        _ label: String, in text: [UInt8], at position: inout Int
    ) throws(IdentityTextError) -> SecretBytes {
        let digits = position + label.utf8.count + 1
        let end = digits + 64
        guard text[position..<digits].elementsEqual("\(label) ".utf8), text[end] == lineEnd,
            text[digits..<end].allSatisfy({ value(of: $0) != nil })
        else { throw .badLine(label) }
        position = end + 1
        return SecretBytes(count: 32) { index in
            (value(of: text[digits + 2 * index]) ?? 0) << 4 | (value(of: text[digits + 2 * index + 1]) ?? 0)
        }
    }

    private static func appendHex(_ secret: borrowing SecretBytes, to text: inout [UInt8]) {
        for index in 0..<secret.count {
            text.append(digit(secret[index] >> 4))
            text.append(digit(secret[index] & 15))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// Lower case only, so that each identity has exactly one text.
    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// Why the text of a key file is invalid.
package enum IdentityTextError: Error, Equatable, CustomStringConvertible {
    case empty
    case truncated(bytes: Int, bytesExpected: Int)
    case trailing
    case otherVersion
    case badLine(String)
    case badChecksum
    case otherPublicKey
    /// A file under a passphrase ends within a line.
    case cutOff
    case costOutOfRange

    package var description: String {
        switch self {
        case .empty: "it is empty"
        case .truncated(let bytes, let bytesExpected): "it ends after \(bytes) of \(bytesExpected) bytes"
        case .trailing: "something follows after its last line"
        case .otherVersion: "it was written by another version of this program"
        case .badLine(let label): "its line '\(label)' is not as it should be"
        case .badChecksum: "its checksum does not match"
        case .otherPublicKey: "its public key does not belong to its secret key"
        case .cutOff: "its end is missing"
        case .costOutOfRange: "it asks for more work or memory than opening an identity may take"
        }
    }
}
