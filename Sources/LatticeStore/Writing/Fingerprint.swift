import Foundation
import GRDB

/// A number for each derived table, which a rebuild leaves the same if the table matches the records.
struct Fingerprint: Equatable {
    private(set) var tables: [String: UInt64] = [:]

    /// All contents of the tables, each in key order. Words are read from their index, which keeps no copy of the text.
    private static let queries = [
        ("item", "SELECT * FROM item ORDER BY record"),
        ("spot", "SELECT * FROM spot ORDER BY kind, cell, item"),
        ("reaction", "SELECT * FROM reaction ORDER BY target, kind, author"),
        ("pin", "SELECT * FROM pin ORDER BY record"),
        ("activity", "SELECT * FROM activity ORDER BY record"),
        ("profile", "SELECT * FROM profile ORDER BY peer"),
        ("words", "SELECT term, doc, col, \"offset\" FROM temp.vocabulary"),
        ("usage_author", "SELECT * FROM usage_author ORDER BY author"),
        ("usage_kind", "SELECT * FROM usage_kind ORDER BY class, kind"),
    ]

    init(_ database: Database) throws {
        try database.execute(
            sql: "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab (main, words, instance)")
        for (table, sql) in Self.queries {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            let rows = try Row.fetchCursor(database, sql: sql)
            while let row = try rows.next() {
                for value in row.databaseValues { Self.mix(value, into: &hash) }
            }
            tables[table] = hash
        }
        try database.execute(sql: "DROP TABLE temp.vocabulary")
    }

    /// The names of the tables that differ, in alphabetical order.
    func differences(from other: Fingerprint) -> [String] {
        tables.keys.sorted().filter { tables[$0] != other.tables[$0] }
    }

    /// FNV-1a, 64 bits: enough to detect a fault, since nobody forges one to match.
    private static func mix(_ value: DatabaseValue, into hash: inout UInt64) {
        func mix(_ byte: UInt8) {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        switch value.storage {
        case .null: mix(0)
        case .int64(let number):
            mix(1)
            for shift in stride(from: 0, to: 64, by: 8) { mix(UInt8(truncatingIfNeeded: number >> shift)) }
        case .double(let number):
            mix(2)
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                mix(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
            }
        case .string(let text):
            mix(3)
            for byte in text.utf8 { mix(byte) }
            mix(0xFF)
        case .blob(let data):
            mix(4)
            for byte in data { mix(byte) }
            mix(UInt8(truncatingIfNeeded: data.count))
        }
    }
}
