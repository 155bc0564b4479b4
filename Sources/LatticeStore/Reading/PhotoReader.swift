import GRDB
package import LatticeCore
package import LatticeWire

/// A photo that a record names, with the thumbnail.
package struct NamedPhoto: Hashable, Sendable {
    package let photo: BodyPhoto
    package let author: PeerID
    /// The item, or the profile.
    package let record: RecordID
}

/// A photo that a record names and that is not here.
package struct MissingPhoto: Hashable, Sendable {
    /// Grows with each photo that is named for the first time.
    package let number: Int64
    package let blob: BlobName
    package let author: PeerID
    package let record: RecordID
    /// `profile`, `post` or `event`.
    package let kind: RecordKind
    package let blobClass: BlobClass
}

/// Photos of posts, events and people.
package struct PhotoReader: Sendable {
    let access: PersonaAccess

    /// The photo of a post or event: that of the edit that applies to it, if it was edited.
    ///
    /// - Returns: `nil` if it is not here, was deleted, has expired, or has no photo.
    package func photo(of item: RecordID, at now: WallTime) async throws(StoreError) -> NamedPhoto? {
        try await access.read { database in
            guard
                let bytes = try database.one(Self.item, [.key(item.hash), .int(now.milliseconds)], { $0.bytes(0) })
            else { return nil }
            let own = try Batch.signed(bytes).record
            let edit = try database.one(Self.edit, [.key(item.hash)]) { $0.bytes(0) }
            let body = try edit.map { try Batch.signed($0).record.body } ?? own.body
            return try ItemContent(kind: own.kind, body: body).photo.map {
                NamedPhoto(photo: $0, author: own.author, record: item)
            }
        }
    }

    static let item = """
        SELECT record.bytes FROM record JOIN item ON item.record = record.seq
        WHERE record.id = ? AND item.state = 0 AND item.expires > ? AND item.photo IS NOT NULL
        """
    static let edit = """
        SELECT bytes FROM record WHERE topic = ? AND kind = 10 AND kind IN (10, 11) AND bytes IS NOT NULL
        ORDER BY created DESC, id DESC LIMIT 1
        """

    /// The photo of somebody's profile.
    package func photo(of peer: PeerID) async throws(StoreError) -> NamedPhoto? {
        try await access.read { database in
            let found = try database.one(Self.profile, [.key(peer.key)]) { (id: $0.bytes32(0), bytes: $0.bytes(1)) }
            guard let found, let id = found.id else { return nil }
            return try ProfileBody(decoding: Batch.signed(found.bytes).record.body).photo.map {
                NamedPhoto(photo: $0, author: peer, record: RecordID(id))
            }
        }
    }

    static let profile = """
        SELECT record.id, record.bytes FROM profile JOIN record ON record.seq = profile.record
        WHERE profile.peer = (SELECT seq FROM peer WHERE key = ?) AND profile.photo IS NOT NULL
        """

    /// Photos of others that are not here, in the order in which they were named first.
    ///
    /// - Parameters:
    ///   - number: that of the last one seen; 0 is none.
    ///   - bytesMax: larger ones are left out.
    package func missing(after number: Int64, bytesMax: Int64, limit: Int) async throws(StoreError) -> [MissingPhoto] {
        try await access.read { database in
            var last: Int64 = 0
            var found: [MissingPhoto] = []
            try database.each(
                Self.missing, [.int(number), .int(bytesMax), .int(Int64(min(max(limit, 0), pageLimitMax)))]
            ) { row in
                guard let root = row.bytes32(1), let blob = BlobName(root: root, size: row.int(2)),
                    let blobClass = BlobClass(rawValue: row.int(3)), let id = row.bytes32(4), let key = row.bytes32(6)
                else { throw DatabaseError.damaged("a photo has no name") }
                // Several records may name one photo.
                if row.int(0) != last {
                    found.append(
                        MissingPhoto(
                            number: row.int(0), blob: blob, author: PeerID(key), record: RecordID(id),
                            kind: RecordKind(rawValue: UInt64(bitPattern: row.int(5))), blobClass: blobClass))
                }
                last = row.int(0)
                return true
            }
            return found
        }
    }

    static let missing = """
        SELECT b.seq, b.root, b.size, b.class, r.id, r.kind, p.key
        FROM blob b CROSS JOIN blob_use u ON u.blob = b.seq AND u.kind = 0
          CROSS JOIN record r ON r.seq = u.source CROSS JOIN peer p ON p.seq = r.author
        WHERE (b.state = 0 OR b.unused = 1) AND b.seq > ? AND b.state = 0 AND b.unused = 0 AND b.class IN (1, 2)
          AND b.size <= ? AND r.kind IN (3, 4, 8)
        ORDER BY b.seq LIMIT ?
        """
}
