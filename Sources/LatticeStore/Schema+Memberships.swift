import GRDB

/// To see whether a number is one of three or more, SQLite fills a table of its own, each time that a row is written: half a
/// dozen of them for one post, a fifth of what keeping it takes. Compared one by one they say the same for nothing.
extension Schema {
    /// What the first version wrote, and what stands for it.
    private static let memberships = [
        ("class IN (0, 1, 2)", "class BETWEEN 0 AND 2"),
        ("erased IN (0, 1, 2)", "erased BETWEEN 0 AND 2"),
        ("state IN (0, 1, 2)", "state BETWEEN 0 AND 2"),
        ("kind IN (3, 6, 7, 9)", "kind = 3 OR kind = 6 OR kind = 7 OR kind = 9"),
        ("kind IN (4, 5, 8)", "kind = 4 OR kind = 5 OR kind = 8"),
        ("kind IN (6, 7, 9)", "kind = 6 OR kind = 7 OR kind = 9"),
        ("kind IN (5, 6, 7, 9)", "kind = 5 OR kind = 6 OR kind = 7 OR kind = 9"),
    ]

    static func rewritten(_ sql: String) -> String {
        memberships.reduce(sql) { $0.replacing($1.0, with: $1.1) }
    }

    /// In a file that the first version made, or that was made as it made them. What is on the pages does not change, so SQLite's
    /// "Making Other Kinds Of Table Schema Changes" applies: the text is exchanged, and read anew.
    static func rewriteMemberships(_ database: Database) throws {
        try database.execute(sql: "PRAGMA writable_schema = ON")
        for (old, new) in memberships {
            try database.execute(
                sql: "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE instr(sql, ?) > 0",
                arguments: [old, new, old])
        }
        try database.execute(sql: "PRAGMA writable_schema = RESET")
    }
}
