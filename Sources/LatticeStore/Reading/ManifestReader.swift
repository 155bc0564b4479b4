import GRDB
package import LatticeCore
package import LatticeWire

/// A file that somebody shared.
package struct StoredManifest: Hashable, Sendable {
    package let id: RecordID
    package let author: PeerID
    /// When it was shared, or when it arrived if that was earlier.
    package let date: WallTime
    /// The name of a room, the id of a record, or empty.
    package let topic: [UInt8]
    package let body: ManifestBody

    package init(id: RecordID, author: PeerID, date: WallTime, topic: [UInt8], body: ManifestBody) {
        (self.id, self.author, self.date, self.topic, self.body) = (id, author, date, topic, body)
    }
}

/// Files that were shared.
package struct ManifestReader: Sendable {
    let access: PersonaAccess

    private static let live = """
        SELECT record.bytes, record.date, record.id FROM record
        WHERE record.kind = 16 AND record.erased = 0 AND record.expires > ?
        """

    /// Its arguments are the time and a limit.
    static let query = "\(live) ORDER BY record.date DESC, record.seq DESC LIMIT ?"
    /// Its arguments are the time, the first and the last id, and a limit.
    static let prefixQuery = "\(live) AND record.id BETWEEN ? AND ? ORDER BY record.id LIMIT ?"

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
                    id: id, author: record.author, date: WallTime(milliseconds: row.int(1)), topic: record.topic,
                    body: try Self.body(record.body))
            }
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
