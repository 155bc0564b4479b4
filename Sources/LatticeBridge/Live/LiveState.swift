import Foundation
import GRDB
import LatticeAPI
package import LatticeCore
import LatticeMesh

/// A record that bridges compare.
package struct LiveItem: Hashable, Sendable {
    package let id: RecordID
    /// Its author's date, by which both sides sort.
    package let created: HybridTime
    /// When its lifetime is over.
    package let ends: WallTime
    /// Its number in the node's store.
    package let seq: Int64

    package init(_ id: RecordID, created: HybridTime, ends: WallTime, seq: Int64) {
        (self.id, self.created, self.ends, self.seq) = (id, created, ends, seq)
    }

    var compared: ReconciliationItem? { ReconciliationItem(timestamp: created.rawValue, id: id.hash) }
}

/// What a bridge over a broker without a history keeps: its name there, how far it has read the node, and the ids of the records
/// that cross.
package final class LiveState: Sendable {
    private let file: BridgeFile
    /// 16 random bytes that stand for this file.
    package let name: [UInt8]

    /// - Parameter random: gives a new file its name.
    package init(path: String, using random: inout SeededGenerator) throws(BridgeState.Fault) {
        file = try BridgeFile(
            path: path,
            tables: """
                CREATE TABLE IF NOT EXISTS me (
                    one INTEGER PRIMARY KEY CHECK (one = 1), name BLOB NOT NULL CHECK (length(name) = 16),
                    floor INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE TABLE IF NOT EXISTS feed (one INTEGER PRIMARY KEY CHECK (one = 1), position TEXT NOT NULL) STRICT;
                CREATE TABLE IF NOT EXISTS item (
                    id BLOB PRIMARY KEY CHECK (length(id) = 32), created INTEGER NOT NULL, ends INTEGER NOT NULL,
                    seq INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX IF NOT EXISTS item_ends ON item (ends);
                """)
        let fresh = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        name = try file.write { database in
            try database.execute(sql: "INSERT OR IGNORE INTO me (one, name) VALUES (1, ?)", arguments: [Data(fresh)])
            return Array(try Data.fetchOne(database, sql: "SELECT CAST(name AS BLOB) FROM me") ?? Data(fresh))
        }
    }

    /// The feed's confirmed position; `nil` before the first.
    func feed() throws(BridgeState.Fault) -> FeedPosition? {
        try file.read { database in
            try String.fetchOne(database, sql: "SELECT CAST(position AS TEXT) FROM feed")
                .map { try FeedPosition(codedText: $0) }
        }
    }

    /// Everything that may cross up to here was published.
    func fed(_ position: FeedPosition, _ items: [LiveItem]) throws(BridgeState.Fault) {
        try file.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO feed VALUES (1, ?)", arguments: [position.codedText])
            try Self.keep(items, database)
        }
    }

    func keep(_ items: [LiveItem]) throws(BridgeState.Fault) {
        guard !items.isEmpty else { return }
        try file.write { try Self.keep(items, $0) }
    }

    private static func keep(_ items: [LiveItem], _ database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?)")
        for item in items {
            try statement.execute(arguments: [
                Data(item.id.hash.bytes), Int64(bitPattern: item.created.rawValue), item.ends.milliseconds, item.seq,
            ])
        }
    }

    func remove(_ ids: [RecordID]) throws(BridgeState.Fault) {
        guard !ids.isEmpty else { return }
        try file.write { database in
            let statement = try database.cachedStatement(sql: "DELETE FROM item WHERE id = ?")
            for id in ids { try statement.execute(arguments: [Data(id.hash.bytes)]) }
        }
    }

    /// Those of these records that this bridge has, in the order of the store.
    func items(of ids: some Sequence<RecordID>) throws(BridgeState.Fault) -> [LiveItem] {
        try file.read { database in
            let statement = try database.cachedStatement(sql: Self.columns + " WHERE id = ?")
            return try ids.compactMap { id in
                try Row.fetchOne(statement, arguments: [Data(id.hash.bytes)]).flatMap { Self.item($0) }
            }
        }.sorted { $0.seq < $1.seq }
    }

    /// What is compared with other bridges.
    func compared() throws(BridgeState.Fault) -> ReconciliationSet {
        try file.read { database in
            var items: [ReconciliationItem] = []
            let rows = try Row.fetchCursor(database, sql: Self.columns)
            while let row = try rows.next() {
                if let item = Self.item(row)?.compared { items.append(item) }
            }
            return ReconciliationSet(items)
        }
    }

    /// Removes those whose lifetimes are over by then.
    func expire(by time: WallTime) throws(BridgeState.Fault) -> [LiveItem] {
        try file.write { database in
            let gone = try Row.fetchAll(
                database, sql: Self.columns + " WHERE ends <= ?", arguments: [time.milliseconds]
            ).compactMap { Self.item($0) }
            if !gone.isEmpty {
                try database.execute(sql: "DELETE FROM item WHERE ends <= ?", arguments: [time.milliseconds])
            }
            return gone
        }
    }

    /// Earlier records are not compared.
    func floor() throws(BridgeState.Fault) -> UInt64 {
        try file.read { UInt64(bitPattern: try Int64.fetchOne($0, sql: "SELECT floor FROM me") ?? 0) }
    }

    /// There are too many records: these, and all that are earlier than `floor`, are not compared any more.
    func raise(floor: UInt64, without ids: [RecordID]) throws(BridgeState.Fault) {
        try remove(ids)
        try file.write { database in
            try database.execute(sql: "UPDATE me SET floor = ?", arguments: [Int64(bitPattern: floor)])
        }
    }

    /// The node has another store.
    func beginAnew() throws(BridgeState.Fault) {
        try file.write { try $0.execute(sql: "DELETE FROM feed; DELETE FROM item; UPDATE me SET floor = 0") }
    }

    func close() throws(BridgeState.Fault) { try file.close() }

    private static let columns = """
        SELECT CAST(id AS BLOB), CAST(created AS INTEGER), CAST(ends AS INTEGER), CAST(seq AS INTEGER) FROM item
        """

    /// - Returns: `nil` for a row that no bridge wrote.
    private static func item(_ row: Row) -> LiveItem? {
        guard let id = Bytes32(Array(row[0] as Data)) else { return nil }
        return LiveItem(
            RecordID(id), created: HybridTime(rawValue: UInt64(bitPattern: row[1] as Int64)),
            ends: WallTime(milliseconds: row[2]), seq: row[3])
    }
}
