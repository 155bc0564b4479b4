package import LatticeWire

/// The stream in which a parcel waits at the broker: records by how long they live, so that each stream needs one age limit, and
/// the pieces of pictures and files.
package enum BridgeSpan: String, Hashable, Sendable, CaseIterable {
    /// At most seven days.
    case week = "w"
    /// At most 31 days.
    case month = "m"
    /// At most 366 days.
    case year = "y"
    /// Pieces.
    case pieces = "p"

    /// Those that have records.
    package static let records: [BridgeSpan] = [.week, .month, .year]

    private static let daySeconds: UInt32 = 86_400

    /// Seconds.
    package var ageMax: UInt32 {
        switch self {
        case .week: 7 * Self.daySeconds
        case .month, .pieces: 31 * Self.daySeconds
        case .year: 366 * Self.daySeconds
        }
    }

    package init(of record: Record) {
        self = Self.records.first { record.lifetimeSeconds <= $0.ageMax } ?? .year
    }
}

/// The part of a mesh's records to which one belongs, so that a reader can choose parts.
package enum BridgeClass: String, Hashable, Sendable, CaseIterable {
    /// Lines, reactions to anything, pins.
    case chat
    /// Posts, comments, likes, events, attendances, places.
    case posts
    /// Profiles, follows, residences, cards of meshes, and what may cross.
    case people
    /// Sealed messages, and the keys for them.
    case messages = "letters"
    /// Pieces of pictures and files.
    case files
    /// Edits, deletions, names of files, kinds of later versions.
    case other

    package init(of kind: RecordKind) {
        self =
            switch kind {
            case .chat, .reaction, .pin: .chat
            case .post, .comment, .like, .event, .attendance, .place: .posts
            case .profile, .follow, .residence, .card: .people
            case .sealed, .prekeys: .messages
            default: .other
            }
    }
}

/// Names at the broker: `lattice.1.TAG.SPAN.CLASS.SHARD`, with `x` for the class in a closed mesh.
package struct BridgeNames: Hashable, Sendable {
    /// 16 hexadecimal digits.
    package let tag: String

    package init(tag: String) { self.tag = tag }

    /// - Parameters:
    ///   - about: `nil` in a closed mesh, whose brokers do not learn it.
    ///   - key: its first hexadecimal digit is the shard.
    package func subject(_ span: BridgeSpan, _ about: BridgeClass?, key: String) -> String {
        "lattice.1.\(tag).\(span.rawValue).\(about?.rawValue ?? "x").\(key.prefix(1))"
    }

    /// All subjects of a stream.
    package func subjects(of span: BridgeSpan) -> String { "lattice.1.\(tag).\(span.rawValue).>" }

    package func stream(_ span: BridgeSpan) -> String { "L1_\(tag)_\(span.rawValue)" }
}
