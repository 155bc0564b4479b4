package import LatticeCore
package import LatticeWire

/// What bridges say to each other beside records.
///
/// `kind:1 ‖ from:8`, then by kind:
///
/// | kind | fields |
/// |---|---|
/// | 1 here | `isNew:1 ‖ count:varint ‖ fingerprint:16` |
/// | 2 compare, 3 compared | `session:8 ‖ round:varint ‖ since:8 ‖ message`, a Negentropy message up to the end |
/// | 4 want | `session:8 ‖ number:varint ‖ ids`, 32 bytes each up to the end |
/// | 5 served | `session:8 ‖ number:varint` |
/// | 6 lacking | `session:8` |
package struct LiveNote: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// The sender is here, and has this many records with this fingerprint. A new one wants to know who else is.
        case here(isNew: Bool, LiveSummary)
        /// A message of the one who compares.
        case compare(Comparison)
        /// The answer. Without a message it says from when on the sender has records: no earlier ones can be compared.
        case compared(Comparison)
        /// Records that the sender lacks.
        case want(session: UInt64, number: UInt64, ids: [Bytes32])
        /// All that was wanted and is here has been published.
        case served(session: UInt64, number: UInt64)
        /// The sender has found out that the receiver lacks records.
        case lacking(session: UInt64)
    }

    package struct Comparison: Hashable, Sendable {
        let session: UInt64
        let round: UInt64
        /// Earlier records are not compared.
        let since: UInt64
        let message: [UInt8]

        package init(session: UInt64, round: UInt64, since: UInt64, message: [UInt8]) {
            (self.session, self.round, self.since, self.message) = (session, round, since, message)
        }
    }

    package static let messageMax = 32_000
    package static let idsMax = 512

    package let from: LiveBridgeID
    package let content: Content

    package init(from: LiveBridgeID, _ content: Content) { (self.from, self.content) = (from, content) }

    private enum Kind: UInt8 {
        case here = 1
        case compare = 2
        case compared = 3
        case want = 4
        case served = 5
        case lacking = 6
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        func begin(_ kind: Kind) {
            writer.byte(kind.rawValue)
            writer.integer(from.rawValue, bytes: 8)
        }
        switch content {
        case .here(let isNew, let summary):
            begin(.here)
            writer.byte(isNew ? 1 : 0)
            summary.write(to: &writer)
        case .compare(let comparison):
            begin(.compare)
            comparison.write(to: &writer)
        case .compared(let comparison):
            begin(.compared)
            comparison.write(to: &writer)
        case .want(let session, let number, let ids):
            begin(.want)
            writer.integer(session, bytes: 8)
            writer.varint(number)
            for id in ids { writer.fixed(id) }
        case .served(let session, let number):
            begin(.served)
            writer.integer(session, bytes: 8)
            writer.varint(number)
        case .lacking(let session):
            begin(.lacking)
            writer.integer(session, bytes: 8)
        }
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = ByteReader(bytes)
        guard let kind = Kind(rawValue: try reader.byte("kind")) else { throw .outOfRange(field: "kind") }
        from = LiveBridgeID(rawValue: try reader.integer(bytes: 8, "from"))
        switch kind {
        case .here:
            let isNew = try reader.byte("is new")
            guard isNew <= 1 else { throw .outOfRange(field: "is new") }
            content = .here(isNew: isNew == 1, try LiveSummary(from: &reader))
        case .compare: content = .compare(try Comparison(from: &reader))
        case .compared: content = .compared(try Comparison(from: &reader))
        case .want:
            let session = try reader.integer(bytes: 8, "session")
            content = .want(session: session, number: try reader.varint("number"), ids: try Self.ids(from: &reader))
        case .served:
            let session = try reader.integer(bytes: 8, "session")
            content = .served(session: session, number: try reader.varint("number"))
        case .lacking: content = .lacking(session: try reader.integer(bytes: 8, "session"))
        }
        try reader.end("end")
    }

    private static func ids(from reader: inout ByteReader) throws(WireError) -> [Bytes32] {
        let (count, rest) = reader.remaining.quotientAndRemainder(dividingBy: 32)
        guard rest == 0, (1...idsMax).contains(count) else { throw .outOfRange(field: "ids") }
        var ids: [Bytes32] = []
        for _ in 0..<count {
            guard let id = Bytes32(try reader.fixed(32, "id")) else { throw .outOfRange(field: "id") }
            ids.append(id)
        }
        return ids
    }
}

extension LiveNote.Comparison {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.integer(session, bytes: 8)
        writer.varint(round)
        writer.integer(since, bytes: 8)
        writer.fixed(message)
    }

    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        let session = try reader.integer(bytes: 8, "session")
        let round = try reader.varint("round")
        let since = try reader.integer(bytes: 8, "since")
        let message = Array(reader.rest())
        guard message.count <= LiveNote.messageMax else {
            throw .tooLong(field: "message", bytes: message.count, bytesMax: LiveNote.messageMax)
        }
        self.init(session: session, round: round, since: since, message: message)
    }
}

/// All records of a bridge in a few bytes.
package struct LiveSummary: Hashable, Sendable {
    let count: UInt64
    /// 16 bytes of the fingerprint of Negentropy.
    let fingerprint: [UInt8]

    package init(count: UInt64, fingerprint: [UInt8]) { (self.count, self.fingerprint) = (count, fingerprint) }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.varint(count)
        writer.fixed(fingerprint)
    }

    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        count = try reader.varint("count")
        fingerprint = Array(try reader.fixed(16, "fingerprint"))
    }
}
