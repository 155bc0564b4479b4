import GRDB
package import LatticeCore
package import LatticeWire

/// What is known of people, as the persona sees them.
package struct PeopleReader: Sendable {
    let access: PersonaAccess

    /// What is known of a peer, even if it is nothing.
    package func person(_ peer: PeerID, at now: WallTime) async throws(StoreError) -> StoredPerson {
        let known = try await people(at: now) { database in try database.seq(of: peer).map { [$0] } ?? [] }
        if let person = known.first { return person }
        return try await stranger(peer, at: now)
    }

    private func stranger(_ peer: PeerID, at now: WallTime) async throws(StoreError) -> StoredPerson {
        let viewer = access.author
        return try await access.read { database in
            try PersonReader(database, viewer: viewer, now: now).stranger(peer)
        }
    }

    /// All known people: those the viewer follows first, then by name.
    package func all(at now: WallTime, limit: Int) async throws(StoreError) -> [StoredPerson] {
        let viewer = access.author
        return try await people(at: now) { database in
            let statement = try RawStatement(
                database,
                """
                SELECT p.seq FROM (SELECT DISTINCT author FROM author_here WHERE records > 0) u
                CROSS JOIN peer p ON p.seq = u.author
                LEFT JOIN profile f ON f.peer = p.seq
                LEFT JOIN reaction x ON x.target = p.key AND x.kind = 7 AND x.author = ?1 AND x.holds = 1
                ORDER BY x.author IS NULL, f.name IS NULL, f.name, p.key LIMIT ?2
                """)
            try statement.bind(try database.seq(of: viewer) ?? 0, at: 1)
            try statement.bind(Int64(min(max(limit, 0), pageLimitMax)), at: 2)
            return try statement.seqs()
        }
    }

    /// The people that a name, a short id (`k7f3`, `#k7f3`), both (`bob#k7f3`) or a prefix of a key may mean. A whole key
    /// always matches, even if nothing of theirs is stored.
    package func matching(_ text: String, at now: WallTime, limit: Int) async throws(StoreError)
        -> [StoredPerson]
    {
        let wanted = PersonText(text)
        let limit = min(max(limit, 0), pageLimitMax)
        let known = try await people(at: now) { database in
            var seqs = try database.peers(in: wanted.keys)
            if let name = wanted.name {
                let named = try database.peers(named: name)
                seqs = wanted.isBoth ? seqs.filter(Set(named).contains) : seqs + named.filter { !seqs.contains($0) }
            }
            return Array(seqs.prefix(limit))
        }
        if known.isEmpty, let peer = PeerID(hex: text) { return [try await stranger(peer, at: now)] }
        return known
    }

    /// People who like a post, comment or event, attend an event, or follow the peer with that key; the newest.
    package func who(_ kind: RecordKind, _ target: RecordID, at now: WallTime, limit: Int)
        async throws(StoreError) -> [StoredPerson]
    {
        try await people(at: now) { database in
            let statement = try RawStatement(
                database,
                """
                SELECT author FROM reaction WHERE target = ?1 AND kind = ?2 AND holds = 1
                ORDER BY date DESC, record DESC LIMIT ?3
                """)
            try statement.bind(target.hash, at: 1)
            try statement.bind(Int64(kind.rawValue), at: 2)
            try statement.bind(Int64(min(max(limit, 0), pageLimitMax)), at: 3)
            return try statement.seqs()
        }
    }

    /// The people that the viewer follows, by when their keys arrived.
    package func following() async throws(StoreError) -> [PeerID] {
        let viewer = access.author
        return try await access.read { database in
            let key = try RawStatement(database, "SELECT key FROM peer WHERE seq = ?")
            return try database.followed(by: viewer, andSelf: false).compactMap { seq in
                try key.bind(seq, at: 1)
                return try key.first { $0.bytes32(0).map(PeerID.init) } ?? nil
            }
        }
    }

    /// The viewer's valid profile and follows that were last published before a date, oldest first. They have to be published
    /// again before they expire.
    package func ownReplaceable(olderThan date: WallTime, limit: Int) async throws(StoreError) -> [SignedRecord] {
        let viewer = access.author
        return try await access.read { database in
            guard let seq = try database.seq(of: viewer) else { return [] }
            let statement = try RawStatement(
                database,
                """
                SELECT bytes FROM record WHERE author = ?1 AND kind IN (3, 7) AND date < ?2
                  AND (\(Schema.replaceable)) AND bytes IS NOT NULL AND (kind = 3 OR EXISTS (
                    SELECT 1 FROM reaction x WHERE x.target = record.topic AND x.kind = 7
                      AND x.author = record.author AND x.record = record.seq AND x.holds = 1))
                ORDER BY date, seq LIMIT ?3
                """)
            try statement.bind(seq, at: 1)
            try statement.bind(date.milliseconds, at: 2)
            try statement.bind(Int64(min(max(limit, 0), pageLimitMax)), at: 3)
            var records: [SignedRecord] = []
            try statement.forEach { row in
                records.append(try SignedRecord(decoding: row.bytes(0)[...]))
                return true
            }
            return records
        }
    }

    // MARK: Declared

    /// The name in a peer's profile; `nil` if none is stored.
    package func name(of peer: PeerID) async throws(StoreError) -> String? {
        try await access.read { database in
            try database.one(
                "SELECT name FROM profile WHERE peer = (SELECT seq FROM peer WHERE key = ?)", [.key(peer.key)]
            ) { $0.text(0) }
        }
    }

    /// When a peer last declared that it uses this host; `nil` if it never did or the declaration has expired.
    package func residence(of peer: PeerID, at host: PeerID, at wallTime: WallTime) async throws(StoreError)
        -> WallTime?
    {
        try await access.read { database in
            try database.one(
                """
                SELECT date FROM record WHERE author = (SELECT seq FROM peer WHERE key = ?) AND kind = 14 AND topic = ?
                  AND (\(Schema.replaceable)) AND erased = 0 AND expires > ?
                """, [.key(peer.key), .key(host.key), .int(wallTime.milliseconds)]
            ) { WallTime(milliseconds: $0.int(0)) }
        }
    }

    /// The latest declarations of these peers about their hosts; the declarations are not verified.
    package func residences(of peers: [PeerID], at wallTime: WallTime) async throws(StoreError) -> [SignedRecord] {
        try await access.read { database in
            try peers.compactMap { peer in
                let found = try database.one(
                    """
                    SELECT bytes FROM record WHERE author = (SELECT seq FROM peer WHERE key = ?) AND kind = 14
                      AND (\(Schema.replaceable)) AND erased = 0 AND expires > ? ORDER BY created DESC LIMIT 1
                    """, [.key(peer.key), .int(wallTime.milliseconds)]
                ) { $0.bytes(0) }
                return try found.map { try Batch.signed($0) }
            }
        }
    }

    private func people(at now: WallTime, _ seqs: @escaping @Sendable (Database) throws -> [Int64])
        async throws(StoreError) -> [StoredPerson]
    {
        let viewer = access.author
        return try await access.read { database in
            var reader = try PersonReader(database, viewer: viewer, now: now)
            return try reader.people(try seqs(database))
        }
    }
}

