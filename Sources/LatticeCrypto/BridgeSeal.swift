package import LatticeCore
import LatticeWire

/// Seals the records of a closed mesh for brokers, which then learn sizes and times alone.
///
/// HKDF-Expand (RFC 5869 section 2.3) derives three values from the mesh's bridge key: the tag by `"lattice bridge tag v1"`, the
/// key of the seal by `"lattice bridge seal v1"`, or `"lattice bridge ask v1"` for what bridges say to each other, the key of ids
/// by `"lattice bridge id v1"`.
package final class BridgeSeal: Sendable {
    /// What is sealed.
    package enum Contents: String, Sendable {
        case records = "lattice bridge seal v1"
        /// What bridges say to each other.
        case notes = "lattice bridge ask v1"
    }

    private static let version: UInt8 = 2
    private static let context = Array("lattice bridge v1".utf8)
    private static let tagBytes = 8
    /// A record is filled up to the least of 512 · 2ⁿ bytes up to here, or to `pieceMax` or `paddedMax`.
    private static let doubledMax = 32_768
    /// The longest piece of a blob with its names.
    private static let pieceMax = 33_280
    private static let paddedMax = 60_416
    private static let lengthBytes = 4

    private let tagValue: [UInt8]
    private let sealKey: SecretBytes
    private let idKey: SecretBytes

    /// - Parameter key: the mesh's bridge key, 32 bytes; see `MeshKey.bridgeKey()`.
    package init(key: borrowing SecretBytes, for contents: Contents = .records) {
        precondition(key.count == 32, "a bridge key has 32 bytes")
        let tag = Self.expanded(key, "lattice bridge tag v1")
        tagValue = (0..<Self.tagBytes).map { tag[$0] }
        sealKey = Self.expanded(key, contents.rawValue).guarded()
        idKey = Self.expanded(key, "lattice bridge id v1").guarded()
    }

    /// The mesh at the broker: 16 hexadecimal digits.
    package var tag: String { Hex.string(tagValue) }

    /// Stands for a record at the broker, which cannot look up the id of a record that it knows: HMAC-SHA-256 (RFC 2104).
    package func id(of record: RecordID) -> Bytes32 {
        let hash = Sodium.hmacSHA256(key: idKey, record.hash.bytes, secret: SecretBytes(copying: []))
        return bytes32((0..<32).map { hash[$0] })
    }

    /// `02` ‖ nonce:24 ‖ XChaCha20-Poly1305 of the record's length in 4 bytes, the record and zeros. It opens under this subject
    /// alone, so that a broker cannot move it.
    ///
    /// - Parameter record: or a piece of a blob with its names; at most 60,000 bytes.
    package func sealed(_ record: [UInt8], subject: String) -> [UInt8] {
        let count = Self.lengthBytes + record.count
        precondition(count <= Self.paddedMax, "a record is within its limit")
        var text = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: record.count >> $0) } + record
        text += [UInt8](repeating: 0, count: Self.padded(count) - count)
        let sealed = Sodium.sealWhole(
            key: sealKey, authenticating: data(subject), secret: SecretBytes(copying: text))
        return [Self.version] + sealed
    }

    /// - Returns: the record's bytes, which are judged by nobody yet; `nil` if a bridge of this mesh did not seal them for this
    ///   subject.
    package func opened(_ payload: [UInt8], subject: String) -> [UInt8]? {
        guard payload.first == Self.version else { return nil }
        let opened = Sodium.openWhole(key: sealKey, authenticating: data(subject), Array(payload.dropFirst()))
        guard let opened, opened.count >= Self.lengthBytes else { return nil }
        let text = (0..<opened.count).map { opened[$0] }
        let count = text.prefix(Self.lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        guard count <= text.count - Self.lengthBytes else { return nil }
        return Array(text[Self.lengthBytes..<Self.lengthBytes + count])
    }

    private func data(_ subject: String) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(UInt64(subject.utf8.count))
        return Self.context + tagValue + writer.bytes + Array(subject.utf8)
    }

    private static func padded(_ count: Int) -> Int {
        var size = 512
        while size < count, size < doubledMax { size *= 2 }
        return size >= count ? size : count <= pieceMax ? pieceMax : paddedMax
    }

    private static func expanded(_ key: borrowing SecretBytes, _ info: String) -> SecretBytes {
        Sodium.hmacSHA256(key: key, Array(info.utf8) + [1], secret: SecretBytes(copying: []))
    }
}
