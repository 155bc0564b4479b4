import GRDB

/// Changes of usage that the tables of usage lack; they are written there when rows are filed.
struct UsageLedger {
    struct Amount {
        var records: Int64 = 0
        var bytes: Int64 = 0

        mutating func add(_ records: Int64, _ bytes: Int64) {
            self.records += records
            self.bytes += bytes
        }
    }

    private struct Kind: Hashable {
        let recordClass: Int64
        let kind: Int64
    }

    private var authors: [Int64: Amount] = [:]
    private var kinds: [Kind: Amount] = [:]
    /// Peers without any remaining records.
    private var emptied: [Int64] = []

    var isEmpty: Bool { authors.isEmpty && kinds.isEmpty }

    mutating func takeEmptied() -> [Int64] {
        defer { emptied = [] }
        return emptied
    }

    mutating func add(_ row: RecordRow) {
        count(row, records: 1, bytes: row.size)
    }

    mutating func remove(_ row: RecordRow) {
        count(row, records: -1, bytes: -row.size)
    }

    private mutating func count(_ row: RecordRow, records: Int64, bytes: Int64) {
        authors[row.author, default: Amount()].add(records, bytes)
        let kind = Kind(recordClass: row.recordClass.rawValue, kind: row.kind.usageNumber)
        kinds[kind, default: Amount()].add(records, bytes)
    }

    func bytes(of author: Int64) -> Int64 { authors[author]?.bytes ?? 0 }

    func bytes(of recordClass: RecordRow.Class) -> Int64 {
        kinds.reduce(0) { $0 + ($1.key.recordClass == recordClass.rawValue ? $1.value.bytes : 0) }
    }

    mutating func write(to database: Database) throws {
        for author in authors.keys.sorted() {
            let amount = authors[author] ?? Amount()
            let values: [Bound] = [.int(amount.records), .int(amount.bytes), .int(author)]
            try database.run(
                "UPDATE usage_author SET records = records + ?, bytes = bytes + ? WHERE author = ?", values)
            if database.changesCount == 0 {
                try database.run("INSERT INTO usage_author (records, bytes, author) VALUES (?, ?, ?)", values)
            }
            if amount.records <= 0 {
                try database.run("DELETE FROM usage_author WHERE author = ? AND records = 0", [.int(author)])
                if database.changesCount > 0 { emptied.append(author) }
            }
        }
        for kind in kinds.keys.sorted(by: { ($0.recordClass, $0.kind) < ($1.recordClass, $1.kind) }) {
            let amount = kinds[kind] ?? Amount()
            let values: [Bound] = [
                .int(amount.records), .int(amount.bytes), .int(kind.recordClass), .int(kind.kind),
            ]
            try database.run(
                "UPDATE usage_kind SET records = records + ?, bytes = bytes + ? WHERE class = ? AND kind = ?", values)
            if database.changesCount == 0 {
                try database.run(
                    "INSERT INTO usage_kind (records, bytes, class, kind) VALUES (?, ?, ?, ?)", values)
            }
            if amount.records <= 0 {
                try database.run(
                    "DELETE FROM usage_kind WHERE class = ? AND kind = ? AND records = 0",
                    [.int(kind.recordClass), .int(kind.kind)])
            }
        }
        authors.removeAll(keepingCapacity: true)
        kinds.removeAll(keepingCapacity: true)
    }
}
