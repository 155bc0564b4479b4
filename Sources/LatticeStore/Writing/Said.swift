import LatticeCore
import LatticeWire

/// The content of a record whose form is valid; whether it may take effect here is judged later.
enum Said {
    case chat
    case presence
    case profile(ProfileBody)
    /// A post, comment, event or place.
    case item(ItemContent)
    /// A like, follow or attendance.
    case reaction(holds: Bool)
    /// An emoji on a line or an item.
    case emoji(ReactionTopic, holds: Bool)
    /// A pin of a room, or its removal.
    case pin(PinBody)
    /// What somebody says about the mesh.
    case card
    /// What of its author's may cross bridges.
    case crossing
    /// A file.
    case manifest
    case edit
    case deletion
    /// Readable by one person only.
    case sealed
    case prekeys
    case residence
    /// Stored and forwarded unread, for peers of later versions.
    case unknown

    init(_ record: Record) throws(MalformedRecord) {
        do {
            self = try Self.decoded(record)
        } catch {
            throw MalformedRecord("\(error)")
        }
        let wants: ClosedRange<Int>? =
            switch self {
            case .profile, .card, .crossing, .sealed, .prekeys: 0...0
            case .item where record.kind == .place: nil
            case .item: record.kind == .comment ? 32...32 : 0...0
            case .residence: 32...32
            case .reaction, .edit, .deletion: 32...32
            case .chat, .presence, .emoji, .pin, .manifest, .unknown: nil
            }
        if let wants, !wants.contains(record.topic.count) {
            throw MalformedRecord("its topic has \(record.topic.count) bytes, this kind has \(wants.lowerBound)")
        }
    }

    static func isRoom(_ topic: [UInt8]) -> Bool {
        guard let text = String(validating: topic, as: UTF8.self) else { return false }
        do {
            _ = try RoomName(text)
            return true
        } catch {
            return false
        }
    }

    private static func decoded(_ record: Record) throws(WireError) -> Said {
        switch record.kind {
        case .chat:
            _ = try ChatLine(decoding: record.body)
            guard isRoom(record.topic) else { throw .notUTF8(field: "room") }
            return .chat
        case .presence: return .presence
        case .profile: return .profile(try ProfileBody(decoding: record.body))
        case .post, .comment, .event: return .item(try ItemContent(kind: record.kind, body: record.body))
        case .place:
            guard [0, 32].contains(record.topic.count) else { throw .outOfRange(field: "topic of a place") }
            return .item(try ItemContent(kind: record.kind, body: record.body))
        case .like, .follow, .attendance: return .reaction(holds: try Statement(decoding: record.body).holds)
        case .reaction:
            let holds = try Statement(decoding: record.body).holds
            return .emoji(try ReactionTopic(decoding: record.topic), holds: holds)
        case .pin:
            let pin = try PinBody(decoding: record.body)
            guard isRoom(record.topic) else { throw .notUTF8(field: "room") }
            return .pin(pin)
        case .card:
            _ = try MeshCardBody(decoding: record.body)
            return .card
        case .crossing:
            _ = try CrossingBody(decoding: record.body)
            return .crossing
        case .manifest:
            _ = try ManifestBody(decoding: record.body)
            guard [0, 32].contains(record.topic.count) || isRoom(record.topic) else { throw .notUTF8(field: "room") }
            return .manifest
        case .edit: return .edit
        case .deletion:
            guard record.body.isEmpty else { throw .trailing(field: "deletion", bytes: record.body.count) }
            return .deletion
        case .sealed:
            _ = try SealedBody(decoding: record.body)
            return .sealed
        case .prekeys:
            _ = try PrekeysBody(decoding: record.body)
            return .prekeys
        case .residence:
            _ = try ResidenceBody(decoding: record.body)
            return .residence
        default: return .unknown
        }
    }
}

/// Why a record is not stored, for its sender.
struct MalformedRecord: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension RecordKind {
    var isItem: Bool { self == .comment || isPlaced }

    /// Whether it lives as long as its newest edit, if that is longer.
    var isExtendedByEdits: Bool { self == .event || self == .place }

    /// Whether it has a place and searchable words.
    var isPlaced: Bool { self == .post || self == .event || self == .place }

    /// Whether an edit or deletion of it can be judged, because it stays until it expires or is evicted.
    ///
    /// A record that can be superseded, or removed because of another one, may be gone when the deletion arrives; the outcome
    /// would depend on the order of arrival. So deletions of those wait for ever, and have no effect.
    var canBeTakenBack: Bool {
        !isReplaceable && self != .edit && self != .deletion
    }

    /// 1…15 and 17…20 by number; all unknown kinds share 0, so that nobody can fill a table with them.
    var usageNumber: Int64 {
        (1...15).contains(rawValue) || (17...20).contains(rawValue) ? Int64(rawValue) : 0
    }
}
