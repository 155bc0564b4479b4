import GRDB
import GRDBSQLite

/// Opens a database that somebody else wrote, so that whatever is in it costs bounded time and memory.
enum StrangersDatabase {
    enum Fault: Error {
        /// A table or view that could do more than hold rows.
        case schema
    }

    /// How long one read may take.
    private static let patience: Duration = .seconds(5)
    /// Instructions of SQLite's virtual machine between two looks at the clock. One may compare two texts of megabytes.
    private static let stepsBetweenLooks: Int32 = 500
    /// Bytes of a row, a text and a page cache.
    private static let bytesMax: Int32 = 4 << 20
    private static let schemaRowsMax = 200
    private static let viewBytesMax = 2_000

    static func opened(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "map"
        configuration.prepareDatabase { database in
            let connection = database.sqliteConnection
            let limits: [(Int32, Int32)] = [
                (SQLITE_LIMIT_LENGTH, bytesMax), (SQLITE_LIMIT_SQL_LENGTH, 100_000), (SQLITE_LIMIT_COLUMN, 100),
                (SQLITE_LIMIT_EXPR_DEPTH, 50), (SQLITE_LIMIT_COMPOUND_SELECT, 4), (SQLITE_LIMIT_VDBE_OP, 25_000),
                (SQLITE_LIMIT_FUNCTION_ARG, 8), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
                (SQLITE_LIMIT_VARIABLE_NUMBER, 10), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
            ]
            for (limit, value) in limits { sqlite3_limit(connection, limit, value) }
            try database.execute(
                sql: """
                    PRAGMA trusted_schema = 0; PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0; PRAGMA cache_size = -4096
                    """)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// - Throws: what SQLite says, also when the read takes too long.
    static func read<Value>(_ queue: DatabaseQueue, _ body: (Database) throws -> Value) throws -> Value {
        try queue.read { database in
            try Budget(until: .now.advanced(by: patience)).reading(database, every: stepsBetweenLooks, body)
        }
    }

    /// Tables and indexes hold rows and no more. A view may join tables by their columns, as many tools store tiles.
    static func checkSchema(_ database: Database) throws {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT CAST(type AS TEXT), CAST(sql AS TEXT) FROM sqlite_schema WHERE sql IS NOT NULL LIMIT ?",
            arguments: [schemaRowsMax])
        guard rows.count < schemaRowsMax else { throw Fault.schema }
        for row in rows {
            guard let type = row[0] as String?, let sql = row[1] as String? else { throw Fault.schema }
            let words = words(of: sql)
            let isPlain =
                switch type {
                case "table":
                    words.dropFirst().first == "table" && !words.contains("generated") && !words.contains("as")
                case "index": true
                case "view":
                    sql.utf8.count <= viewBytesMax && !sql.contains("(") && !sql.contains("|")
                        && banned.isDisjoint(with: words)
                default: false
                }
            guard isPlain else { throw Fault.schema }
        }
    }

    /// What makes a view more than a join.
    private static let banned: Set<String> = [
        "with", "recursive", "union", "except", "intersect", "order", "group", "distinct", "window", "values", "match",
        "like", "glob", "regexp", "collate",
    ]

    private static func words(of sql: String) -> [String] {
        sql.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    }
}

/// Until when a read may go on.
// Safety: the handler gets this object, which lives until the read that set the handler has taken it away again.
private final class Budget {
    private let end: ContinuousClock.Instant

    init(until end: ContinuousClock.Instant) { self.end = end }

    func reading<Value>(
        _ database: Database, every steps: Int32, _ body: (Database) throws -> Value
    ) throws -> Value {
        let connection = database.sqliteConnection
        sqlite3_progress_handler(
            connection, steps,
            { budget in
                guard let budget else { return 0 }
                return ContinuousClock.now > Unmanaged<Budget>.fromOpaque(budget).takeUnretainedValue().end ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        return try body(database)
    }
}
