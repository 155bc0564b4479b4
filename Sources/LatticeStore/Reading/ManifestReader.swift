import GRDB
package import LatticeCore
package import LatticeWire

/// A file that somebody shared.
package struct StoredManifest: Hashable, Sendable {
    package let id: RecordID
    package let author: PeerID
    /// When it was shared, or when it arrived if that was earlier.
    package let date: WallTime
    package let expires: WallTime
    /// The name of a room, the id of a record, or empty.
    package let topic: [UInt8]
    package let body: ManifestBody

    package init(
        id: RecordID, author: PeerID, date: WallTime, expires: WallTime, topic: [UInt8], body: ManifestBody
    ) {
        (self.id, self.author, self.date, self.expires) = (id, author, date, expires)
        (self.topic, self.body) = (topic, body)
    }
}

/// Files that were shared.
package struct ManifestReader: Sendable {
    let access: PersonaAccess

    private static let live = """
        SELECT record.bytes, record.date, record.id, record.expires FROM record
        WHERE record.kind = 16 AND record.erased = 0 AND record.expires > ?
        """

    /// Its arguments are the time and a limit.
    static let query = "\(live) ORDER BY record.date DESC, record.seq DESC LIMIT ?"
    /// Its arguments are the time, the first and the last id, and a limit.
    static let prefixQuery = "\(live) AND record.id BETWEEN ? AND ? ORDER BY record.id LIMIT ?"

    /// Its arguments are the time, the topic and the author's key.
    static let itemQuery = """
        \(live) AND record.topic = ? AND record.author = (SELECT seq FROM peer WHERE key = ?)
        ORDER BY record.date DESC LIMIT 16
        """
    /// Its arguments are the topic and the id of a file.
    static let linesAfterQuery = """
        SELECT id, bytes FROM record WHERE kind = 1 AND topic = ?1 AND erased = 0
          AND author = (SELECT author FROM record WHERE id = ?2) AND turn >= (SELECT turn FROM record WHERE id = ?2) ORDER BY turn LIMIT 256
        """

    /// The line of a public room by which its author shared a file; `nil` if it is not among the author's next 256 lines there.
    package func line(naming file: RecordID, in topic: [UInt8]) async throws(StoreError) -> RecordID? {
        try await access.read { database in
            try database.all(Self.linesAfterQuery, [.bytes(topic), .key(file.hash)]) { row in
                guard let id = row.bytes32(0) else { throw DatabaseError.damaged("a line has no id") }
                return try Self.file(ofLine: try Batch.signed(row.bytes(1)).record.body) == file ? RecordID(id) : nil
            }.compactMap { $0 }.first
        }
    }

    /// Files that the author of a post or an event attached to it, the newest first; at most 16.
    package func files(
        of item: RecordID, by author: PeerID, at now: WallTime
    ) async throws(StoreError) -> [StoredManifest] {
        try await all(Self.itemQuery, [.int(now.milliseconds), .bytes(item.hash.bytes), .key(author.key)])
    }

    /// Files of everybody, the newest first.
    package func newest(_ limit: Int, at now: WallTime) async throws(StoreError) -> [StoredManifest] {
        try await all(Self.query, [.int(now.milliseconds), .int(Int64(limit))])
    }

    /// Files whose id begins with these hexadecimal digits, in the order of their ids; none if the digits are not those of an id.
    package func withPrefix(
        _ digits: String, limit: Int, at now: WallTime
    ) async throws(StoreError) -> [StoredManifest] {
        guard let range = IDRange(prefix: digits) else { return [] }
        return try await all(
            Self.prefixQuery,
            [.int(now.milliseconds), .key(range.first), .key(range.last), .int(Int64(limit))])
    }

    private func all(_ query: String, _ values: [Bound]) async throws(StoreError) -> [StoredManifest] {
        try await access.read { database in
            try database.all(query, values) { row in
                let record = try Batch.signed(row.bytes(0)).record
                guard let id = row.bytes32(2).map(RecordID.init) else {
                    throw DatabaseError.damaged("an id of no length")
                }
                return StoredManifest(
                    id: id, author: record.author, date: WallTime(milliseconds: row.int(1)),
                    expires: WallTime(milliseconds: row.int(3)), topic: record.topic, body: try Self.body(record.body))
            }
        }
    }

    private static func file(ofLine body: [UInt8]) throws -> RecordID? {
        do {
            return try ChatLine(decoding: body).file
        } catch {
            throw DatabaseError.damaged("a line is not of its kind: \(error)")
        }
    }

    private static func body(_ bytes: [UInt8]) throws -> ManifestBody {
        do {
            return try ManifestBody(decoding: bytes)
        } catch {
            throw DatabaseError.damaged("a file is not of its kind: \(error)")
        }
    }
}
