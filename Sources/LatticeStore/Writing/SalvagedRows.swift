import GRDB
import LatticeCore

/// The rows of a damaged file that SQLite can still read: up to the first bad page of each table.
struct SalvagedRows: Sequence {
    private static let portion: Int64 = 256
    private let queue: DatabaseQueue

    /// - Returns: `nil` if not even the first page is readable.
    init?(path: String) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        do {
            queue = try DatabaseQueue(path: StoreOpening.plainPath(path), configuration: configuration)
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
        try queue.read { database in
            try database.all(
                """
                SELECT seq, id, bytes, seen, date FROM record WHERE seq >= ? AND bytes IS NOT NULL ORDER BY seq LIMIT ?
                """, [.int(seq), .int(Self.portion)]
            ) {
                SalvagedRow(
                    id: $0.bytes32(1), seq: $0.int(0), candidates: [$0.bytes(2)], seen: $0.int(3), date: $0.int(4))
            }
        }
    }

    /// The next ids after one, from the index, which is on other pages than the rows.
    func ids(after id: Bytes32?) throws -> [Bytes32] {
        try queue.read { database in
            try database.all(
                """
                SELECT id FROM record INDEXED BY record_id WHERE id > ? ORDER BY id LIMIT ?
                """, [id.map { .key($0) } ?? .bytes([]), .int(Self.portion)]
            ) { $0.bytes32(0) }
        }.compactMap { $0 }
    }

    /// - Returns: `nil` if one of their pages is bad.
    func settings() -> [String: String]? {
        do {
            let rows = try queue.read {
                try $0.all("SELECT key, value FROM setting", []) { ($0.text(0), $0.text(1)) }
            }
            return Dictionary(rows, uniquingKeysWith: { first, _ in first })
        } catch {
            return nil
        }
    }

    /// The date of the newest own record, or of others' that were seen here.
    ///
    /// - Returns: `nil` if its page is bad.
    func clock() -> HybridTime? {
        do {
            return try queue.read {
                try $0.one("SELECT clock FROM ledger", []) { HybridTime(rawValue: UInt64(bitPattern: $0.int(0))) }
            }
        } catch {
            return nil
        }
    }

    /// Ids of own records that no peer had confirmed.
    ///
    /// - Returns: `nil` if one of their pages is bad.
    func outbox() -> [Bytes32]? {
        do {
            return try queue.read {
                try $0.all("SELECT id FROM outbox JOIN record ON record.seq = outbox.record", []) { $0.bytes32(0) }
            }.compactMap { $0 }
        } catch {
            return nil
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
