import GRDB
package import LatticeCore
import LatticeWire

/// Lists that belong to one persona.
package struct TimelineReader: Sendable {
    let access: PersonaAccess

    /// Posts and events by the viewer and the people they follow, newest first.
    package func items(at now: WallTime, limit: Int, before: TimeMark? = nil) async throws(StoreError)
        -> [StoredItem]
    {
        let viewer = access.author
        return try await access.read { database in
            let authors = try database.followed(by: viewer, andSelf: true)
            let merge = try AuthorMerge(database, authors: authors, now: now)
            let seqs = try merge.newest(min(max(limit, 0), pageLimitMax), before: before ?? .last)
            var reader = try ItemReader(database, viewer: viewer)
            return try reader.items(seqs, now: now)
        }
    }

    /// One person's posts and events, newest first.
    ///
    /// - Parameter onlyPhotos: only those with a photo.
    package func items(
        by author: PeerID, onlyPhotos: Bool = false, at now: WallTime, limit: Int, before: TimeMark? = nil
    ) async throws(StoreError) -> [StoredItem] {
        let viewer = access.author
        return try await access.read { database in
            guard let number = try database.seq(of: author) else { return [] }
            let statement = try RawStatement(database, onlyPhotos ? Self.photosQuery : Self.itemsQuery)
            let mark = before ?? .last
            try statement.bind(number, at: 1)
            try statement.bind(mark.date.milliseconds, at: 2)
            try statement.bind(mark.seq, at: 3)
            try statement.bind(now.milliseconds, at: 4)
            try statement.bind(Int64(min(max(limit, 0), pageLimitMax)), at: 5)
            var reader = try ItemReader(database, viewer: viewer)
            return try reader.items(try statement.seqs(), now: now)
        }
    }

    /// The arguments are the author, the date and number before which it begins, the time, and a limit. Each part of a kind has
    /// its own index.
    private static let itemsQuery = """
        SELECT record FROM (\(part(of: "kind = 4")) UNION ALL \(part(of: "kind = 8")))
        ORDER BY date DESC, record DESC LIMIT ?5
        """
    private static let photosQuery = part(of: "photo IS NOT NULL", columns: "record")

    private static func part(of condition: String, columns: String = "date, record") -> String {
        let rows = """
            SELECT \(columns) FROM item
            WHERE author = ?1 AND \(condition) AND state = 0 AND (date, record) < (?2, ?3) AND expires > ?4
            ORDER BY date DESC, record DESC LIMIT ?5
            """
        return columns == "record" ? rows : "SELECT * FROM (\(rows))"
    }
}

/// Merges the newest posts and events of several authors without sorting all of any. A list holds each author's newest post and
/// newest event; from where one is taken, the next older one follows.
private struct AuthorMerge {
    private struct Head {
        let date: Int64
        let seq: Int64
        let author: Int64
        /// Its place among the statements.
        let kind: Int
    }

    private let authors: [Int64]
    /// For posts, and for events: each kind has its own index.
    private let statements: [RawStatement]

    init(_ database: Database, authors: [Int64], now: WallTime) throws {
        self.authors = authors
        statements = try ["kind = 4", "kind = 8"].map { condition in
            let statement = try RawStatement(
                database,
                """
                SELECT date, record FROM item
                WHERE author = ?1 AND \(condition) AND state = 0 AND (date, record) < (?2, ?3) AND expires > ?4
                ORDER BY date DESC, record DESC LIMIT 1
                """)
            try statement.bind(now.milliseconds, at: 4)
            return statement
        }
    }

    func newest(_ limit: Int, before mark: TimeMark) throws -> [Int64] {
        var heads: [Head] = []
        for author in authors {
            for kind in statements.indices {
                let head = try head(of: author, kind, before: mark.date.milliseconds, mark.seq)
                if let head { heads.append(head) }
            }
        }
        var seqs: [Int64] = []
        while seqs.count < limit,
            let index = heads.indices.max(by: { (heads[$0].date, heads[$0].seq) < (heads[$1].date, heads[$1].seq) })
        {
            let head = heads[index]
            seqs.append(head.seq)
            if let next = try self.head(of: head.author, head.kind, before: head.date, head.seq) {
                heads[index] = next
            } else {
                heads.swapAt(index, heads.count - 1)
                heads.removeLast()
            }
        }
        return seqs
    }

    private func head(of author: Int64, _ kind: Int, before date: Int64, _ seq: Int64) throws -> Head? {
        let statement = statements[kind]
        try statement.bind(author, at: 1)
        try statement.bind(date, at: 2)
        try statement.bind(seq, at: 3)
        return try statement.first { Head(date: $0.int(0), seq: $0.int(1), author: author, kind: kind) }
    }
}

extension Database {
    /// The numbers of the peers that somebody follows, sorted.
    func followed(by peer: PeerID, andSelf: Bool) throws -> [Int64] {
        guard let own = try seq(of: peer) else { return [] }
        let statement = try RawStatement(
            self,
            """
            SELECT p.seq FROM reaction x CROSS JOIN peer p ON p.key = x.target
            WHERE x.author = ? AND x.kind = 7 AND x.holds = 1 ORDER BY p.seq
            """)
        try statement.bind(own, at: 1)
        let others = try statement.seqs()
        return andSelf && !others.contains(own) ? [own] + others : others
    }
}
