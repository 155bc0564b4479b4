package import LatticeCore

/// Hashes of public data.
package enum Digest {
    /// BLAKE2b with 32 bytes of output and no key (RFC 7693).
    package static func blake2b256(_ bytes: [UInt8]) -> Bytes32 {
        Sodium.blake2b256(bytes)
    }

    /// The tag of a mesh name in mDNS: the first four bytes, big-endian, of BLAKE2b-256 over `"lattice mesh v1"` ‖
    /// name. It separates meshes; it does not hide a name that can be guessed.
    package static func meshTag(_ mesh: MeshName) -> UInt32 {
        let hash = blake2b256(Array("lattice mesh v1".utf8) + Array(mesh.text.utf8))
        return UInt32(hash.leadingWord >> 32)
    }

    /// SHA-256 (FIPS 180-4) of the concatenation.
    package static func sha256(_ first: [UInt8], _ second: ArraySlice<UInt8> = []) -> [UInt8] {
        Sodium.sha256(first, second)
    }

    /// SHA-256 (FIPS 180-4), without heap allocation.
    package static func sha256(_ bytes: [UInt8]) -> Bytes32 {
        Sodium.sha256(bytes)
    }

    /// SHA-256 of a public part and a secret part after it, for `MixKeyAndHash` of Noise.
    package static func sha256(_ first: [UInt8], secret: borrowing SecretBytes) -> [UInt8] {
        Sodium.sha256(first, secret)
    }
}

/// Keyed hashes with secret keys and outputs.
package enum KeyDerivation {
    /// `HKDF(chaining_key, input_key_material, outputs)` of Noise section 4.3: RFC 5869 with SHA-256 and an empty `info`.
    ///
    /// - Returns: the outputs concatenated, 32 bytes each; use `part` to separate them.
    package static func hkdfSHA256(
        chainingKey: borrowing SecretBytes, _ input: borrowing SecretBytes, outputs: Int
    ) -> SecretBytes {
        Sodium.hkdfSHA256(salt: chainingKey, input, outputs: outputs)
    }
}

func bytes32(_ bytes: [UInt8]) -> Bytes32 {
    guard let value = Bytes32(bytes) else { preconditionFailure("a hash and a key here have 32 bytes") }
    return value
}
