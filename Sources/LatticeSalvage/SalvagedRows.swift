import Foundation
import GRDB
import LatticeCore
import LatticeStore
import LatticeWire

/// The rows of a damaged file that SQLite can still read: up to the first bad page of each table.
struct SalvagedRows: Sequence {
    private static let portion: Int64 = 256
    private let queue: DatabaseQueue

    /// - Returns: `nil` if not even the first page is readable.
    init?(path: String) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        do {
            queue = try DatabaseQueue(path: DatabaseFile.plainPath(path), configuration: configuration)
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
        } catch {
            return nil
        }
    }

    /// Portions of rows; the last one tells whether a bad page ended them.
    func makeIterator() -> AnyIterator<Result<[SalvagedRow], any Error>> {
        var next: Int64? = 1
        return AnyIterator {
            guard let from = next else { return nil }
            let portion = Result { try rows(from: from) }
            switch portion {
            case .success(let rows):
                guard let last = rows.last?.seq else { return nil }
                next = last == .max ? nil : last + 1
            case .failure: next = nil
            }
            return portion
        }
    }

    private func rows(from seq: Int64) throws -> [SalvagedRow] {
        try all(
            """
            SELECT seq, id, bytes, seen, date FROM record WHERE seq >= ? AND bytes IS NOT NULL ORDER BY seq LIMIT ?
            """, [seq, Self.portion]
        ) {
            SalvagedRow(
                id: $0.id(1), seq: $0.value(0) ?? 0, candidates: [Array($0.value(2) ?? Data())], seen: $0.value(3),
                date: $0.value(4))
        }
    }

    /// The next ids after one, from the index, which is on other pages than the rows.
    func ids(after id: RecordID?) throws -> [RecordID] {
        try all(
            "SELECT id FROM record INDEXED BY record_id WHERE id > ? ORDER BY id LIMIT ?",
            [Data(id?.hash.bytes ?? []), Self.portion]
        ) { $0.id(0) }.compactMap { $0 }
    }

    /// - Returns: `nil` if one of their pages is bad.
    func settings() -> [String: String]? {
        do {
            let rows: [(String, String)?] = try all("SELECT key, value FROM setting", []) { row in
                guard let key: String = row.value(0), let value: String = row.value(1) else { return nil }
                return (key, value)
            }
            return Dictionary(rows.compactMap { $0 }, uniquingKeysWith: { first, _ in first })
        } catch {
            return nil
        }
    }

    /// The date of the newest own record, or of others' that were seen here.
    ///
    /// - Returns: `nil` if its page is bad.
    func clock() -> HybridTime? {
        do {
            let dates: [Int64?] = try all("SELECT clock FROM ledger", []) { $0.value(0) }
            return dates.first?.map { HybridTime(rawValue: UInt64(bitPattern: $0)) }
        } catch {
            return nil
        }
    }

    /// Ids of own records that no peer had confirmed.
    ///
    /// - Returns: `nil` if one of their pages is bad.
    func outbox() -> [RecordID]? {
        do {
            return try all("SELECT id FROM outbox JOIN record ON record.seq = outbox.record", []) { $0.id(0) }
                .compactMap { $0 }
        } catch {
            return nil
        }
    }

    private func all<Value>(_ sql: String, _ arguments: StatementArguments, _ read: (Row) throws -> Value) throws
        -> [Value]
    {
        try queue.read { database in
            let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
            var values: [Value] = []
            while let row = try rows.next() { values.append(try read(row)) }
            return values
        }
    }

    func close() {
        do {
            try queue.close()
        } catch {
            // The damaged file is only moved away, so an open connection does no harm.
            return
        }
    }
}

extension Row {
    /// `nil` if the column has a value of another type, as in a damaged file it may.
    fileprivate func value<Value: DatabaseValueConvertible>(_ column: Int) -> Value? {
        Value.fromDatabaseValue(self[column])
    }

    fileprivate func id(_ column: Int) -> RecordID? {
        let bytes: Data? = value(column)
        return bytes.flatMap { Bytes32($0) }.map(RecordID.init)
    }
}
