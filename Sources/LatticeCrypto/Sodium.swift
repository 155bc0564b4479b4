import CSodium
import LatticeCore

// Safety: every pointer in this module stays in this file and its extensions. It comes from `withUnsafe…` of an array
// or from the one allocation of a `SecretBytes`, is used within the closure or call that made it, and is passed with
// the length of what it points to; lengths that libsodium assumes are checked by `precondition` before the call.

/// Secret bytes that nobody can copy, print or store by accident; wiped on `deinit`.
///
/// Ordinary memory, not `sodium_malloc`: its guard pages cost five system calls, a handshake needs a dozen secrets, and
/// locked memory is scarce (`RLIMIT_MEMLOCK`). They are protected because they cannot be copied and are wiped. The few
/// that live as long as the program move to memory that is not swapped: `guarded()`.
// Safety: this one value owns the allocation, writes it only before `init` returns, and frees it once, in `deinit`.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    package enum Memory: Sendable, Equatable {
        case ordinary
        /// Between guard pages, but it may be swapped out: `RLIMIT_MEMLOCK` is used up.
        case guarded
        /// Like `guarded`, and never swapped out or written to a core dump.
        case locked
    }

    /// Only for this module, and only during one call.
    let pointer: UnsafeMutablePointer<UInt8>
    package let count: Int
    package let memory: Memory

    /// - Parameters:
    ///   - isGuarded: a request; without such memory it is ordinary.
    ///   - fill: writes all `count` bytes.
    init(count: Int, isGuarded: Bool = false, fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        Sodium.start()
        if isGuarded, let memory = sodium_malloc(max(count, 1)) {
            pointer = memory.bindMemory(to: UInt8.self, capacity: max(count, 1))
            // sodium_malloc has locked it if possible; only a second call shows whether it did.
            self.memory = sodium_mlock(memory, max(count, 1)) == 0 ? .locked : .guarded
        } else {
            pointer = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
            memory = .ordinary
        }
        pointer.initialize(repeating: 0, count: max(count, 1))
        self.count = count
        fill(pointer)
    }

    /// Moves a long-lived secret to guarded memory; `memory` shows what was possible.
    package consuming func guarded() -> SecretBytes {
        let (source, count) = (pointer, count)
        return SecretBytes(count: count, isGuarded: true) { $0.update(from: source, count: count) }
    }

    /// Copies the bytes; the caller wipes its own.
    package init(copying bytes: [UInt8]) {
        self.init(count: bytes.count) { bytes[$0] }
    }

    package static func random(_ count: Int) -> SecretBytes {
        SecretBytes(count: count) { randombytes_buf($0, count) }
    }

    /// A copy of a part, for a hash that yields several keys.
    package func part(_ range: Range<Int>) -> SecretBytes {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "the part lies within the secret")
        return SecretBytes(count: range.count) { $0.update(from: pointer + range.lowerBound, count: range.count) }
    }

    /// - Parameter octet: returns the byte at each index.
    init(count: Int, octet: (Int) -> UInt8) {
        self.init(count: count) { pointer in
            for index in 0..<count { pointer[index] = octet(index) }
        }
    }

    /// Only for this module.
    subscript(index: Int) -> UInt8 {
        precondition((0..<count).contains(index), "the octet lies within the secret")
        return pointer[index]
    }

    /// Compares in constant time for equal lengths.
    package func matches(_ bytes: [UInt8]) -> Bool {
        bytes.count == count && sodium_memcmp(pointer, bytes, count) == 0
    }

    var octets: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: pointer, count: count) }

    deinit {
        switch memory {
        case .ordinary:
            sodium_memzero(pointer, max(count, 1))
            pointer.deallocate()
        case .guarded, .locked:
            // This wipes, too.
            sodium_free(pointer)
        }
    }
}

/// A safe Swift interface to libsodium, and the only one.
enum Sodium {
    static let tagBytes = 16

    private static let started: Bool = {
        precondition(sodium_init() >= 0, "libsodium needs a source of randomness to start")
        return true
    }()

    /// Chooses the fastest implementations for this processor; free after the first call.
    static func start() {
        _ = started
    }

    static func wipe(_ bytes: inout [UInt8]) {
        let count = bytes.count
        sodium_memzero(&bytes, count)
    }

    static func random(_ count: Int) -> [UInt8] {
        start()
        return filled(count) { randombytes_buf($0, count) }
    }

