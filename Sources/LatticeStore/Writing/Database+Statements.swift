import GRDB
import LatticeCore

/// The value of a statement's argument.
enum Bound {
    case int(Int64)
    case key(Bytes32)
    case bytes([UInt8])
    case text(String)
    case null

    /// Whether it means the owner in a column `person`, which has the key of any other persona.
    var isEmpty: Bool {
        if case .bytes(let bytes) = self { bytes.isEmpty } else { false }
    }

    static func optional(_ value: Int64?) -> Bound {
        value.map(Bound.int) ?? .null
    }

    static func optional(_ value: String?) -> Bound {
        value.map(Bound.text) ?? .null
    }
}

/// Shorthand for `RawStatement`: inserts spend their time in SQLite, not in GRDB's arguments and rows.
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

    /// Reads all rows at once, so that the statement is free while they are processed.
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

    /// Calls `body` for each row until it returns `false`.
    func each(_ sql: String, _ values: [Bound], _ body: (borrowing RawStatement) throws -> Bool) throws {
        try prepared(sql, values).forEach(body)
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
    /// The file contains something that was never written there.
    static func damaged(_ message: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
    }
}
