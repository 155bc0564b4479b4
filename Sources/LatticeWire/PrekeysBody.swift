package import LatticeCore

/// A key that its owner deletes after a while: then nobody can open what was sealed to it.
package struct Prekey: Hashable, Sendable {
    package static let idBytes = 8

    /// Random; only sent sealed.
    package let id: UInt64
    /// X25519 (RFC 7748).
    package let key: Bytes32

    package init(id: UInt64, key: Bytes32) {
        self.id = id
        self.key = key
    }

    /// Big-endian, as it is sealed in a tag.
    package static func bytes(of id: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(id, bytes: idBytes)
        return writer.bytes
    }
}

/// The body of a `prekeys` record; its topic is empty.
///
/// `body := rotating count:varint prekey*` with at most 32 of `prekey := id:8 key:32`; `rotating` is a prekey, too; all
/// ids differ.
package struct PrekeysBody: Hashable, Sendable {
    package static let oneTimeMax = 32

    /// For senders who find no other: used many times, and replaced from time to time.
    package let rotating: Prekey
    /// For one private message each.
    package let oneTime: [Prekey]

    package init(rotating: Prekey, oneTime: [Prekey]) {
        precondition(oneTime.count <= Self.oneTimeMax, "at most 32 one-time keys are published")
        precondition(Self.isDistinct(rotating, oneTime), "no two keys have one id")
        self.rotating = rotating
        self.oneTime = oneTime
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        let rotating = try reader.prekey("rotating prekey")
        let count = try reader.varint("prekeys")
        guard count <= UInt64(Self.oneTimeMax) else { throw .outOfRange(field: "prekeys") }
        var oneTime: [Prekey] = []
        for _ in 0..<count { oneTime.append(try reader.prekey("prekey")) }
        try reader.end("prekeys")
        guard Self.isDistinct(rotating, oneTime) else { throw .outOfRange(field: "prekey id") }
        self.init(rotating: rotating, oneTime: oneTime)
    }

    private static func isDistinct(_ rotating: Prekey, _ oneTime: [Prekey]) -> Bool {
        Set(oneTime.map(\.id)).union([rotating.id]).count == oneTime.count + 1
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.prekey(rotating)
        writer.varint(UInt64(oneTime.count))
        for prekey in oneTime { writer.prekey(prekey) }
        return writer.bytes
    }
}

extension ByteReader {
    fileprivate mutating func prekey(_ field: String) throws(WireError) -> Prekey {
        Prekey(id: try integer(bytes: Prekey.idBytes, field), key: try bytes32(field))
    }
}

extension ByteWriter {
    fileprivate mutating func prekey(_ prekey: Prekey) {
        integer(prekey.id, bytes: Prekey.idBytes)
        fixed(prekey.key)
    }
}
