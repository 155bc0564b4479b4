import GRDB

/// The store's own state, in the table that also holds settings of its callers.
enum StoredSettings {
    /// The store's own keys; keys of callers do not begin with a dot.
    enum Key: String {
        case epoch = ".epoch"
        /// The key of the person whose card of the mesh counts.
        case cardSigner = ".cardSigner"
        case evicted = ".evicted"
        case expired = ".expired"
        /// The owner's rule for keeping records.
        case keep = ".keep"
        /// The progress of the search for records outside the rule: by number, and by date.
        case swept = ".swept"
        case aged = ".aged"
        /// The number up to which private messages were tried.
        case opened = ".opened"
        /// The number up to which lines are in the index of their words; there is none until somebody searches.
        case lineWords = ".lineWords"
        /// Words were erased whose pages are not overwritten yet.
        case lineWordsErased = ".lineWordsErased"
    }

    static func value(_ key: Key, in database: Database) throws -> String? {
        try value(key.rawValue, in: database)
    }

    static func value(_ key: String, in database: Database) throws -> String? {
        try database.one("SELECT value FROM setting WHERE key = ?", [.text(key)]) { $0.text(0) }
    }

    static func set(_ key: Key, _ value: String?, in database: Database) throws {
        try set(key.rawValue, value, in: database)
    }

    static func set(_ key: String, _ value: String?, in database: Database) throws {
        guard let value else { return try database.run("DELETE FROM setting WHERE key = ?", [.text(key)]) }
        try database.run(
            "INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            [.text(key), .text(value)])
    }

    static func count(_ key: Key, in database: Database) throws -> Int {
        try value(key, in: database).flatMap { Int($0) } ?? 0
    }

    static func add(_ amount: Int, to key: Key, in database: Database) throws {
        guard amount > 0 else { return }
        try set(key, "\(try count(key, in: database) + amount)", in: database)
    }
}
