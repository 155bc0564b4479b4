package import LatticeCore

/// What two people compare to know that each holds the other's key and nobody stands between them: both screens show the same,
/// in digits and in words.
///
/// The construction is that of Signal's numeric fingerprints (version 0, 5,200 rounds of SHA-512) with Ed25519 keys as they
/// are, and one fixed text in the place of a telephone number. Half of it belongs to one key, so that whoever wants to be taken for
/// somebody has to find a key with the same half: 99 bits of digits or 66 of words, each guess 5,200 hashes (12 bits more).
package struct SafetyNumber: Hashable, Sendable {
    /// 60 digits in 12 groups of 5; the smaller key's six first.
    package let groups: [String]
    /// 12 words of the English list of BIP-39; the smaller key's six first.
    package let words: [String]

    package init(_ one: PeerID, _ other: PeerID) {
        let prints = [min(one, other), max(one, other)].map { peer in
            Self.fingerprint(of: peer.key.bytes, identifier: Self.identifier)
        }
        groups = prints.flatMap(Self.groups)
        words = prints.flatMap(Self.words)
    }

    private static let identifier = Array("lattice safety number v1".utf8)
    private static let rounds = 5_200

    /// `hash = SHA-512(hash ‖ key)`, from `version ‖ key ‖ identifier` on.
    static func fingerprint(of key: [UInt8], identifier: [UInt8]) -> [UInt8] {
        var hash: [UInt8] = [0, 0] + key + identifier
        for _ in 0..<rounds { hash = Sodium.sha512(hash + key) }
        return hash
    }

    /// Five bytes, as a number, modulo 100,000, are a group.
    static func groups(of fingerprint: [UInt8]) -> [String] {
        stride(from: 0, to: 30, by: 5).map { start in
            let number = fingerprint[start..<start + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000
            let digits = String(number)
            return String(repeating: "0", count: 5 - digits.count) + digits
        }
    }

    /// The first 66 bits, 11 to a word.
    static func words(of fingerprint: [UInt8]) -> [String] {
        (0..<6).map { word in
            let number = (0..<11).reduce(0) { number, bit in
                let place = word * 11 + bit
                return number << 1 | Int(fingerprint[place / 8] >> (7 - place % 8) & 1)
            }
            return SafetyWords.all[number]
        }
    }
}
