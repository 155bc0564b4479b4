import GRDB
import LatticeCore
import LatticeWire

/// Reads people within one snapshot, and caches them.
struct PersonReader {
    private let database: Database
    private let now: WallTime
    private let viewerSeq: Int64?
    private var people: [Int64: StoredPerson] = [:]

    init(_ database: Database, viewer: PeerID, now: WallTime) throws {
        self.database = database
        self.now = now
        viewerSeq = try database.seq(of: viewer)
    }

    mutating func person(_ seq: Int64) throws -> StoredPerson? {
        if let person = people[seq] { return person }
        let person = try read(seq)
        people[seq] = person
        return person
    }

    mutating func people(_ seqs: [Int64]) throws -> [StoredPerson] {
        var people: [StoredPerson] = []
        for seq in seqs {
            if let person = try person(seq) { people.append(person) }
        }
        return people
    }

    static func stranger(_ peer: PeerID, isFollowed: Bool = false, followers: Int = 0) -> StoredPerson {
        StoredPerson(
            peer: peer, name: nil, about: "", colour: nil, photo: nil, isFollowedByOwner: isFollowed, posts: 0,
            followers: followers, following: 0)
    }

    /// Somebody who has no record here. They can be followed nevertheless.
    func stranger(_ peer: PeerID) throws -> StoredPerson {
        Self.stranger(peer, isFollowed: try isFollowed(peer.key), followers: try followers(of: peer.key))
    }

    private func postName(_ seq: Int64) throws -> String? {
        let newest = try RawStatement(
            database,
            "SELECT name FROM item WHERE author = ? AND kind = 4 AND state = 0 ORDER BY date DESC, record DESC LIMIT 1")
        try newest.bind(seq, at: 1)
        return try newest.first { $0.text(0) }
    }

    private func read(_ seq: Int64) throws -> StoredPerson? {
        let profile = try RawStatement(
            database,
            """
            SELECT p.key, f.name, f.about, f.colour, \(StoredPhoto.columns(of: "f"))
            FROM peer p LEFT JOIN profile f ON f.peer = p.seq WHERE p.seq = ?
            """)
        try profile.bind(seq, at: 1)
        defer { profile.reset() }
        guard try profile.step(), let key = profile.bytes32(0) else { return nil }
        return StoredPerson(
            peer: PeerID(key), name: profile.isNull(1) ? try postName(seq) : profile.text(1), about: profile.text(2),
            colour: profile.optionalInt(3).map { Colour(rgb: UInt32(truncatingIfNeeded: $0) & 0xFF_FFFF) },
            photo: StoredPhoto(profile, at: 4), isFollowedByOwner: try isFollowed(key),
            posts: try count(
                "SELECT count(*) FROM item WHERE author = ? AND kind = 4 AND state = 0 AND expires > ?"
            ) {
                try $0.bind(seq, at: 1)
                try $0.bind(now.milliseconds, at: 2)
            },
            followers: try followers(of: key),
            following: try count("SELECT count(*) FROM reaction WHERE author = ? AND kind = 7 AND holds = 1") {
                try $0.bind(seq, at: 1)
            })
    }

    private func isFollowed(_ key: Bytes32) throws -> Bool {
        guard let viewerSeq else { return false }
        let follow = try RawStatement(
            database, "SELECT holds FROM reaction WHERE target = ? AND kind = 7 AND author = ?")
        try follow.bind(key, at: 1)
        try follow.bind(viewerSeq, at: 2)
        return try follow.first { $0.int(0) == 1 } ?? false
    }

    private func followers(of key: Bytes32) throws -> Int {
        try count("SELECT count(*) FROM reaction WHERE target = ? AND kind = 7 AND holds = 1") {
            try $0.bind(key, at: 1)
        }
    }

    private func count(_ sql: String, bind: (RawStatement) throws -> Void) throws -> Int {
        let statement = try RawStatement(database, sql)
        try bind(statement)
        return try statement.first { Int($0.int(0)) } ?? 0
    }
}
