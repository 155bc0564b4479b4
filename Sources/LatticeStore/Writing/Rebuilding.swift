import GRDB
import LatticeCore
import LatticeWire

/// Derives everything again from the records alone.
struct Rebuilding {
    /// Limit of rows in memory.
    private static let portion = 500

    /// Everything in it is filed.
    let batch: Batch

    /// - Returns: the number of records filed.
    func run() throws -> Int {
        let database = batch.database
        try Schema.remakeDerived(in: database)
        var count = 0
        var last: Int64 = 0
        while true {
            let rows = try database.all(
                "SELECT \(RecordRow.columns) FROM record WHERE seq > ? ORDER BY seq LIMIT ?",
                [.int(last), .int(Int64(Self.portion))]
            ) { try RecordRow($0) }
            guard let end = rows.last?.seq else { break }
            for row in rows { try file(row) }
            try batch.state.usage.write(to: database)
            count += rows.count
            last = end
        }
        try batch.state.loadUsage(from: database)
        return count
    }

    private func file(_ row: RecordRow) throws {
        batch.state.usage.add(row)
        switch row.kind {
        case .post, .comment, .event, .place:
            guard row.erased == 0 else { return try batch.file(row, .erased, edited: nil) }
            let edit = try batch.newestEdit(of: row)
            try batch.file(row, try batch.content(of: row, edit), edited: edit?.date)
        case .profile, .like, .follow, .attendance, .reaction, .pin:
            let record = try Batch.signed(try batch.bytes(at: row.seq)).record
            switch try said(record) {
            case .profile(let profile): try batch.file(row, profile)
            case .reaction(let holds): try batch.file(row, holds: holds)
            case .emoji(let topic, let holds): try batch.file(row, topic, holds: holds)
            case .pin(let pin): try batch.file(row, pin)
            default: break
            }
        default: break
        }
    }

    private func said(_ record: LatticeWire.Record) throws -> Said {
        do {
            return try Said(record)
        } catch {
            throw DatabaseError.damaged("a record is not of its kind: \(error.reason)")
        }
    }
}
