package import LatticeCore

/// The content of a record before it is signed.
package struct Record: Hashable, Sendable {
    package let kind: RecordKind
    package let author: PeerID
    package let created: HybridTime
    package let lifetimeSeconds: UInt32
    /// The room, the parent record's id, or empty.
    package let topic: [UInt8]
    package let body: [UInt8]

    package static let version: UInt8 = 1
    /// Fits one Noise message (65,535 bytes) with its frame.
    package static let bytesMax = 60_000
    package static let topicBytesMax = 256
    /// One minute to one year.
    package static let lifetimeSecondsRange: ClosedRange<UInt32> = 60...31_536_000
    package static let signatureBytes = 64
    /// The prefix of what is signed, so that the signature cannot be used for anything else.
    package static let signatureContext = Array("lattice record v1".utf8)

    package init(
        kind: RecordKind, author: PeerID, created: HybridTime, lifetimeSeconds: UInt32, topic: [UInt8], body: [UInt8]
    ) {
        precondition(Self.lifetimeSecondsRange.contains(lifetimeSeconds), "our own lifetimes are within the range")
        precondition(topic.count <= Self.topicBytesMax, "our own topics are within the limit")
        self.kind = kind
        self.author = author
        self.created = created
        self.lifetimeSeconds = lifetimeSeconds
        self.topic = topic
        self.body = body
    }

    /// The bytes of the complete record, signature included.
    package static func byteCount(
        kind: RecordKind, lifetimeSeconds: UInt32, topicBytes: Int, bodyBytes: Int
    ) -> Int {
        let head =
            ByteWriter.varintBytes(kind.rawValue) + ByteWriter.varintBytes(UInt64(lifetimeSeconds))
            + ByteWriter.varintBytes(UInt64(topicBytes)) + ByteWriter.varintBytes(UInt64(bodyBytes))
        return 1 + head + 32 + 8 + topicBytes + bodyBytes + signatureBytes
    }

    package var unsignedBytes: [UInt8] {
        var writer = ByteWriter(reserving: 64 + topic.count + body.count + Self.signatureBytes)
        writer.byte(Self.version)
        writer.varint(kind.rawValue)
        writer.fixed(author.key)
        writer.integer(created.rawValue, bytes: 8)
        writer.varint(UInt64(lifetimeSeconds))
        writer.bytes(topic)
        writer.bytes(body)
        return writer.bytes
    }
}

/// A record whose signature nobody has checked yet: well-formed, but its author may be forged.
///
/// A class inside, so that copies in many queues and frames only count references.
package struct SignedRecord: Hashable, Sendable {
    private final class Storage: Sendable {
        let record: Record
        let bytes: [UInt8]

        init(record: Record, bytes: [UInt8]) {
            self.record = record
            self.bytes = bytes
        }
    }

    private let storage: Storage

    package var record: Record { storage.record }
    package var signature: [UInt8] { Array(storage.bytes.suffix(Record.signatureBytes)) }
    package var bytes: [UInt8] { storage.bytes }

    package init(_ record: Record, signature: [UInt8]) {
        self.init(record) { $0 += signature }
    }

    /// - Parameter sign: appends the signature to the bytes before it.
    package init(_ record: Record, signing sign: (inout [UInt8]) -> Void) {
        var bytes = record.unsignedBytes
        let count = bytes.count
        sign(&bytes)
        precondition(bytes.count == count + Record.signatureBytes, "an Ed25519 signature has 64 bytes")
        precondition(bytes.count <= Record.bytesMax, "our own records are within the limit")
        storage = Storage(record: record, bytes: bytes)
    }

    package init(decoding bytes: ArraySlice<UInt8>) throws(WireError) {
        guard bytes.count <= Record.bytesMax else {
            throw .tooLong(field: "record", bytes: bytes.count, bytesMax: Record.bytesMax)
        }
        var reader = ByteReader(bytes)
        let version = try reader.byte("record version")
        guard version == Record.version else { throw .unknownVersion(version) }
        let kind = RecordKind(rawValue: try reader.varint("record kind"))
        guard let author = Bytes32(try reader.fixed(32, "record author")) else { throw .truncated(field: "author") }
        let created = HybridTime(rawValue: try reader.integer(bytes: 8, "record date"))
        let lifetime = try reader.varint("record lifetime")
        guard let seconds = UInt32(exactly: lifetime), Record.lifetimeSecondsRange.contains(seconds) else {
            throw .outOfRange(field: "record lifetime")
        }
        let topic = try reader.bytes("record topic", bytesMax: Record.topicBytesMax)
        let body = try reader.bytes("record body", bytesMax: Record.bytesMax)
        _ = try reader.fixed(Record.signatureBytes, "record signature")
        try reader.end("record")
        let record = Record(
            kind: kind, author: PeerID(author), created: created, lifetimeSeconds: seconds,
            topic: Array(topic), body: Array(body)
        )
        storage = Storage(record: record, bytes: Array(bytes))
    }

    package var signedBytes: [UInt8] {
        Record.signatureContext + bytes.dropLast(Record.signatureBytes)
    }

    /// A record has exactly one encoding, so equal bytes mean equal records.
    package static func == (left: SignedRecord, right: SignedRecord) -> Bool {
        left.storage === right.storage || left.storage.bytes == right.storage.bytes
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(storage.bytes)
    }
}

/// A record whose signature was checked: its author wrote it.
///
/// A class inside, for the same reason as `SignedRecord`.
package struct VerifiedRecord: Hashable, Sendable {
    private final class Storage: Sendable {
        let id: RecordID
        let signed: SignedRecord

        init(id: RecordID, signed: SignedRecord) {
            self.id = id
            self.signed = signed
        }
    }

    private let storage: Storage

    package var id: RecordID { storage.id }
    package var signed: SignedRecord { storage.signed }

    /// Only for the module that checks signatures, and for simulations, where nobody forges authors.
    package init(assumingVerified signed: SignedRecord, id: RecordID) {
        storage = Storage(id: id, signed: signed)
    }

    package var record: Record { signed.record }
    package var kind: RecordKind { signed.record.kind }
    package var author: PeerID { signed.record.author }
    /// Read so often that copying the whole record each time would matter.
    package var created: HybridTime { signed.record.created }
    package var claimsUrgency: Bool { signed.record.claimsUrgency }

    package static func == (left: VerifiedRecord, right: VerifiedRecord) -> Bool {
        left.storage === right.storage || left.id == right.id
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}
