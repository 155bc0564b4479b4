/// ChaCha20-Poly1305 (RFC 8439) under one key, with Noise's counter nonces (section 12.3).
package enum AuthenticatedCipher {
    package static let tagBytes = Sodium.tagBytes

    /// Encrypts `buffer[start...]` in place and appends the tag of 16 bytes.
    package static func seal(
        key: borrowing SecretBytes, nonce: UInt64, authenticating data: [UInt8], in buffer: inout [UInt8],
        from start: Int
    ) {
        Sodium.seal(key: key, nonce: nonce, authenticating: data, in: &buffer, from: start)
    }

    package static func open(
        key: borrowing SecretBytes, nonce: UInt64, authenticating data: [UInt8], _ sealed: ArraySlice<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        let opened = Sodium.open(key: key, nonce: nonce, authenticating: data, sealed)
        guard let opened else { throw .decryptionFailed }
        return opened
    }

    /// `REKEY(k)` of Noise section 4.2: the first 32 bytes of 32 zeros sealed under the greatest nonce.
    package static func rekeyed(_ key: borrowing SecretBytes) -> SecretBytes {
        var block = [UInt8](repeating: 0, count: 32)
        block.reserveCapacity(32 + tagBytes)
        Sodium.seal(key: key, nonce: .max, authenticating: [], in: &block, from: 0)
        defer { Sodium.wipe(&block) }
        return SecretBytes(count: 32) { block[$0] }
    }
}
