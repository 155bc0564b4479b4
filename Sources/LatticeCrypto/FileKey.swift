import LatticeCore
import LatticeWire

/// The key and the nonces of one encrypted file.
///
/// Leaf i is sealed under the nonce `prefix:16 i:8`. The root of the blob says which leaf stands where and how many there are, so
/// nothing of that is in the nonce or beside it.
struct FileKey: ~Copyable, Sendable {
    let key: SecretBytes
    let prefix: [UInt8]

    static func random() -> FileKey {
        FileKey(.random(32), prefix: Sodium.random(SealedFile.prefixBytes))
    }

    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - prefix: 16 bytes.
    init(_ key: consuming SecretBytes, prefix: [UInt8]) {
        precondition(key.count == 32 && prefix.count == SealedFile.prefixBytes, "a key has 32 bytes, a prefix 16")
        self.prefix = prefix
        self.key = key
    }

    private func nonce(_ leaf: Int) -> [UInt8] {
        prefix + (0..<8).reversed().map { UInt8(truncatingIfNeeded: leaf >> (8 * $0)) }
    }

    func seal(_ part: ArraySlice<UInt8>, leaf: Int) -> [UInt8] {
        Sodium.sealPart(key: key, nonce: nonce(leaf), part)
    }

    func open(_ sealed: ArraySlice<UInt8>, leaf: Int) -> [UInt8]? {
        Sodium.openPart(key: key, nonce: nonce(leaf), sealed)
    }

    /// For those who may read the file.
    func exported() -> Bytes32 {
        guard let bytes = Bytes32(Array(key.octets)) else { preconditionFailure("a key has 32 bytes") }
        return bytes
    }
}
