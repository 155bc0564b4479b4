import CSodium

// Safety: pointers are lent to libsodium for the length of the call that made them, with the length of what they point to;
// lengths that it takes for granted are checked by `precondition` before the call.

extension Sodium {
    /// XChaCha20-Poly1305 under an explicit nonce of 24 bytes, without other data.
    static func sealPart(key: borrowing SecretBytes, nonce: [UInt8], _ text: ArraySlice<UInt8>) -> [UInt8] {
        check(key, nonce)
        let pointer = key.pointer
        return filled(text.count + tagBytes) { output in
            text.withUnsafeBufferPointer { input in
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    output, nil, input.baseAddress, UInt64(input.count), nil, 0, nil, nonce, pointer)
            }
        }
    }

    /// - Returns: `nil` if the tag does not match.
    static func openPart(key: borrowing SecretBytes, nonce: [UInt8], _ sealed: ArraySlice<UInt8>) -> [UInt8]? {
        check(key, nonce)
        guard sealed.count >= tagBytes else { return nil }
        let pointer = key.pointer
        var status: Int32 = -1
        let opened = filled(sealed.count - tagBytes) { output in
            sealed.withUnsafeBufferPointer { input in
                guard let start = input.baseAddress else { return }
                status = crypto_aead_xchacha20poly1305_ietf_decrypt(
                    output, nil, nil, start, UInt64(input.count), nil, 0, nonce, pointer)
            }
        }
        return status == 0 ? opened : nil
    }

    private static func check(_ key: borrowing SecretBytes, _ nonce: [UInt8]) {
        precondition(key.count == 32, "XChaCha20-Poly1305 takes 32 bytes of key")
        precondition(nonce.count == extendedNonceBytes, "XChaCha20-Poly1305 takes 24 bytes of nonce")
        start()
    }
}
