package import LatticeCore

/// What two people compare to know that each has the other's key and nobody is in between: both screens show the same
/// number, in digits and in words.
///
/// The construction is Signal's numeric fingerprint (version 0, 5,200 rounds of SHA-512) with plain Ed25519 keys and a
/// fixed text in place of the telephone number. Each half belongs to one key, so an impostor must find a key with the
/// same half: 99 bits of digits or 66 of words, where each guess costs 5,200 hashes (12 more bits).
package struct SafetyNumber: Hashable, Sendable {
    /// 60 digits in 12 groups of 5; the six groups of the smaller key first.
    package let groups: [String]
    /// 12 words of the English list of BIP-39; the six words of the smaller key first.
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

    /// `hash = SHA-512(hash ‖ key)`, starting from `version ‖ key ‖ identifier`.
    static func fingerprint(of key: [UInt8], identifier: [UInt8]) -> [UInt8] {
        var hash: [UInt8] = [0, 0] + key + identifier
        for _ in 0..<rounds { hash = Sodium.sha512(hash + key) }
        return hash
    }

    /// Each group is five bytes as a number, modulo 100,000.
    static func groups(of fingerprint: [UInt8]) -> [String] {
        stride(from: 0, to: 30, by: 5).map { start in
            let number = fingerprint[start..<start + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000
            let digits = String(number)
            return String(repeating: "0", count: 5 - digits.count) + digits
        }
    }

    /// The first 66 bits, 11 for each word.
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
