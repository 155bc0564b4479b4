import CSodium

// Safety: pointers are lent to libsodium for the length of the call that made them, with the length of what they point to;
// lengths that it takes for granted are checked by `precondition` before the call.
extension Sodium {
    static let saltBytes = 16
    static let longNonceBytes = 24

    /// Argon2id version 1.3, one lane (RFC 9106).
    ///
    /// - Returns: `nil` if there is not enough memory.
    static func argon2id(
        _ passphrase: borrowing SecretBytes, salt: [UInt8], passes: Int, memoryBytes: Int, count: Int
    ) -> SecretBytes? {
        precondition(salt.count == saltBytes, "Argon2id takes 16 bytes of salt here")
        let (pointer, passphraseBytes) = (passphrase.pointer, passphrase.count)
        var isDone = false
        let key = SecretBytes(count: count) { output in
            pointer.withMemoryRebound(to: CChar.self, capacity: passphraseBytes) { characters in
                isDone =
                    crypto_pwhash(
                        output, UInt64(count), characters, UInt64(passphraseBytes), salt, UInt64(passes),
                        memoryBytes, crypto_pwhash_alg_argon2id13()) == 0
            }
        }
        return isDone ? consume key : nil
    }

    /// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03): the ciphertext, then the tag.
    static func sealLong(
        key: borrowing SecretBytes, nonce: [UInt8], authenticating data: [UInt8], _ secret: borrowing SecretBytes
    ) -> [UInt8] {
        precondition(key.count == 32 && nonce.count == longNonceBytes, "XChaCha20-Poly1305 takes 32 and 24 bytes")
        let (keyPointer, text, textBytes) = (key.pointer, secret.pointer, secret.count)
        return filled(textBytes + tagBytes) { output in
            _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                output, nil, text, UInt64(textBytes), data, UInt64(data.count), nil, nonce,
                keyPointer)
        }
    }

    /// - Returns: `nil` if the tag does not match.
    static func openLong(
        key: borrowing SecretBytes, nonce: [UInt8], authenticating data: [UInt8], _ sealed: [UInt8]
    ) -> SecretBytes? {
        precondition(key.count == 32 && nonce.count == longNonceBytes, "XChaCha20-Poly1305 takes 32 and 24 bytes")
        guard sealed.count >= tagBytes else { return nil }
        let keyPointer = key.pointer
        var isOpen = false
        let secret = SecretBytes(count: sealed.count - tagBytes) { output in
            isOpen =
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    output, nil, nil, sealed, UInt64(sealed.count), data, UInt64(data.count), nonce,
                    keyPointer) == 0
        }
        return isOpen ? consume secret : nil
    }
}

extension SecretBytes {
    /// Compares in constant time for equal lengths.
    package func matches(_ other: borrowing SecretBytes) -> Bool {
        other.count == count && sodium_memcmp(pointer, other.pointer, count) == 0
    }
}
