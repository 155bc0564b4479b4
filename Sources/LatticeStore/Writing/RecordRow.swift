import GRDB
import LatticeCore
import LatticeWire

/// A row of `record` without its bytes.
struct RecordRow {
    /// What people wrote, how they reacted, and the rest: unknown kinds, and changes that wait for their target.
    enum Class: Int64, CaseIterable {
        case written = 0
        case done = 1
        case other = 2
    }

    /// Estimated size of a row and its index entries, besides the record's own bytes.
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
    /// 0 if not erased, 1 if by its author, 2 if by the author of the item it is about.
    var erased: Int64 = 0
    /// Written with the row; not read with `columns`.
    var via: RecordCarrier = .mesh

    static let columns = columnNames.joined(separator: ", ")
    private static let columnNames = [
        "seq", "id", "kind", "author", "created", "lifetime", "topic", "date", "expires", "class", "size", "erased",
    ]

    /// For queries with other tables that have columns of the same names.
    static func columns(of table: String) -> String {
        columnNames.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// - Parameter age: milliseconds since somebody first had it; counts for records dated ahead. So such a record expires at
    ///   about the same time everywhere, and its lifetime does not start again with each new peer.
    init(_ record: VerifiedRecord, author: Int64, class recordClass: Class, at now: Int64, age: Int64) {
        id = record.id
        kind = record.kind
        self.author = author
        created = Int64(bitPattern: record.record.created.rawValue ^ 1 << 63)
        lifetime = Int64(record.record.lifetimeSeconds)
        topic = record.record.topic
        let made = record.record.created.wallTime.milliseconds
        date = made <= now ? made : now - min(max(age, 0), lifetime * 1_000)
        expires = date + lifetime * 1_000
        self.recordClass = recordClass
        size = Int64(record.signed.bytes.count) + Self.overheadBytes
    }

    /// Reads a row that begins with `columns`.
    init(_ row: borrowing RawStatement) throws {
        guard let hash = row.bytes32(1), let recordClass = Class(rawValue: row.int(9)) else {
            throw DatabaseError.damaged("record \(row.int(0)) has no id or class")
        }
        // Keeps sums of dates and of sizes within 64 bits.
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

    /// Whether it is dated ahead of when it was first seen.
    var isAhead: Bool { Int64(UInt64(bitPattern: created ^ .min) >> 16) > date }

    /// The expiry without edits that extend it.
    var ownExpires: Int64 { date + lifetime * 1_000 }

    var kindNumber: Int64 { Int64(bitPattern: kind.rawValue) }

    /// Whether it is the newer of two by one author, regardless of the order of arrival.
    func isNewer(than other: RecordRow) -> Bool {
        created == other.created ? id > other.id : created > other.created
    }
}
