import GRDB
import LatticeCore

/// What a statement is given for a question mark.
enum Bound {
    case int(Int64)
    case key(Bytes32)
    case bytes([UInt8])
    case text(String)
    case null

    /// Of the owner's, among what is several people's.
    var isEmpty: Bool {
        if case .bytes(let bytes) = self { bytes.isEmpty } else { false }
    }

    static func optional(_ value: Int64?) -> Bound {
        value.map(Bound.int) ?? .null
    }
}

/// One-line statements over `RawStatement`: insertion spends its time in SQLite, not in GRDB's arguments and rows.
extension Database {
    func run(_ sql: String, _ values: [Bound]) throws {
        let statement = try prepared(sql, values)
        defer { statement.reset() }
        while try statement.step() {}
    }

    func one<Value>(_ sql: String, _ values: [Bound], _ read: (borrowing RawStatement) throws -> Value) throws -> Value?
    {
        try prepared(sql, values).first(read)
    }

    /// All rows at once: while they are worked on the statement is free for others.
    func all<Value>(_ sql: String, _ values: [Bound], _ read: (borrowing RawStatement) throws -> Value) throws
        -> [Value]
    {
        var found: [Value] = []
        try prepared(sql, values).forEach {
            found.append(try read($0))
            return true
        }
        return found
    }

    private func prepared(_ sql: String, _ values: [Bound]) throws -> RawStatement {
        let statement = try RawStatement(self, sql)
        for (index, value) in values.enumerated() {
            let position = Int32(index + 1)
            switch value {
            case .int(let number): try statement.bind(number, at: position)
            case .key(let key): try statement.bind(key, at: position)
            case .bytes(let bytes): try statement.bind(bytes, at: position)
            case .text(let text): try statement.bind(text, at: position)
            case .null: try statement.bindNull(at: position)
            }
        }
        return statement
    }
}

extension DatabaseError {
    /// What stands in the file is nothing that was written there.
    static func damaged(_ message: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
    }
}
