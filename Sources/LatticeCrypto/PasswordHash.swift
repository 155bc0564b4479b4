import LatticeCore

/// A stored password hash: enough to check a password, and useless for finding it except by guessing.
///
/// As text: `argon2id 2 65536 SALT HASH`, with passes, KiB, and 16 and 32 bytes in base64url.
package struct PasswordHash: Equatable, Sendable {
    /// Longer passwords are cut and never match.
    package static let passwordBytes = 8...1_024
    /// Argon2id (RFC 9106) as for the key of a mesh or room: a tenth of a second and 64 MiB. An identity costs more,
    /// because its file may be stolen together with everything that it protects.
    package static let usualCost = PassphraseKey.Cost(passes: 2, memoryKiB: 65_536) ?? .usual
    private static let method = "argon2id"

    private let cost: PassphraseKey.Cost
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Hashes a new password with a random salt.
    ///
    /// - Throws: if there is not enough memory.
    package init(of password: [UInt8], cost: PassphraseKey.Cost = usualCost) throws(PassphraseKeyError) {
        salt = Sodium.random(PassphraseKey.saltBytes)
        self.cost = cost
        hash = Self.octets(try Self.derived(password, salt, cost))
    }

    /// - Returns: `nil` if malformed.
    package init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 5, words[0] == Self.method, let passes = Int(words[1]), let memory = Int(words[2]),
            let cost = PassphraseKey.Cost(passes: passes, memoryKiB: memory),
            let salt = Base64URL.bytes(String(words[3])), salt.count == PassphraseKey.saltBytes,
            let hash = Base64URL.bytes(String(words[4])), hash.count == 32
        else { return nil }
        (self.cost, self.salt, self.hash) = (cost, salt, hash)
    }

    package var text: String {
        "\(Self.method) \(cost.passes) \(cost.memoryKiB) \(Base64URL.string(salt)) \(Base64URL.string(hash))"
    }

    /// Whether this is the password; the time does not depend on it.
    package func matches(_ password: [UInt8]) throws(PassphraseKeyError) -> Bool {
        let isRight = try Self.derived(password, salt, cost).matches(hash)
        return isRight && Self.passwordBytes.contains(password.count)
    }

    private static func derived(
        _ password: [UInt8], _ salt: [UInt8], _ cost: PassphraseKey.Cost
    ) throws(PassphraseKeyError) -> SecretBytes {
        let secret = SecretBytes(copying: Array(password.prefix(passwordBytes.upperBound)))
        return try PassphraseKey.derive(secret, salt: salt, cost: cost)
    }

    private static func octets(_ secret: borrowing SecretBytes) -> [UInt8] {
        (0..<secret.count).map { secret[$0] }
    }
}
