import GRDB
import LatticeCore
import LatticeWire

/// A row of `record` without its bytes.
struct RecordRow {
    /// What people wrote, what they did to it, and what is unknown here or waits for what it takes back.
    enum Class: Int64, CaseIterable {
        case written = 0
        case done = 1
        case other = 2
    }

    /// What a row and its places in the indexes take besides the record's own bytes; estimated.
    static let overheadBytes: Int64 = 220

    var seq: Int64 = 0
    let id: RecordID
    let kind: RecordKind
    /// A `peer.seq`.
    var author: Int64
    /// The hybrid time with its top bit flipped.
    let created: Int64
    /// Seconds.
    let lifetime: Int64
    let topic: [UInt8]
    /// Unix milliseconds, as `expires`.
    let date: Int64
    var expires: Int64
    var recordClass: Class
    var size: Int64
    /// 0 here, 1 taken back by its author, 2 by the author of what it is about.
    var erased: Int64 = 0

    static let columns = columnNames.joined(separator: ", ")
    private static let columnNames = [
        "seq", "id", "kind", "author", "created", "lifetime", "topic", "date", "expires", "class", "size", "erased",
    ]

    /// Where other tables have columns of the same names.
    static func columns(of table: String) -> String {
        columnNames.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// - Parameter age: for how many milliseconds somebody has had it, which counts for what is dated ahead: so its lifetime
    ///   ends everywhere at about the same time, and does not begin anew with each who hears of it.
    init(_ record: VerifiedRecord, author: Int64, class recordClass: Class, at now: Int64, age: Int64) {
        id = record.id
        kind = record.kind
        self.author = author
        created = Int64(bitPattern: record.record.created.rawValue ^ 1 << 63)
        lifetime = Int64(record.record.lifetimeSeconds)
        topic = record.record.topic
        let made = record.record.created.wall.milliseconds
        date = made <= now ? made : now - min(max(age, 0), lifetime * 1_000)
        expires = date + lifetime * 1_000
        self.recordClass = recordClass
        size = Int64(record.signed.bytes.count) + Self.overheadBytes
    }

    /// Of a row that begins with `columns`.
    init(_ row: borrowing RawStatement) throws {
        guard let hash = row.bytes32(1), let recordClass = Class(rawValue: row.int(9)) else {
            throw DatabaseError.damaged("record \(row.int(0)) has no id or class")
        }
        // So that sums of dates and of sizes stay within 64 bits.
        guard Self.lifetimes.contains(row.int(5)), Self.dates.contains(row.int(7)), Self.sizes.contains(row.int(10))
        else { throw DatabaseError.damaged("record \(row.int(0)) has a date or size that no record has") }
        seq = row.int(0)
        id = RecordID(hash)
        kind = RecordKind(rawValue: UInt64(bitPattern: row.int(2)))
        author = row.int(3)
        created = row.int(4)
        lifetime = row.int(5)
        topic = row.bytes(6)
        date = row.int(7)
        expires = row.int(8)
        self.recordClass = recordClass
        size = row.int(10)
        erased = row.int(11)
    }

    private static let lifetimes: ClosedRange<Int64> = 60...31_536_000
    private static let dates: ClosedRange<Int64> = -(1 << 53)...1 << 53
    private static let sizes: ClosedRange<Int64> = 1...Int64(Record.bytesMax) + overheadBytes

    /// Dated ahead of when it was first seen.
    var isAhead: Bool { Int64(UInt64(bitPattern: created ^ .min) >> 16) > date }

    /// Before any edit makes it later.
    var ownExpires: Int64 { date + lifetime * 1_000 }

    var kindNumber: Int64 { Int64(bitPattern: kind.rawValue) }

    /// The newest of an author's, whatever order they come in.
    func isNewer(than other: RecordRow) -> Bool {
        created == other.created ? id > other.id : created > other.created
    }
}
