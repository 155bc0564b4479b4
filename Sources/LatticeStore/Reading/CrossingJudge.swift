import GRDB
import LatticeCore
import LatticeWire

/// Judges which records may cross bridges by what their authors have said, as it stands during one read.
final class CrossingJudge {
    struct Subject {
        let kind: RecordKind
        let topic: [UInt8]
        /// A `peer.seq`.
        let author: Int64
    }

    private let database: Database
    private let now: WallTime
    /// The rooms that each author has listed, as topics; `nil` if nothing of theirs crosses. At most one entry for each row of
    /// the page, and for its target.
    private var listed: [Int64: Set<[UInt8]>?] = [:]

    init(_ database: Database, at now: WallTime) {
        (self.database, self.now) = (database, now)
    }

    func mayCross(_ subject: Subject) throws -> Bool {
        // Bridges beyond have to know the newest word.
        if subject.kind == .crossing { return true }
        guard let rooms = try rooms(of: subject.author) else { return false }
        let topic = subject.topic
        switch subject.kind {
        case .presence: return false
        case .chat, .pin: return rooms.contains(topic)
        case .like, .attendance: return try target(topic).map { isListed($0, rooms) } ?? true
        // The emoji follows the id.
        case .reaction: return try target(Array(topic.prefix(32))).map { isListed($0, rooms) } ?? false
        case .edit: return try target(topic).map { try mayChange($0) } ?? false
        // It tells nothing but an id, and its target may have crossed before its room was taken off the list.
        case .deletion: return try target(topic).map { try mayVanish($0) } ?? true
        case .manifest:
            if Self.isRoom(topic) { return rooms.contains(topic) }
            return try target(topic).map { isListed($0, rooms) } ?? true
        // Kinds of later versions, too, if they are about a room.
        default: return !Self.isRoom(topic) || rooms.contains(topic)
        }
    }

    /// Whether a deletion of this record may cross: its author lets anything cross.
    private func mayVanish(_ target: Subject) throws -> Bool {
        try target.kind.canBeTakenBack && rooms(of: target.author) != nil
    }

    /// Whether an edit of this record has anything to do beyond a bridge.
    private func mayChange(_ target: Subject) throws -> Bool {
        // Other kinds cannot be changed. So this goes no deeper than the target of a target.
        guard target.kind.canBeTakenBack else { return false }
        return try mayCross(target)
    }

    private func isListed(_ target: Subject, _ rooms: Set<[UInt8]>) -> Bool {
        target.kind != .chat || rooms.contains(target.topic)
    }

    private func rooms(of author: Int64) throws -> Set<[UInt8]>? {
        if let known = listed[author] { return known }
        let word = try CrossingTable.word(of: author, at: now, in: database)
        let rooms = word?.body.rooms.map { Set($0.map { Array($0.text.utf8) }) }
        listed[author] = .some(rooms)
        return rooms
    }

    /// - Returns: `nil` if it is not here. One that was deleted is.
    private func target(_ id: [UInt8]) throws -> Subject? {
        guard let id = Bytes32(id) else { return nil }
        return try database.one("SELECT kind, topic, author FROM record WHERE id = ?", [.key(id)]) { row in
            Subject(
                kind: RecordKind(rawValue: UInt64(bitPattern: row.int(0))), topic: row.bytes(1), author: row.int(2))
        }
    }

    /// A name of a room may have 32 bytes, like an id.
    private static func isRoom(_ topic: [UInt8]) -> Bool {
        topic.first == UInt8(ascii: "#") && Said.isRoom(topic)
    }
}
