package import LatticeCrypto

/// The chaining key and the hash of the handshake so far (Noise section 5.2).
package struct SymmetricState: ~Copyable, Sendable {
    private var chainingKey: SecretBytes
    private var cipher: CipherState
    package private(set) var hash: [UInt8]

    /// `InitializeSymmetric`: a name longer than a hash is hashed, a shorter one padded with zeros.
    package init(protocolName: String) {
        let name = Array(protocolName.utf8)
        hash = name.count <= 32 ? name + [UInt8](repeating: 0, count: 32 - name.count) : Digest.sha256(name)
        chainingKey = SecretBytes(copying: hash)
        cipher = CipherState()
    }

    package var hasKey: Bool { cipher.hasKey }

    package mutating func mixKey(_ input: borrowing SecretBytes) {
        let keys = KeyDerivation.hkdfSHA256(chainingKey: chainingKey, input, outputs: 2)
        chainingKey = keys.part(0..<32)
        cipher = CipherState(key: keys.part(32..<64))
    }

    package mutating func mixHash(_ data: ArraySlice<UInt8>) {
        hash = Digest.sha256(hash, data)
    }

    package mutating func mixKeyAndHash(_ input: borrowing SecretBytes) {
        let keys = KeyDerivation.hkdfSHA256(chainingKey: chainingKey, input, outputs: 3)
        chainingKey = keys.part(0..<32)
        hash = Digest.sha256(hash, secret: keys.part(32..<64))
        cipher = CipherState(key: keys.part(64..<96))
    }

    /// `EncryptAndHash`, appending to `message`.
    package mutating func encryptAndHash(_ plaintext: [UInt8], to message: inout [UInt8]) throws(SessionError) {
        let start = message.count
        message += plaintext
        try cipher.encrypt(authenticating: hash, in: &message, from: start)
        mixHash(message[start...])
    }

    package mutating func decryptAndHash(_ sealed: ArraySlice<UInt8>) throws(SessionError) -> [UInt8] {
        let plaintext = try cipher.decrypt(authenticating: hash, sealed)
        mixHash(sealed)
        return plaintext
    }

    /// Two more keys of 32 bytes each, for what is not a message of the session: the first seals what the initiator sends. `split`
    /// derives from an empty input, a pattern from shared secrets, so a label yields other keys.
    package func derive(_ label: [UInt8]) -> SecretBytes {
        precondition(!label.isEmpty, "an empty label would yield the keys of the session")
        return KeyDerivation.hkdfSHA256(chainingKey: chainingKey, SecretBytes(copying: label), outputs: 2)
    }

    package consuming func split() -> CipherPair {
        let keys = KeyDerivation.hkdfSHA256(chainingKey: chainingKey, SecretBytes(copying: []), outputs: 2)
        return CipherPair(
            fromInitiator: CipherState(key: keys.part(0..<32)), fromResponder: CipherState(key: keys.part(32..<64))
        )
    }
}

/// The ciphers that a handshake results in, by sender.
package struct CipherPair: ~Copyable, Sendable {
    package var fromInitiator: CipherState
    package var fromResponder: CipherState
}
