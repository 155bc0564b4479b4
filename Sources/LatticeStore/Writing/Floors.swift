import GRDB

/// The ages up to which records were evicted. Records below a floor are not accepted again, so that nobody keeps sending what
/// is not kept, and the stored set does not depend on the order of arrival.
///
/// Compares the date by which a row ages: a future date raises no floor above the present.
struct Floors {
    private struct Key: Hashable {
        let recordClass: RecordRow.Class
        let circle: AuthorCircle
    }

    private struct Floor {
        var end: Leaving
        /// No record of its class and circle has an earlier date.
        var searched: Int64
    }

    private var floors: [Key: Floor] = [:]
    /// For authors who exceeded their quota. Each still has half of it stored, which limits their number.
    private var authors: [Int64: Leaving] = [:]

    init() {}

    init(_ database: Database) throws {
        let rows = try database.all("SELECT class, circle, searched, date, created, id FROM floor", []) {
            ($0.int(0), $0.int(1), Floor(end: try Leaving($0, from: 3), searched: $0.int(2)))
        }
        for (number, circle, floor) in rows {
            guard let recordClass = RecordRow.Class(rawValue: number), let circle = AuthorCircle(rawValue: circle)
            else {
                continue
            }
            floors[Key(recordClass: recordClass, circle: circle)] = floor
        }
        let ends = try database.all("SELECT author, date, created, id FROM author_floor", []) {
            ($0.int(0), try Leaving($0, from: 1))
        }
        for (author, end) in ends { authors[author] = end }
    }

    var isEmpty: Bool { floors.isEmpty && authors.isEmpty }

    var raisedAuthors: [Int64] { authors.keys.sorted() }

    func end(of recordClass: RecordRow.Class, _ circle: AuthorCircle) -> Leaving? {
        floors[Key(recordClass: recordClass, circle: circle)]?.end
    }

    /// Where the search for the oldest records starts.
    func searched(_ recordClass: RecordRow.Class, _ circle: AuthorCircle) -> Int64 {
        floors[Key(recordClass: recordClass, circle: circle)]?.searched ?? .min
    }

    /// Whether a record is below a floor. A floor ahead of the clock does not count: the clock was wrong when it was raised.
    func decline(_ row: RecordRow, of circle: AuthorCircle, at now: Int64) -> Bool {
        let ends = [authors[row.author], end(of: row.recordClass, circle)]
        return ends.contains { end in end.map { Leaving(row) <= $0 && $0.date <= now } ?? false }
    }

    /// All records of these classes and this circle up to `end` are gone.
    mutating func raise(_ classes: [RecordRow.Class], _ circle: AuthorCircle, to end: Leaving, in database: Database)
        throws
    {
        for recordClass in classes {
            let key = Key(recordClass: recordClass, circle: circle)
            let end = floors[key].map { max($0.end, end) } ?? end
            try set(Floor(end: end, searched: end.date), key, in: database)
        }
    }

    mutating func raise(author: Int64, to end: Leaving, in database: Database) throws {
        if let standing = authors[author], standing >= end { return }
        authors[author] = end
        try database.run(
            """
            INSERT INTO author_floor (author, date, created, id) VALUES (?, ?, ?, ?) ON CONFLICT (author) DO UPDATE
            SET date = excluded.date, created = excluded.created, id = excluded.id
            """, [.int(author)] + end.columns)
    }

    /// A record of any age has joined its class, so searches start no later than it.
    mutating func note(_ row: RecordRow, of circle: AuthorCircle, in database: Database) throws {
        let key = Key(recordClass: row.recordClass, circle: circle)
        guard var floor = floors[key], row.date < floor.searched else { return }
        floor.searched = row.date
        try set(floor, key, in: database)
    }

    /// The members of a circle have changed.
    mutating func forgetSearches(in database: Database) throws {
        for key in floors.keys where floors[key]?.searched != .min { floors[key]?.searched = .min }
        try database.run("UPDATE floor SET searched = ?", [.int(.min)])
    }

    /// A class has space in its own share again; its floor drops to that of the whole quota.
    mutating func lower(_ recordClass: RecordRow.Class, in database: Database) throws {
        for circle in AuthorCircle.allCases {
            let key = Key(recordClass: recordClass, circle: circle)
            guard let floor = floors[key] else { continue }
            guard let common = end(of: .written, circle) else {
                try drop(key, in: database)
                continue
            }
            if floor.end > common {
                try set(Floor(end: common, searched: min(floor.searched, common.date)), key, in: database)
            }
        }
    }

    mutating func drop(author: Int64, in database: Database) throws {
        authors[author] = nil
        try database.run("DELETE FROM author_floor WHERE author = ?", [.int(author)])
    }

    /// The file drops the floor with the author.
    mutating func forget(author: Int64) {
        authors[author] = nil
    }

    mutating func dropAll(in database: Database) throws {
        guard !floors.isEmpty else { return }
        floors = [:]
        try database.run("DELETE FROM floor", [])
    }

    /// Drops floors that were raised while the clock was ahead.
    mutating func drop(after now: Int64, in database: Database) throws {
        for recordClass in RecordRow.Class.allCases {
            for circle in AuthorCircle.allCases {
                let key = Key(recordClass: recordClass, circle: circle)
                if let floor = floors[key], floor.end.date > now { try drop(key, in: database) }
            }
        }
        for author in raisedAuthors where authors[author]?.date ?? .min > now { try drop(author: author, in: database) }
    }

    private mutating func drop(_ key: Key, in database: Database) throws {
        floors[key] = nil
        try database.run(
            "DELETE FROM floor WHERE class = ? AND circle = ?",
            [.int(key.recordClass.rawValue), .int(key.circle.rawValue)])
    }

    private mutating func set(_ floor: Floor, _ key: Key, in database: Database) throws {
        floors[key] = floor
        try database.run(
            """
            INSERT INTO floor (class, circle, searched, date, created, id) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (class, circle) DO UPDATE
            SET searched = excluded.searched, date = excluded.date, created = excluded.created, id = excluded.id
            """,
            [.int(key.recordClass.rawValue), .int(key.circle.rawValue), .int(floor.searched)] + floor.end.columns)
    }
}