/// Parsed text that a user wrote for a person.
private struct PersonText {
    /// Fewer digits of a key are taken for a name.
    private static let digitsMin = 8
    let name: String?
    let keys: [IDRange]
    /// A name and a short id, which must both match.
    let isBoth: Bool

    init(_ text: String) {
        if let mark = text.lastIndex(of: "#"), mark != text.startIndex {
            name = String(text[..<mark])
            keys = PeerID.range(short: text[text.index(after: mark)...]).map { [$0] } ?? []
            isBoth = true
        } else {
            let bare = text.hasPrefix("#") ? text.dropFirst() : text[...]
            name = String(bare)
            let prefix = bare.utf8.count >= Self.digitsMin ? IDRange(prefix: bare) : nil
            keys = [prefix, PeerID.range(short: bare)].compactMap { $0 }
            isBoth = false
        }
    }
}

extension PeerID {
    /// All keys with this short id: 20 bits, five to a letter.
    fileprivate static func range(short: Substring) -> IDRange? {
        let alphabet = Array("ybndrfg8ejkmcpqxot1uwisza345h769".utf8)
        guard short.utf8.count == 4 else { return nil }
        var bits = 0
        for character in short.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 5 | value
        }
        let digits = String(bits, radix: 16)
        return IDRange(prefix: String(repeating: "0", count: 5 - digits.utf8.count) + digits)
    }
}

extension Database {
    fileprivate func peers(in ranges: [IDRange]) throws -> [Int64] {
        let statement = try RawStatement(self, "SELECT seq FROM peer WHERE key BETWEEN ?1 AND ?2 ORDER BY key LIMIT ?3")
        var seqs: [Int64] = []
        for range in ranges {
            try statement.bind(range.first, at: 1)
            try statement.bind(range.last, at: 2)
            try statement.bind(Int64(pageLimitMax), at: 3)
            seqs += try statement.seqs().filter { !seqs.contains($0) }
        }
        return seqs
    }

    /// Matches profiles, and for people without one their newest post; ignores case.
    fileprivate func peers(named name: String) throws -> [Int64] {
        let wanted = name.lowercased()
        let profiles = try RawStatement(self, "SELECT peer, name FROM profile ORDER BY name, peer")
        var seqs: [Int64] = []
        try profiles.forEach { row in
            if row.text(1).lowercased() == wanted { seqs.append(row.int(0)) }
            return seqs.count < pageLimitMax
        }
        let others = try RawStatement(
            self,
            """
            SELECT u.author, (SELECT i.name FROM item i WHERE i.author = u.author AND i.kind = 4 AND i.state = 0
              ORDER BY i.date DESC, i.record DESC LIMIT 1)
            FROM (SELECT DISTINCT author FROM author_here) u
            WHERE NOT EXISTS (SELECT 1 FROM profile f WHERE f.peer = u.author) ORDER BY u.author
            """)
        try others.forEach { row in
            if !row.isNull(1), row.text(1).lowercased() == wanted { seqs.append(row.int(0)) }
            return seqs.count < pageLimitMax
        }
        return seqs
    }
}
