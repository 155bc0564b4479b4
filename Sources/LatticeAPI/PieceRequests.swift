package import LatticeCore

// Pieces of pictures and files, for programs that copy them from one node to another over a network of their own. The page
// about the wire says which pieces a blob has, and their numbers.

/// What names the bytes of a picture or file: the root of their hash tree, and their number.
package struct BlobReference: Hashable, Sendable, Codable {
    package let root: Bytes32
    /// In bytes, 0–34,359,738,368.
    package let size: Int64

    package init(root: Bytes32, size: Int64) { (self.root, self.size) = (root, size) }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        guard let root = Bytes32(hex: try fields.decode(String.self, forKey: .root)) else {
            throw TextFault("a root has 64 hexadecimal digits")
        }
        self.init(root: root, size: try fields.decode(Int64.self, forKey: .size))
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(root.hex, forKey: .root)
        try fields.encode(size, forKey: .size)
    }

    private enum CodingKeys: String, CodingKey {
        case root
        case size
    }
}

/// Some pieces of a blob that a record names. They are verified.
///
/// - Throws: `file` if they cannot be read.
package struct PiecesRead: Request {
    package static let name = "pieces.read"
    package static let replyName = "pieces.read"
    package static let traits: RequestTraits = [.repeatable]

    package let blob: BlobReference
    /// A record that names it.
    package let record: RecordID
    /// The number of the first piece.
    package let first: Int
    /// How many at most, 1–`countMax`.
    package let count: Int
    /// Only if the record's author lets it cross bridges, as it stands now.
    @CodedFlag package private(set) var crossing: Bool

    package static let countMax = 21

    package init(
        _ blob: BlobReference, namedBy record: RecordID, from first: Int, count: Int = countMax, crossing: Bool = false
    ) {
        (self.blob, self.record, self.first, self.count) = (blob, record, first, count)
        _crossing = CodedFlag(wrappedValue: crossing)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let count = try fields.count(in: 1...Self.countMax, forKey: .count, "read 1 to \(Self.countMax) pieces")
        self.init(
            try fields.decode(BlobReference.self, forKey: .blob),
            namedBy: try fields.decode(RecordID.self, forKey: .record),
            from: try fields.decode(Int.self, forKey: .first), count: count ?? Self.countMax,
            crossing: try fields.decode(CodedFlag.self, forKey: .crossing).wrappedValue)
    }

    package enum State: String, Hashable, Sendable, CodedAsWord {
        case here
        /// The record is here, and the blob is not, or not all of it.
        case absent
        /// No record is here that names it, or it was deleted, has expired or must not cross.
        case unknown
    }

    package struct Piece: Hashable, Codable, Sendable {
        package let number: Int
        @Base64Bytes package private(set) var bytes: [UInt8]

        package init(_ number: Int, _ bytes: [UInt8]) {
            self.number = number
            _bytes = Base64Bytes(wrappedValue: bytes)
        }
    }

    package struct Reply: Hashable, Codable, Sendable {
        package let state: State
        /// In ascending order; empty beyond the last piece.
        @OrNone package private(set) var pieces: [Piece]

        package init(_ state: State, _ pieces: [Piece] = []) {
            self.state = state
            _pieces = OrNone(wrappedValue: pieces)
        }

        private enum CodingKeys: String, CodingKey {
            case state = "is"
            case pieces
        }
    }
}

/// Stores pieces of blobs that records name. Each is verified against the root; a piece comes after those that prove it. The
/// answer comes when they are written.
package struct PiecesPut: Request {
    package static let name = "pieces.put"
    package static let replyName = "pieces.put"
    package static let traits: RequestTraits = [.repeatable, .waits]

    package static let countMax = 64
    package static let bytesMax = 700_000

    package struct Piece: Hashable, Codable, Sendable {
        package let blob: BlobReference
        /// A record that names the blob.
        package let record: RecordID
        package let number: Int
        @Base64Bytes package private(set) var bytes: [UInt8]

        package init(_ blob: BlobReference, namedBy record: RecordID, _ number: Int, _ bytes: [UInt8]) {
            (self.blob, self.record, self.number) = (blob, record, number)
            _bytes = Base64Bytes(wrappedValue: bytes)
        }
    }

    /// At most `countMax`, with `bytesMax` in all.
    package let pieces: [Piece]

    package init(_ pieces: [Piece]) { self.pieces = pieces }

    package init(from decoder: any Decoder) throws {
        let pieces = try decoder.container(keyedBy: CodingKeys.self).decode([Piece].self, forKey: .pieces)
        guard pieces.count <= Self.countMax else {
            throw TextFault("\(pieces.count) pieces at once are too many; send at most \(Self.countMax)")
        }
        let bytes = pieces.reduce(0) { $0 + $1.bytes.count }
        guard bytes <= Self.bytesMax else {
            throw TextFault("\(bytes) bytes at once are too many; send at most \(Self.bytesMax)")
        }
        self.init(pieces)
    }

    package enum Outcome: String, Hashable, Sendable, CodedAsWord {
        case kept
        /// The whole blob is here.
        case known
        /// No record that is here names it.
        case unknown
        /// It is not the piece of that number.
        case refused
        /// What proves it is missing.
        case early
        /// There is no space for it within the quotas, or its files cannot be written.
        case noSpace
        /// The disk is full, or the node has too much to do: try again later.
        case busy
    }

    package struct Reply: Hashable, Codable, Sendable {
        /// One for each piece, in their order.
        package let answers: [Outcome]

        package init(_ answers: [Outcome]) { self.answers = answers }
    }
}
