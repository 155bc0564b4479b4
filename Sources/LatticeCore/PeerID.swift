/// The identity of a peer: its Ed25519 public key.
package struct PeerID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let key: Bytes32

    package init(_ key: Bytes32) {
        self.key = key
    }

    package init?(hex: some StringProtocol) {
        guard let key = Bytes32(hex: hex) else { return nil }
        self.init(key)
    }

    /// The first eight bytes: announced in mDNS, and enough to decide who invites whom.
    package var prefix: PeerPrefix { PeerPrefix(key.leadingWord) }

    /// Four letters of z-base-32 over the first 20 bits, as in `bob#k7f3`: tells people of one name apart at a glance.
    /// It proves nothing; 1 in a million strangers shares it.
    package var short: String {
        let alphabet = Array("ybndrfg8ejkmcpqxot1uwisza345h769".utf8)
        let letters = stride(from: UInt64(59), through: 44, by: -5).map { alphabet[Int(key.leadingWord >> $0 & 31)] }
        return String(decoding: letters, as: UTF8.self)
    }

    package var hex: String { key.hex }

    package var description: String { hex }

    package static func < (left: PeerID, right: PeerID) -> Bool {
        left.key < right.key
    }
}

/// The first eight bytes of a `PeerID`: matches a sighting to a peer before a handshake proves it.
package struct PeerPrefix: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let word: UInt64

    package init(_ word: UInt64) {
        self.word = word
    }

    /// - Parameter hex: exactly 16 hexadecimal digits, as in the TXT key `id`.
    package init?(hex: some StringProtocol) {
        guard let bytes = Hex.bytes(hex), bytes.count == 8 else { return nil }
        word = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    package var description: String {
        Hex.string((0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) })
    }

    package static func < (left: PeerPrefix, right: PeerPrefix) -> Bool {
        left.word < right.word
    }
}

/// The id of a record: the BLAKE2b-256 hash of all its bytes.
package struct RecordID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let hash: Bytes32

    package init(_ hash: Bytes32) {
        self.hash = hash
    }

    package var hex: String { hash.hex }

    /// - Returns: `nil` unless it has 64 hexadecimal digits.
    package init?(hex: some StringProtocol) {
        guard let hash = Bytes32(hex: hex) else { return nil }
        self.init(hash)
    }

    package var description: String { hex }

    package static func < (left: RecordID, right: RecordID) -> Bool {
        left.hash < right.hash
    }
}
