import GRDB
import LatticeCore

/// The position of a record in the order of eviction: by the date by which it ages, then by creation, then by id, so that the
/// order of arrival does not matter.
struct Leaving: Comparable {
    /// Unix milliseconds.
    let date: Int64
    /// As stored in the file.
    let created: Int64
    let id: Bytes32

    init(date: Int64, created: Int64, id: Bytes32) {
        self.date = date
        self.created = created
        self.id = id
    }

    init(_ row: RecordRow) {
        self.init(date: row.date, created: row.created, id: row.id.hash)
    }

    /// After every record up to now.
    init(all date: Int64) {
        self.init(date: date, created: .max, id: Bytes32(words: (.max, .max, .max, .max)))
    }

    /// Reads the columns `date`, `created` and `id`.
    init(_ row: borrowing RawStatement, from column: Int32) throws {
        guard let id = row.bytes32(column + 2) else { throw DatabaseError.damaged("a floor has no id") }
        self.init(date: row.int(column), created: row.int(column + 1), id: id)
    }

    var columns: [Bound] { [.int(date), .int(created), .key(id)] }

    static func < (left: Leaving, right: Leaving) -> Bool {
        (left.date, left.created, left.id) < (right.date, right.created, right.id)
    }
}
