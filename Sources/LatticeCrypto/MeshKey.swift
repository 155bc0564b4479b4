package import LatticeCore

/// What a closed mesh has in common: a key made of its passphrase and its name, and what follows from it.
///
/// The master is Argon2id over the passphrase, salted with the first 16 bytes of BLAKE2b-256(`"lattice mesh key v1"` ‖ mesh name),
/// so that each guess costs 64 MiB and serves one mesh. From it `crypto_kdf` makes one key for each purpose.
package final class MeshKey: Sendable {
    /// The numbers of the keys that are made of the master.
    private enum Purpose: UInt64 {
        case preSharedKey = 1
        case announcedTag = 2
        case storeTag = 3
    }

    /// Of Argon2id: libsodium's limits for interactive use, the same for all peers.
    private static let passes = 2
    private static let memoryBytes = 64 << 20
    private static let saltPrefix = "lattice mesh key v1"
    private static let tagPrefix = "lattice mesh tag v1"

    private let master: SecretBytes
    /// Names the store of this mesh: 16 hexadecimal digits. To guess a passphrase by it costs as much as by a handshake.
    package let storeTag: String

    /// - Parameter master: the 32 bytes that a link with a key carries.
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

    /// Where the secret is.
    package var memory: SecretBytes.Memory { master.memory }

    /// For Noise: mixed in before the first message.
    package func preSharedKey() -> SecretBytes {
        Sodium.derived(from: master, number: Purpose.preSharedKey.rawValue, context: "lattmesh")
    }

    /// What mDNS announces instead of a hash of the name: the first four bytes, big-endian, of BLAKE2b-256 under a key of its
    /// own over `"lattice mesh tag v1"` ‖ day. Whoever has no key cannot tell that two days' tags belong together.
    ///
    /// - Parameter day: since 1 January 1970, UTC; written as 8 bytes, big-endian.
    package func announcedTag(day: Int64) -> UInt32 {
        let key = Sodium.derived(from: master, number: Purpose.announcedTag.rawValue, context: "lattmesh")
        let octets = stride(from: Int64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: day >> $0) }
        let hash = bytes32(Sodium.blake2b256(Array(Self.tagPrefix.utf8) + octets, key: key))
        return UInt32(hash.leadingWord >> 32)
    }

    /// For an invitation that carries the key: whoever sees it is in.
    package func exported() -> Bytes32 {
        bytes32((0..<32).map { master[$0] })
    }
}

/// Why there is no key of a mesh.
package enum MeshKeyError: Error, Equatable, CustomStringConvertible {
    case noMemory

    package var description: String {
        "making the key of a closed mesh needs 64 MiB of memory, which this machine does not give"
    }
}
