import Foundation
import GRDB
package import LatticeAPI
package import LatticeCore

/// How far a bridge has got, in a file that survives it: the position in the node's store, and in each stream of the broker.
///
/// One process at a time has the file.
package final class BridgeState: Sendable {
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// Another bridge has the file.
        case taken(path: String)
        case failed(path: String, reason: String)

        package var description: String {
            switch self {
            case .taken(let path): "another bridge uses \(path); end it, or name another file with --state"
            case .failed(let path, let reason): "\(path): \(reason)"
            }
        }
    }

    /// Records that the broker has and the feed has not passed yet are not published.
    package struct Skipped: Hashable, Sendable {
        package let id: RecordID
        package let seq: Int64

        package init(_ id: RecordID, seq: Int64) { (self.id, self.seq) = (id, seq) }
    }

    private let file: BridgeFile

    package init(path: String) throws(Fault) {
        file = try BridgeFile(
            path: path,
            tables: """
                CREATE TABLE IF NOT EXISTS feed (one INTEGER PRIMARY KEY CHECK (one = 1), position TEXT NOT NULL) STRICT;
                CREATE TABLE IF NOT EXISTS stream (
                    span TEXT PRIMARY KEY, created TEXT NOT NULL, sequence INTEGER NOT NULL CHECK (sequence >= 0)
                ) STRICT;
                CREATE TABLE IF NOT EXISTS skip (id BLOB PRIMARY KEY CHECK (length(id) = 32), seq INTEGER NOT NULL)
                    STRICT, WITHOUT ROWID;
                """ + Self.blobTables)
    }

    /// The feed's confirmed position; `nil` before the first.
    package func feed() throws(Fault) -> FeedPosition? {
        try read { database in
            try String.fetchOne(database, sql: "SELECT CAST(position AS TEXT) FROM feed")
                .map { try FeedPosition(codedText: $0) }
        }
    }

    /// Everything of the stream up to here was given to the node.
    package func sequence(of span: BridgeSpan) throws(Fault) -> UInt64 {
        try read { database in
            let sequence = try Int64.fetchOne(
                database, sql: "SELECT CAST(sequence AS INTEGER) FROM stream WHERE span = ?", arguments: [span.rawValue]
            )
            return sequence.map { UInt64(clamping: $0) } ?? 0
        }
    }

    /// The stream is here, and this is its end. One that was made anew, or set back, is read from its beginning.
    ///
    /// - Returns: the sequence to go on after, and whether a stream that was known is another one now.
    package func met(_ span: BridgeSpan, _ stand: StreamStand) throws(Fault) -> (sequence: UInt64, isNew: Bool) {
        try write { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT CAST(created AS TEXT), CAST(sequence AS INTEGER) FROM stream WHERE span = ?",
                arguments: [span.rawValue])
            let known: (created: String, sequence: UInt64)? = row.map { ($0[0], UInt64(clamping: $0[1] as Int64)) }
            if let known, known.created == stand.created, known.sequence <= stand.last {
                return (known.sequence, false)
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO stream VALUES (?, ?, 0)", arguments: [span.rawValue, stand.created])
            return (0, known != nil)
        }
    }

    /// The node has answered for everything of the stream between these two sequences.
    ///
    /// - Parameter skipped: what the node had beyond the feed's position.
    /// - Returns: `false`, and nothing changes, if another task has moved the stream's position meanwhile.
    package func took(
        _ span: BridgeSpan, after: UInt64, upTo: UInt64, skipped: [Skipped]
    ) throws(Fault) -> Bool {
        try write { database in
            try database.execute(
                sql: "UPDATE stream SET sequence = ? WHERE span = ? AND sequence = ?",
                arguments: [Int64(clamping: upTo), span.rawValue, Int64(clamping: after)])
            guard database.changesCount == 1 else { return false }
            for skipped in skipped {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO skip VALUES (?, ?)",
                    arguments: [Data(skipped.id.hash.bytes), skipped.seq])
            }
            return true
        }
    }

    /// The broker has everything that may cross up to here.
    package func fed(_ position: FeedPosition) throws(Fault) {
        try write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO feed VALUES (1, ?)", arguments: [position.codedText])
            try database.execute(sql: "DELETE FROM skip WHERE seq <= ?", arguments: [position.seq])
        }
    }

    /// - Returns: those of these records that the broker has.
    package func skipped(of ids: [RecordID]) throws(Fault) -> Set<RecordID> {
        try read { database in
            var found: Set<RecordID> = []
            for id in ids {
                let isThere = try Bool.fetchOne(
                    database, sql: "SELECT EXISTS (SELECT 1 FROM skip WHERE id = ?)", arguments: [Data(id.hash.bytes)])
                if isThere == true { found.insert(id) }
            }
            return found
        }
    }

    /// The node has another store, or the broker another stream: both are read from their beginnings.
    package func beginAnew() throws(Fault) {
        try write { database in
            try database.execute(
                sql: """
                    DELETE FROM feed; DELETE FROM skip; DELETE FROM blob; DELETE FROM wish; UPDATE stream SET sequence = 0
                    """)
        }
    }

    package func close() throws(Fault) { try file.close() }

    func read<Value>(_ body: (Database) throws -> Value) throws(Fault) -> Value { try file.read(body) }

    func write<Value>(_ body: (Database) throws -> Value) throws(Fault) -> Value { try file.write(body) }
}
