import CSodium
import LatticeCore

// Safety: pointers are lent to libsodium for the length of the call that made them, with the length of what they point to;
// lengths that it takes for granted are checked by `precondition` before the call.

extension Sodium {
    static func blake2b256(_ bytes: [UInt8]) -> Bytes32 {
        start()
        return hash { crypto_generichash($0, 32, bytes, UInt64(bytes.count), nil, 0) }
    }

    /// BLAKE2b without a key, personalised (RFC 7693 section 2.5 and the parameter block of BLAKE2).
    ///
    /// - Parameter use: 16 bytes.
    static func blake2b256(_ bytes: ArraySlice<UInt8>, use: StaticString) -> Bytes32 {
        precondition(use.utf8CodeUnitCount == 16, "BLAKE2b takes 16 bytes of personalisation")
        start()
        return bytes.withUnsafeBufferPointer { bytes in
            hash {
                crypto_generichash_blake2b_salt_personal(
                    $0, 32, bytes.baseAddress, UInt64(bytes.count), nil, 0, nil, use.utf8Start)
            }
        }
    }

    /// Keyed BLAKE2b (RFC 7693 section 2.9).
    static func blake2b256(_ bytes: [UInt8], key: borrowing SecretBytes) -> [UInt8] {
        precondition((16...64).contains(key.count), "BLAKE2b takes 16 to 64 bytes of key")
        let octets = key.octets
        return filled(32) {
            crypto_generichash($0, 32, bytes, UInt64(bytes.count), octets.baseAddress, octets.count)
        }
    }

    /// libsodium's `crypto_kdf`: BLAKE2b under the master key, salted with the number, personalised with the context.
    static func derived(from master: borrowing SecretBytes, number: UInt64, context: StaticString) -> SecretBytes {
        precondition(master.count == 32 && context.utf8CodeUnitCount == 8, "a master has 32 bytes, a context 8")
        let pointer = master.pointer
        return SecretBytes(count: 32) { output in
            context.utf8Start.withMemoryRebound(to: CChar.self, capacity: 8) {
                _ = crypto_kdf_derive_from_key(output, 32, number, $0, pointer)
            }
        }
    }

    static func sha256(_ bytes: [UInt8]) -> Bytes32 {
        start()
        return hash { crypto_hash_sha256($0, bytes, UInt64(bytes.count)) }
    }

    /// - Parameter fill: writes all 32 octets.
    private static func hash(_ fill: (UnsafeMutablePointer<UInt8>) -> Int32) -> Bytes32 {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutablePointer(to: &words) {
            _ = $0.withMemoryRebound(to: UInt8.self, capacity: 32) { fill($0) }
        }
        return Bytes32(words: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian))
    }

    static func sha512(_ bytes: [UInt8]) -> [UInt8] {
        start()
        return filled(64) { crypto_hash_sha512($0, bytes, UInt64(bytes.count)) }
    }

    static func sha256(_ first: [UInt8], _ second: ArraySlice<UInt8>) -> [UInt8] {
        second.withUnsafeBufferPointer { sha256(first, $0) }
    }

    static func sha256(_ first: [UInt8], _ second: borrowing SecretBytes) -> [UInt8] {
        sha256(first, second.octets)
    }

    private static func sha256(_ first: [UInt8], _ second: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        start()
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        crypto_hash_sha256_update(&state, first, UInt64(first.count))
        crypto_hash_sha256_update(&state, second.baseAddress, UInt64(second.count))
        return filled(32) { crypto_hash_sha256_final(&state, $0) }
    }

    static func hmacSHA256(key: borrowing SecretBytes, _ message: borrowing SecretBytes) -> SecretBytes {
        let (key, message) = (key.octets, message.octets)
        return SecretBytes(count: 32) { hmacSHA256(key: key, message, to: $0) }
    }

    /// HMAC-SHA256 of a public part and a secret part after it.
    static func hmacSHA256(
        key: borrowing SecretBytes, _ beginning: [UInt8], secret: borrowing SecretBytes
    ) -> SecretBytes {
        let (key, message) = (key.octets, secret.octets)
        return SecretBytes(count: 32) { hmacSHA256(key: key, beginning: beginning, message, to: $0) }
    }

    /// RFC 5869 section 2 with an empty `info`: each step hashes the previous output and its own number.
    static func hkdfSHA256(salt: borrowing SecretBytes, _ input: borrowing SecretBytes, outputs: Int) -> SecretBytes {
        precondition((1...255).contains(outputs), "HKDF numbers its outputs in one byte")
        return withExtendedLifetime(hmacSHA256(key: salt, input)) { extracted in
            let key = extracted.octets
            return SecretBytes(count: 32 * outputs) { output in
                for index in 0..<outputs {
                    let (before, count) = index == 0 ? (output, 0) : (output + 32 * (index - 1), 32)
                    let previous = UnsafeBufferPointer(start: UnsafePointer(before), count: count)
                    hmacSHA256(key: key, previous, ending: [UInt8(index + 1)], to: output + 32 * index)
                }
            }
        }
    }

    private static func hmacSHA256(
        key: UnsafeBufferPointer<UInt8>, beginning: [UInt8] = [], _ message: UnsafeBufferPointer<UInt8>,
        ending: [UInt8] = [], to output: UnsafeMutablePointer<UInt8>
    ) {
        guard let keyOctets = key.baseAddress else { preconditionFailure("a secret has an address") }
        var state = crypto_auth_hmacsha256_state()
        crypto_auth_hmacsha256_init(&state, keyOctets, key.count)
        crypto_auth_hmacsha256_update(&state, beginning, UInt64(beginning.count))
        crypto_auth_hmacsha256_update(&state, message.baseAddress, UInt64(message.count))
        crypto_auth_hmacsha256_update(&state, ending, UInt64(ending.count))
        crypto_auth_hmacsha256_final(&state, output)
        sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    }

    /// BLAKE2b with 32 bytes of output under a key (RFC 7693).
    static func blake2b256(key: borrowing SecretBytes, _ message: [UInt8]) -> SecretBytes {
        precondition((16...64).contains(key.count), "BLAKE2b takes 16 to 64 bytes of key")
        let (pointer, count) = (key.pointer, key.count)
        return SecretBytes(count: 32) {
            _ = crypto_generichash($0, 32, message, UInt64(message.count), pointer, count)
        }
    }
}
