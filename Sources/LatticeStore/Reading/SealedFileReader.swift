import GRDB
package import LatticeCore
import LatticeCrypto
package import LatticeWire

/// A file that somebody sent in a private message or a private room.
package struct StoredSealedFile: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        case room(RoomName)
        /// Private messages with this person.
        case person(PeerID)
    }

    package let id: RecordID
    package let file: SealedFile
    /// The line that names it: while it is here, the blob has a use.
    package let use: BlobUse
    /// The id of that line; `nil` if it is not sealed yet.
    package let line: RecordID?
    package let place: Place
    package let author: PeerID
    /// When it was sent, or when it arrived if that was earlier.
    package let date: WallTime
    /// This person sent it in a private message, and the other has all of it.
    package var isDelivered = false
}

/// Files in private messages and private rooms of one persona.
package struct SealedFileReader: Sendable {
    let access: PersonaAccess

    /// Its arguments are the persona, the other person or NULL, and a limit.
    static let messageQuery = """
        SELECT number, peer, mine, date, file, file_state, coalesce(origin, record) FROM message
        WHERE person = ?1 AND file_id IS NOT NULL AND (?2 IS NULL OR peer = ?2) ORDER BY number DESC LIMIT ?3
        """
    /// Its arguments are the persona, the name of the room or NULL, and a limit.
    static let lineQuery = """
        SELECT room_line.number, room.name, author, date, file, record FROM room CROSS JOIN room_line ON room_line.room = room.number
        WHERE room.person = ?1 AND file_id IS NOT NULL AND (?2 IS NULL OR room.name = ?2)
        ORDER BY room_line.number DESC LIMIT ?3
        """
    /// Their arguments are the persona, the first and the last id, and a limit. A cross join keeps the order of the tables, so that
    /// the index on the id is used (sqlite.org/optoverview.html).
    static let messagePrefixQuery = """
        SELECT number, peer, mine, date, file, file_state, coalesce(origin, record) FROM message
        WHERE person = ?1 AND file_id BETWEEN ?2 AND ?3 ORDER BY file_id, number DESC LIMIT ?4
        """
    static let linePrefixQuery = """
        SELECT room_line.number, room.name, author, date, file, record FROM room_line CROSS JOIN room ON room_line.room = room.number
        WHERE room.person = ?1 AND file_id BETWEEN ?2 AND ?3 ORDER BY file_id, room_line.number DESC LIMIT ?4
        """

    /// The newest first, each once.
    ///
    /// - Parameter place: only files of this room, or sent between this persona and that person; `nil` is everywhere.
    package func newest(_ limit: Int, in place: StoredSealedFile.Place? = nil) async throws(StoreError)
        -> [StoredSealedFile]
    {
        let (person, me) = (access.person, access.author)
        let (room, peer): (Bound, Bound)
        var kinds = (messages: true, lines: true)
        switch place {
        case .room(let name):
            (room, peer) = (.text(name.text), .null)
            kinds.messages = false
        case .person(let other):
            (room, peer) = (.null, .key(other.key))
            kinds.lines = false
        case nil: (room, peer) = (.null, .null)
        }
        let reads = kinds
        return try await access.read { database in
            var found: [StoredSealedFile] = []
            if reads.messages {
                found += try database.all(Self.messageQuery, [person, peer, .int(Int64(limit))]) {
                    try Self.message($0, me)
                }
            }
            if reads.lines {
                found += try database.all(Self.lineQuery, [person, room, .int(Int64(limit))]) { try Self.line($0) }
            }
            return Self.uniqued(found.sorted { $0.date > $1.date }, limit)
        }
    }

    /// Files whose id begins with these hexadecimal digits, each once; none if the digits are not those of an id.
    package func withPrefix(_ digits: String, limit: Int) async throws(StoreError) -> [StoredSealedFile] {
        guard let range = IDRange(prefix: digits) else { return [] }
        let (person, me) = (access.person, access.author)
        let values: [Bound] = [person, .key(range.first), .key(range.last), .int(Int64(limit))]
        return try await access.read { database in
            let messages = try database.all(Self.messagePrefixQuery, values) { try Self.message($0, me) }
            let lines = try database.all(Self.linePrefixQuery, values) { try Self.line($0) }
            return Self.uniqued(messages + lines, limit)
        }
    }

    private static func uniqued(_ files: [StoredSealedFile], _ limit: Int) -> [StoredSealedFile] {
        var seen: Set<RecordID> = []
        return Array(files.filter { seen.insert($0.id).inserted }.prefix(limit))
    }

    private static func message(_ row: borrowing RawStatement, _ me: PeerID) throws -> StoredSealedFile {
        guard let key = row.bytes32(1) else { throw DatabaseError.damaged("message \(row.int(0)) has no peer") }
        let (peer, file) = (PeerID(key), try SealedFile(stored: row.bytes(4)))
        return StoredSealedFile(
            id: file.id, file: file, use: .privateText(row.int(0)), line: row.bytes32(6).map(RecordID.init),
            place: .person(peer),
            author: row.int(2) == 1 ? me : peer, date: WallTime(milliseconds: row.int(3)),
            isDelivered: row.int(2) == 1 && row.int(5) == 2)
    }

    private static func line(_ row: borrowing RawStatement) throws -> StoredSealedFile {
        guard let author = row.bytes32(2) else {
            throw DatabaseError.damaged("line \(row.int(0)) of a room has no author")
        }
        let file = try SealedFile(stored: row.bytes(4))
        return StoredSealedFile(
            id: file.id, file: file, use: .roomLine(row.int(0)), line: row.bytes32(5).map(RecordID.init),
            place: .room(try Rooms.name(row.text(1))), author: PeerID(author), date: WallTime(milliseconds: row.int(3)))
    }
}

extension SealedFile {
    /// - Parameter bytes: the column `file`.
    init(stored bytes: [UInt8]) throws {
        do {
            try self.init(decoding: bytes[...])
        } catch {
            throw DatabaseError.damaged("a private file does not decode: \(error)")
        }
    }
}

extension Bound {
    /// The columns `file` and `file_id`.
    static func file(_ file: SealedFile?) -> [Bound] {
        guard let file else { return [.null, .null] }
        return [.bytes(file.bytes), .key(file.id.hash)]
    }
}

extension ChatLine {
    /// `nil` also if its form is wrong; such lines are refused where they are opened.
    var validSealedFile: SealedFile? {
        do {
            return try sealedFile()
        } catch {
            return nil
        }
    }
}