    /// - Returns: libsodium's 64-byte signing key: seed, then public key.
    static func signingKey(seed: borrowing SecretBytes) -> SecretBytes {
        precondition(seed.count == 32, "an Ed25519 seed has 32 bytes")
        let pointer = seed.pointer
        return SecretBytes(count: 64) { output in
            _ = filled(32) { crypto_sign_seed_keypair($0, output, pointer) }
        }
    }

    static func publicKey(signingKey: borrowing SecretBytes) -> [UInt8] {
        Array(signingKey.octets[32...])
    }

    static func sign(_ message: [UInt8], signingKey: borrowing SecretBytes) -> [UInt8] {
        precondition(signingKey.count == 64, "a signing key is a seed and a public key")
        let pointer = signingKey.pointer
        return filled(64) { crypto_sign_detached($0, nil, message, UInt64(message.count), pointer) }
    }

    /// Refuses keys and points of small order and encodings that are not canonical (RFC 8032 section 5.1.7).
    static func isSigned(_ message: [UInt8], signature: [UInt8], publicKey: [UInt8]) -> Bool {
        start()
        guard signature.count == 64, publicKey.count == 32 else { return false }
        return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }

    /// RFC 7748 section 6.1.
    static func x25519PublicKey(of secret: borrowing SecretBytes) -> [UInt8] {
        precondition(secret.count == 32, "an X25519 key has 32 bytes")
        let pointer = secret.pointer
        return filled(32) { crypto_scalarmult_base($0, pointer) }
    }

    /// - Returns: `nil` if the other side's point has a low order, which would make the result public.
    static func x25519(_ secret: borrowing SecretBytes, _ point: [UInt8]) -> SecretBytes? {
        precondition(secret.count == 32 && point.count == 32, "an X25519 key has 32 bytes")
        let pointer = secret.pointer
        var isSafe = false
        let shared = SecretBytes(count: 32) { isSafe = crypto_scalarmult($0, pointer, point) == 0 }
        return isSafe ? consume shared : nil
    }

    /// The X25519 key that corresponds to an Ed25519 key: the same point on the other form of the curve.
    ///
    /// - Returns: `nil` if the key is not a point of the curve's large subgroup.
    static func x25519PublicKey(ofSigner key: [UInt8]) -> [UInt8]? {
        precondition(key.count == 32, "an Ed25519 key has 32 bytes")
        start()
        var status: Int32 = -1
        let point = filled(32) { status = crypto_sign_ed25519_pk_to_curve25519($0, key) }
        return status == 0 ? point : nil
    }

    static func x25519Secret(signingKey: borrowing SecretBytes) -> SecretBytes {
        precondition(signingKey.count == 64, "a signing key is a seed and a public key")
        let pointer = signingKey.pointer
        return SecretBytes(count: 32) { _ = crypto_sign_ed25519_sk_to_curve25519($0, pointer) }
    }

