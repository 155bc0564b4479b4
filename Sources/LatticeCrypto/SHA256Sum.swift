import CSodium
package import LatticeCore

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
// Safety: the state is a value here, and each piece is lent to libsodium for the length of a call, with its true length.
package struct SHA256Sum {
    private var state = crypto_hash_sha256_state()

    package init() {
        Sodium.start()
        crypto_hash_sha256_init(&state)
    }

    package mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBufferPointer { _ = crypto_hash_sha256_update(&state, $0.baseAddress, UInt64($0.count)) }
    }

    /// The sum of all that was added.
    package var value: Bytes32 {
        var (state, sum) = (state, [UInt8](repeating: 0, count: 32))
        crypto_hash_sha256_final(&state, &sum)
        return bytes32(sum)
    }
}
