package import LatticeCore

/// A thing that somebody says: what an author fills in before signing.
package struct Record: Hashable, Sendable {
    package let kind: RecordKind
    package let author: PeerID
    package let created: HybridTime
    package let lifetimeSeconds: UInt32
    /// The room, the parent record, or empty.
    package let topic: [UInt8]
    package let body: [UInt8]

    package static let version: UInt8 = 1
    /// Fits one Noise message (65,535 bytes) with room for its frame.
    package static let bytesMax = 60_000
    package static let topicBytesMax = 256
    /// One minute to one year.
    package static let lifetimeSecondsRange: ClosedRange<UInt32> = 60...31_536_000
    package static let signatureBytes = 64
    /// What the signature covers before the record's own bytes, so that it can stand for nothing else.
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

    /// All bytes before the signature.
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

/// A record with a signature that nobody has checked yet. Its form is right; its author may be a lie.
package struct SignedRecord: Hashable, Sendable {
    package let record: Record
    package let signature: [UInt8]
    /// The whole record as it travels.
    package let bytes: [UInt8]

    package init(_ record: Record, signature: [UInt8]) {
        precondition(signature.count == Record.signatureBytes, "an Ed25519 signature has 64 bytes")
        self.record = record
        self.signature = signature
        bytes = record.unsignedBytes + signature
        precondition(bytes.count <= Record.bytesMax, "our own records are within the limit")
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
        signature = Array(try reader.fixed(Record.signatureBytes, "record signature"))
        try reader.end("record")
        record = Record(
            kind: kind, author: PeerID(author), created: created, lifetimeSeconds: seconds,
            topic: Array(topic), body: Array(body)
        )
        self.bytes = Array(bytes)
    }

    /// What the signature is made over.
    package var signedBytes: [UInt8] {
        Record.signatureContext + bytes.dropLast(Record.signatureBytes)
    }
}

/// A record whose signature was checked: its author said this. Code that takes one asks no questions.
package struct VerifiedRecord: Hashable, Sendable {
    package let id: RecordID
    package let signed: SignedRecord

    /// Only the room that checks signatures calls this, and simulations, where nobody lies about who they are.
    package init(assumingVerified signed: SignedRecord, id: RecordID) {
        self.id = id
        self.signed = signed
    }

    package var record: Record { signed.record }
    package var kind: RecordKind { signed.record.kind }
    package var author: PeerID { signed.record.author }

    package static func == (left: VerifiedRecord, right: VerifiedRecord) -> Bool {
        left.id == right.id
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}
