package import LatticeCore

/// The common key of a closed mesh, derived from its passphrase and name, and the keys derived from it.
///
/// The master key is Argon2id over the passphrase. Its salt is the first 16 bytes of BLAKE2b-256 over
/// `"lattice mesh key v1"` ‖ mesh name, so that each guess costs 64 MiB and serves one mesh. `crypto_kdf` derives one
/// key for each purpose from it.
package final class MeshKey: Sendable {
    /// The key numbers for `crypto_kdf`.
    private enum Purpose: UInt64 {
        case preSharedKey = 1
        case announcedTag = 2
        case storeTag = 3
        case bridge = 4
    }

    /// Argon2id parameters: libsodium's limits for interactive use, the same for all peers.
    private static let passes = 2
    private static let memoryBytes = 64 << 20
    private static let saltPrefix = "lattice mesh key v1"
    private static let tagPrefix = "lattice mesh tag v1"

    private let master: SecretBytes
    /// The name of this mesh's store: 16 hexadecimal digits. Guessing a passphrase with it costs as much as with a
    /// handshake.
    package let storeTag: String

    /// - Parameter master: the 32 bytes in an invitation link with a key.
    package init(master: consuming SecretBytes) {
        precondition(master.count == 32, "the key of a mesh has 32 bytes")
        let master = master.guarded()
        let tag = Sodium.derived(from: master, number: Purpose.storeTag.rawValue, context: "lattmesh")
        storeTag = Hex.string((0..<8).map { tag[$0] })
        self.master = master
    }

    /// Takes about a tenth of a second and 64 MiB.
    ///
    /// - Parameter passphrase: its bytes as they were typed.
    package convenience init(passphrase: borrowing SecretBytes, mesh: MeshName) throws(MeshKeyError) {
        let salt = Digest.blake2b256(Array(Self.saltPrefix.utf8) + Array(mesh.text.utf8)).bytes.prefix(16)
        let master = Sodium.argon2id(
            passphrase, salt: Array(salt), passes: Self.passes, memoryBytes: Self.memoryBytes, count: 32)
        guard let master else { throw .noMemory }
        self.init(master: master)
    }

    /// The kind of memory that holds the secret.
    package var memory: SecretBytes.Memory { master.memory }

    /// The pre-shared key for Noise, mixed in before the first message.
    package func preSharedKey() -> SecretBytes {
        Sodium.derived(from: master, number: Purpose.preSharedKey.rawValue, context: "lattmesh")
    }

    /// What mDNS announces instead of a hash of the name: the first four bytes, big-endian, of BLAKE2b-256 under a
    /// separate key over `"lattice mesh tag v1"` ‖ day. Without the key nobody can link the tags of two days.
    ///
    /// - Parameter day: days since 1 January 1970, UTC; encoded as 8 bytes, big-endian.
    package func announcedTag(day: Int64) -> UInt32 {
        let key = Sodium.derived(from: master, number: Purpose.announcedTag.rawValue, context: "lattmesh")
        let octets = stride(from: Int64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: day >> $0) }
        let hash = bytes32(Sodium.blake2b256(Array(Self.tagPrefix.utf8) + octets, key: key))
        return UInt32(hash.leadingWord >> 32)
    }

    /// The key for `BridgeSeal`, 32 bytes. Nothing else of the mesh follows from it.
    package func bridgeKey() -> Bytes32 {
        let key = Sodium.derived(from: master, number: Purpose.bridge.rawValue, context: "lattmesh")
        return bytes32((0..<32).map { key[$0] })
    }

    /// The key for an invitation link; it lets anybody into the mesh.
    package func exported() -> Bytes32 {
        bytes32((0..<32).map { master[$0] })
    }
}

package enum MeshKeyError: Error, Equatable, CustomStringConvertible {
    case noMemory

    package var description: String {
        "making the key of a closed mesh needs 64 MiB of memory, which this machine does not give"
    }
}
