import Foundation
package import LatticeCore

// Signed records, as they are stored, for programs that copy them from one node to another over a network of their own.

/// The network over which a program brought a record.
package enum RecordVia: String, Hashable, Sendable, CodedAsWord {
    case nats
    case mqtt
    case other
}

/// How far a program has read a store: a text that means something to that store alone.
package struct FeedPosition: Hashable, Sendable, CodedAsText {
    /// Which file it is.
    package let epoch: String
    /// The number of a row.
    package let seq: Int64

    package init(epoch: String, seq: Int64) {
        (self.epoch, self.seq) = (epoch, seq)
    }

    package var codedText: String { "\(epoch).\(seq)" }

    package init(codedText: String) throws {
        let parts = codedText.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...Self.epochMax).contains(parts[0].count), let seq = Int64(parts[1]), seq >= 0 else {
            throw TextFault("a position is a text that the node gave")
        }
        self.init(epoch: String(parts[0]), seq: seq)
    }

    private static let epochMax = 64
}

/// Stores records of another network: each is verified, and judged and charged like what a neighbour supplies. The answer
/// comes when they are on disk.
package struct RecordsPut: Request {
    package static let name = "records.put"
    package static let replyName = "records.put"
    package static let traits: RequestTraits = [.repeatable, .waits]

    package static let countMax = 512
    package static let bytesMax = 700_000

    package let via: RecordVia
    /// At most `countMax`, with `bytesMax` in all.
    package let records: [[UInt8]]

    package init(_ records: [[UInt8]], via: RecordVia = .other) {
        (self.records, self.via) = (records, via)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let records = try fields.decode([Data].self, forKey: .records)
        guard records.count <= Self.countMax else {
            throw TextFault("\(records.count) records at once are too many; send at most \(Self.countMax)")
        }
        let bytes = records.reduce(0) { $0 + $1.count }
        guard bytes <= Self.bytesMax else {
            throw TextFault("\(bytes) bytes at once are too many; send at most \(Self.bytesMax)")
        }
        self.init(records.map { Array($0) }, via: try fields.decodeIfPresent(RecordVia.self, forKey: .via) ?? .other)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(via, forKey: .via)
        try fields.encode(records.map { Data($0) }, forKey: .records)
    }

    private enum CodingKeys: String, CodingKey {
        case via
        case records
    }

    package struct Reply: Hashable, Codable, Sendable {
        /// One for each record, in their order.
        package let answers: [RecordAnswer]
        /// The end of the store.
        package let position: FeedPosition

        package init(_ answers: [RecordAnswer], position: FeedPosition) {
            (self.answers, self.position) = (answers, position)
        }
    }
}

/// What became of a record.
package struct RecordAnswer: Hashable, Codable, Sendable {
    package enum Outcome: String, Hashable, Sendable, CodedAsWord {
        case added
        /// It is here already, or was here and was deleted.
        case known
        /// Its lifetime is over, or a newer record of its author has replaced it.
        case expired
        case refused
    }

    package enum Refusal: String, Hashable, Sendable, CodedAsWord {
        /// It was too much at once, or the store cannot write now: try again after `seconds`.
        case busy
        /// The signature is not its author's.
        case signature
        /// It is malformed, or breaks a rule of its kind.
        case form
        /// The owner has blocked its author.
        case blocked
        /// The store is full, and this record would be the first to be removed.
        case quotaFull
        case tooLarge
        /// A presence, or a record of a kind or an age that the owner does not store.
        case unwanted
    }

    /// Left out if the bytes are no record.
    package let id: RecordID?
    package let outcome: Outcome
    /// Where the record stands in the store, if it is here.
    package let position: FeedPosition?
    package let code: Refusal?
    /// When to try again.
    package let seconds: Int?

    private init(
        _ id: RecordID?, _ outcome: Outcome, at position: FeedPosition? = nil, _ code: Refusal? = nil,
        seconds: Int? = nil
    ) {
        (self.id, self.outcome, self.position, self.code, self.seconds) = (id, outcome, position, code, seconds)
    }

    package static func added(_ id: RecordID, at position: FeedPosition) -> RecordAnswer {
        Self(id, .added, at: position)
    }
    package static func known(_ id: RecordID, at position: FeedPosition) -> RecordAnswer {
        Self(id, .known, at: position)
    }
    package static func expired(_ id: RecordID) -> RecordAnswer { Self(id, .expired) }
    package static func busy(_ id: RecordID, seconds: Int) -> RecordAnswer {
        Self(id, .refused, .busy, seconds: seconds)
    }
    package static func refused(_ id: RecordID?, _ code: Refusal) -> RecordAnswer { Self(id, .refused, code) }

    private enum CodingKeys: String, CodingKey {
        case id
        case outcome = "is"
        case position
        case code
        case seconds
    }
}

/// Which of these records are here.
package struct RecordsHave: Request {
    package static let name = "records.have"
    package static let replyName = "records.have"
    package static let traits: RequestTraits = [.repeatable]

    package static let countMax = 1_024

    /// At most `countMax`.
    package let ids: [RecordID]

    package init(_ ids: [RecordID]) { self.ids = ids }

    package init(from decoder: any Decoder) throws {
        let ids = try decoder.container(keyedBy: CodingKeys.self).decode([RecordID].self, forKey: .ids)
        guard ids.count <= Self.countMax else {
            throw TextFault("\(ids.count) ids at once are too many; send at most \(Self.countMax)")
        }
        self.init(ids)
    }

    package struct Reply: Hashable, Codable, Sendable {
        package let have: [RecordID]
        /// These were here and were deleted: they do not come back.
        package let gone: [RecordID]

        package init(have: [RecordID], gone: [RecordID]) {
            (self.have, self.gone) = (have, gone)
        }
    }
}

/// What a bridge has to know about the mesh. The owner alone gets it.
package struct ReadBridgeMesh: Request {
    package static let name = "bridge.mesh"
    package static let replyName = "bridge.mesh"
    package static let traits: RequestTraits = [.repeatable]

    package init() {}

    package struct Reply: Hashable, Codable, Sendable {
        package let mesh: MeshName
        /// 32 bytes, under which records of a closed mesh are sealed for brokers; `nil` if the mesh is open.
        package let key: Bytes32?

        package init(mesh: MeshName, key: Bytes32?) { (self.mesh, self.key) = (mesh, key) }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            mesh = try fields.decode(MeshName.self, forKey: .mesh)
            key = try fields.decodeIfPresent(Data.self, forKey: .key).map { data in
                guard let key = Bytes32(Array(data)) else { throw TextFault("a key has 32 bytes") }
                return key
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(mesh, forKey: .mesh)
            try fields.encodeIfPresent(key.map { Data($0.bytes) }, forKey: .key)
        }

        private enum CodingKeys: String, CodingKey {
            case mesh
            case key
        }
    }
}
