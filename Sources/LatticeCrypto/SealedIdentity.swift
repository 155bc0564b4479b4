package import LatticeCore

/// An identity under a passphrase: the text of a key file of version 2. Anybody with the file can read the public key,
/// but not the seed.
///
/// ```
/// lattice identity 2
/// public <64 hexadecimal digits: the Ed25519 public key>
/// argon2id <passes, decimal> <memory in KiB, decimal>
/// salt <32 digits>
/// nonce <48 digits>
/// sealed <96 digits: XChaCha20-Poly1305 over the seed; the lines above, line ends included, are additional data>
/// check <64 digits: BLAKE2b-256 of all lines above: distinguishes damage from a wrong passphrase>
/// ```
package struct SealedIdentity: Sendable {
    /// Not proven before `open`: without the passphrase, anybody who can write the file can change it.
    package let peer: PeerID
    package let cost: PassphraseKey.Cost
    private let salt: [UInt8]
    private let nonce: [UInt8]
    private let sealed: [UInt8]
    /// The lines above the sealed one.
    private let header: [UInt8]

    /// Allows ten digits for each number, so that a large one gets its own error.
    package static let bytesMax = 19 + 72 + (8 + 1 + 10 + 1 + 10 + 1) + 38 + 55 + 104 + 71
    static let heading = "lattice identity 2\n"

    private static let seedBytes = 32

    package init(
        sealing identity: Identity, under passphrase: borrowing SecretBytes, cost: PassphraseKey.Cost = .usual
    ) throws(PassphraseKeyError) {
        peer = identity.peer
        self.cost = cost
        salt = SecureRandom.bytes(PassphraseKey.saltBytes)
        nonce = SecureRandom.bytes(Sodium.longNonceBytes)
        header = Self.header(peer, cost, salt, nonce)
        let key = try PassphraseKey.derive(passphrase, salt: salt, cost: cost)
        sealed = Sodium.sealLong(key: key, nonce: nonce, authenticating: header, identity.seed())
    }

    /// Takes the time that `cost` implies.
    package func open(_ passphrase: borrowing SecretBytes) throws(PassphraseKeyError) -> Identity {
        let key = try PassphraseKey.derive(passphrase, salt: salt, cost: cost)
        guard let seed = Sodium.openLong(key: key, nonce: nonce, authenticating: header, sealed) else { throw .wrong }
        let identity = Identity(seed: seed, isGuarded: true)
        // Only somebody who knew the passphrase can have sealed another seed under this header.
        guard identity.peer == peer else { throw .wrong }
        return identity
    }

    package var text: [UInt8] {
        let lines = header + Array("sealed \(Hex.string(sealed))\n".utf8)
        return lines + Array("check \(Digest.blake2b256(lines).hex)\n".utf8)
    }

    private static func header(
        _ peer: PeerID, _ cost: PassphraseKey.Cost, _ salt: [UInt8], _ nonce: [UInt8]
    ) -> [UInt8] {
        let text =
            heading + "public \(peer.hex)\nargon2id \(cost.passes) \(cost.memoryKiB)\n"
            + "salt \(Hex.string(salt))\nnonce \(Hex.string(nonce))\n"
        return Array(text.utf8)
    }
}

extension SealedIdentity {
    static func isOne(_ text: [UInt8]) -> Bool { text.starts(with: heading.utf8) }

    package init(reading text: [UInt8]) throws(IdentityTextError) {
        guard text.count <= Self.bytesMax else { throw .trailing }
        guard Self.isOne(text) else { throw .badLine("lattice identity") }
        var rest = text.dropFirst(Self.heading.utf8.count)
        let key = try Self.octets("public", 32, in: &rest)
        guard let key = Bytes32(key) else { throw .badLine("public") }
        let cost = try Self.cost(in: &rest)
        let salt = try Self.octets("salt", PassphraseKey.saltBytes, in: &rest)
        let nonce = try Self.octets("nonce", Sodium.longNonceBytes, in: &rest)
        let sealed = try Self.octets("sealed", Self.seedBytes + Sodium.tagBytes, in: &rest)
        let checked = Array(text[..<rest.startIndex])
        guard try Self.octets("check", 32, in: &rest) == Digest.blake2b256(checked).bytes else { throw .badChecksum }
        guard rest.isEmpty else { throw .trailing }
        // Last, so that a flipped bit in a number is reported as damage.
        guard let cost = PassphraseKey.Cost(passes: cost.passes, memoryKiB: cost.memoryKiB) else {
            throw .costOutOfRange
        }
        peer = PeerID(key)
        self.cost = cost
        self.salt = salt
        self.nonce = nonce
        self.sealed = sealed
        header = Self.header(PeerID(key), cost, salt, nonce)
        // Each identity has exactly one text: reading and writing must give the same.
        guard self.text == text else { throw .badLine("argon2id") }
    }

    /// Returns the rest of the line that begins with `label`, and advances `rest` behind it.
    private static func line(_ label: String, in rest: inout ArraySlice<UInt8>) throws(IdentityTextError) -> String {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            throw rest.count < label.utf8.count || rest.starts(with: "\(label) ".utf8) ? .cutOff : .badLine(label)
        }
        let line = rest[..<end]
        guard line.starts(with: "\(label) ".utf8) else { throw .badLine(label) }
        rest = rest[(end + 1)...]
        return String(decoding: line.dropFirst(label.utf8.count + 1), as: UTF8.self)
    }

    private static func octets(
        _ label: String, _ count: Int, in rest: inout ArraySlice<UInt8>
    ) throws(IdentityTextError) -> [UInt8] {
        let digits = try line(label, in: &rest)
        guard digits.utf8.count == 2 * count, let octets = Hex.bytes(digits), Hex.string(octets) == digits else {
            throw .badLine(label)
        }
        return octets
    }

    private static func cost(
        in rest: inout ArraySlice<UInt8>
    ) throws(IdentityTextError) -> (passes: Int, memoryKiB: Int) {
        let numbers = try line("argon2id", in: &rest).split(separator: " ").map { Int($0) }
        guard numbers.count == 2, let passes = numbers[0], let memory = numbers[1] else { throw .badLine("argon2id") }
        return (passes, memory)
    }
}