    /// XChaCha20-Poly1305 under a random nonce, which precedes the ciphertext.
    static func sealWhole(
        key: borrowing SecretBytes, authenticating data: [UInt8], secret: borrowing SecretBytes
    ) -> [UInt8] {
        precondition(key.count == 32, "XChaCha20-Poly1305 takes 32 bytes of key")
        let nonce = random(extendedNonceBytes)
        let (pointer, text, count) = (key.pointer, secret.pointer, secret.count)
        return nonce
            + filled(count + tagBytes) { output in
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    output, nil, text, UInt64(count), data, UInt64(data.count), nil, nonce, pointer)
            }
    }

    static let extendedNonceBytes = 24

    /// - Returns: `nil` if the tag does not match.
    static func openWhole(
        key: borrowing SecretBytes, authenticating data: [UInt8], _ sealed: [UInt8]
    ) -> SecretBytes? {
        precondition(key.count == 32, "XChaCha20-Poly1305 takes 32 bytes of key")
        guard sealed.count >= extendedNonceBytes + tagBytes else { return nil }
        let (nonce, text) = (Array(sealed.prefix(extendedNonceBytes)), Array(sealed.dropFirst(extendedNonceBytes)))
        let pointer = key.pointer
        var status: Int32 = -1
        let opened = SecretBytes(count: text.count - tagBytes) { output in
            status = crypto_aead_xchacha20poly1305_ietf_decrypt(
                output, nil, nil, text, UInt64(text.count), data, UInt64(data.count), nonce, pointer)
        }
        return status == 0 ? consume opened : nil
    }

    /// ChaCha20-Poly1305 (RFC 8439) under an explicit nonce of 12 bytes.
    static func seal(
        key: borrowing SecretBytes, nonce: borrowing SecretBytes, authenticating data: [UInt8], _ text: [UInt8]
    ) -> [UInt8] {
        precondition(key.count == 32 && nonce.count == 12, "ChaCha20-Poly1305 takes 32 bytes of key, 12 of nonce")
        let (pointer, octets) = (key.pointer, nonce.pointer)
        return filled(text.count + tagBytes) { output in
            _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                output, nil, text, UInt64(text.count), data, UInt64(data.count), nil, octets, pointer)
        }
    }

    /// - Returns: `nil` if the tag does not match.
    static func open(
        key: borrowing SecretBytes, nonce: borrowing SecretBytes, authenticating data: [UInt8], _ sealed: [UInt8]
    ) -> [UInt8]? {
        precondition(key.count == 32 && nonce.count == 12, "ChaCha20-Poly1305 takes 32 bytes of key, 12 of nonce")
        guard sealed.count >= tagBytes else { return nil }
        let (pointer, octets) = (key.pointer, nonce.pointer)
        var status: Int32 = -1
        let opened = filled(sealed.count - tagBytes) { output in
            status = crypto_aead_chacha20poly1305_ietf_decrypt(
                output, nil, nil, sealed, UInt64(sealed.count), data, UInt64(data.count), octets, pointer)
        }
        return status == 0 ? opened : nil
    }

    /// ChaCha20-Poly1305 (RFC 8439): encrypts `buffer[start...]` in place and appends the tag.
    static func seal(
        key: borrowing SecretBytes, nonce: UInt64, authenticating data: [UInt8], in buffer: inout [UInt8],
        from start: Int
    ) {
        precondition(key.count == 32, "ChaCha20-Poly1305 takes 32 bytes of key")
        precondition((0...buffer.count).contains(start), "what is sealed stands in the buffer")
        let plaintextBytes = buffer.count - start
        buffer.append(contentsOf: repeatElement(0, count: tagBytes))
        let pointer = key.pointer
        buffer.withUnsafeMutableBufferPointer { whole in
            guard let text = whole.baseAddress?.advanced(by: start) else { preconditionFailure("a tag has an address") }
            withOctets(ofNonce: nonce) { octets in
                _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                    text, nil, text, UInt64(plaintextBytes), data, UInt64(data.count), nil, octets, pointer
                )
            }
        }
    }

    /// - Returns: `nil` if the tag does not match.
    static func open(
        key: borrowing SecretBytes, nonce: UInt64, authenticating data: [UInt8], _ sealed: ArraySlice<UInt8>
    ) -> [UInt8]? {
        precondition(key.count == 32, "ChaCha20-Poly1305 takes 32 bytes of key")
        guard sealed.count >= tagBytes else { return nil }
        let pointer = key.pointer
        var status: Int32 = -1
        let opened = filled(sealed.count - tagBytes) { output in
            sealed.withUnsafeBufferPointer { input in
                guard let text = input.baseAddress else { return }
                withOctets(ofNonce: nonce) { octets in
                    status = crypto_aead_chacha20poly1305_ietf_decrypt(
                        output, nil, nil, text, UInt64(input.count), data, UInt64(data.count), octets, pointer
                    )
                }
            }
        }
        return status == 0 ? opened : nil
    }

    /// Noise section 12.3: four zeros, then the number little-endian.
    private static func withOctets(ofNonce nonce: UInt64, _ body: (UnsafePointer<UInt8>) -> Void) {
        let octets = (UInt32(0), UInt32(truncatingIfNeeded: nonce).littleEndian, UInt32(nonce >> 32).littleEndian)
        withUnsafeBytes(of: octets) { buffer in
            buffer.withMemoryRebound(to: UInt8.self) { bytes in
                guard let base = bytes.baseAddress else { preconditionFailure("twelve octets have an address") }
                body(base)
            }
        }
    }

    static func filled(_ count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: max(count, 1)) { buffer, initialized in
            guard let base = buffer.baseAddress else { preconditionFailure("an array with capacity has an address") }
            fill(base)
            initialized = count
        }
    }
}
