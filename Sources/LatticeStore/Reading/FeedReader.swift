import GRDB
package import LatticeCore
package import LatticeGeo
package import LatticeWire

/// Where a reader of the feed is: after the row with this number, in the file with this name.
package struct FeedMark: Hashable, Sendable {
    package let epoch: String
    package let seq: Int64

    package init(epoch: String, seq: Int64) {
        (self.epoch, self.seq) = (epoch, seq)
    }
}

/// Which records a reader of the feed wants; a field that is `nil` wants all.
package struct FeedFilter: Hashable, Sendable {
    package var kinds: Set<RecordKind>?
    /// Lines, pins, and what is about a line, come from these rooms only.
    package var rooms: Set<RoomName>?
    /// Posts, events and places, and what is about them, come from inside this circle only.
    package var near: Circle?
    /// Not what came this way.
    package var notVia: RecordCarrier?
    /// Only what its author lets cross bridges.
    package var crossing: Bool

    package init(
        kinds: Set<RecordKind>? = nil, rooms: Set<RoomName>? = nil, near: Circle? = nil, notVia: RecordCarrier? = nil,
        crossing: Bool = false
    ) {
        (self.kinds, self.rooms, self.near, self.notVia) = (kinds, rooms, near, notVia)
        self.crossing = crossing
    }
}

package struct FedRecord: Hashable, Sendable {
    package let seq: Int64
    package let id: RecordID
    /// The signed record.
    package let bytes: [UInt8]
}

/// A portion of the feed.
package struct FeedPage: Sendable {
    package let records: [FedRecord]
    /// Everything up to here was read, whether it was wanted or not.
    package let mark: FeedMark
    /// There was nothing after `mark`.
    package let isTop: Bool
}

/// How many records a reader of the feed has before it.
package struct FeedCount: Hashable, Sendable {
    package let count: Int
    /// Not all rows were looked at: there may be more.
    package let isMore: Bool

    package init(count: Int, isMore: Bool) { (self.count, self.isMore) = (count, isMore) }
}

/// Records in the order in which they were stored. A record that leaves the store leaves a gap.
package struct FeedReader: Sendable {
    let access: PersonaAccess

    /// Rows read at a time: some milliseconds of work, however few of them are wanted.
    private static let rowsMax = 4_096

    /// A row that a record has, or had before it was erased.
    package struct Place: Hashable, Sendable {
        package let seq: Int64
        package let isErased: Bool
    }

    /// The end of the feed.
    package func top() async throws(StoreError) -> FeedMark {
        try await access.read { FeedMark(try CatalogueMark($0)) }
    }

    /// Whether a reader can continue there: the file is the same, and was not replaced by an earlier copy of itself.
    package func has(_ mark: FeedMark) async throws(StoreError) -> Bool {
        try await access.read { database in
            let top = FeedMark(try CatalogueMark(database))
            return mark.epoch == top.epoch && (0...top.seq).contains(mark.seq)
        }
    }

    /// - Returns: those of `ids` that the store has, and the end of the feed.
    package func places(of ids: [RecordID]) async throws(StoreError) -> (places: [RecordID: Place], top: FeedMark) {
        try await access.read { database in
            let statement = try RawStatement(database, "SELECT seq, erased FROM record WHERE id = ?")
            var places: [RecordID: Place] = [:]
            for id in ids {
                try statement.bind(id.hash, at: 1)
                places[id] = try statement.first { Place(seq: $0.int(0), isErased: $0.int(1) != 0) }
            }
            return (places, FeedMark(try CatalogueMark(database)))
        }
    }

    /// The signed record, if it is here, was not deleted and has not expired.
    ///
    /// - Parameter crossing: only if its author lets it cross bridges.
    package func record(
        _ id: RecordID, crossing: Bool, at now: WallTime
    ) async throws(StoreError) -> [UInt8]? {
        try await access.read { database in
            let row = try database.one(
                "SELECT kind, topic, author, bytes FROM record WHERE id = ? AND erased = 0 AND expires > ?",
                [.key(id.hash), .int(now.milliseconds)]
            ) { row in
                let kind = RecordKind(rawValue: UInt64(bitPattern: row.int(0)))
                return (CrossingJudge.Subject(kind: kind, topic: row.bytes(1), author: row.int(2)), row.bytes(3))
            }
            guard let (subject, bytes) = row else { return nil }
            return try !crossing || CrossingJudge(database, at: now).mayCross(subject) ? bytes : nil
        }
    }

    /// - Parameters:
    ///   - countMax: of records.
    ///   - bytesMax: of their signed bytes; the first one is read even if it is longer.
    ///   - now: what authors let cross bridges counts as it stands then.
    /// - Returns: `nil` if the file is a different one.
    package func page(
        after mark: FeedMark, countMax: Int, bytesMax: Int, where filter: FeedFilter, at now: WallTime
    ) async throws(StoreError) -> FeedPage? {
        try await access.read { database in
            let top = FeedMark(try CatalogueMark(database))
            guard mark.epoch == top.epoch, (0...top.seq).contains(mark.seq) else { return nil }
            let scan = FeedScan(database: database, filter: filter, at: now)
            return try scan.page(after: mark, top, countMax: countMax, bytesMax: bytesMax, rowsMax: Self.rowsMax)
        }
    }
}

extension FeedReader {
    /// Rows that are looked at to count: some tens of milliseconds.
    package static let countedRowsMax = 16_384

    /// How many records a page without limits would have.
    ///
    /// - Returns: `nil` if the file is a different one.
    package func count(
        after mark: FeedMark, where filter: FeedFilter, at now: WallTime, rowsMax: Int = countedRowsMax
    ) async throws(StoreError) -> FeedCount? {
        try await access.read { database in
            let top = FeedMark(try CatalogueMark(database))
            guard mark.epoch == top.epoch, (0...top.seq).contains(mark.seq) else { return nil }
            return try FeedScan(database: database, filter: filter, at: now).count(after: mark, rowsMax: rowsMax)
        }
    }
}

extension FeedMark {
    fileprivate init(_ mark: CatalogueMark) {
        self.init(epoch: mark.epoch, seq: mark.seq)
    }
}

private struct FeedScan {
    let database: Database
    let filter: FeedFilter
    private let topics: Set<[UInt8]>?
    private let judge: CrossingJudge?

    init(database: Database, filter: FeedFilter, at now: WallTime) {
        (self.database, self.filter) = (database, filter)
        judge = filter.crossing ? CrossingJudge(database, at: now) : nil
        topics = filter.rooms.map { Set($0.map { Array($0.text.utf8) }) }
    }

    private struct Row {
        let id: RecordID
        let kind: RecordKind
        let topic: [UInt8]
        let author: Int64
    }

    func page(
        after mark: FeedMark, _ top: FeedMark, countMax: Int, bytesMax: Int, rowsMax: Int
    ) throws -> FeedPage {
        let rows = try RawStatement(
            database,
            "SELECT seq, id, kind, topic, via, erased, bytes, author FROM record WHERE seq > ? ORDER BY seq LIMIT ?")
        try rows.bind(mark.seq, at: 1)
        try rows.bind(Int64(rowsMax), at: 2)
        var records: [FedRecord] = []
        var (last, bytesCount, rowCount, isFull) = (mark.seq, 0, 0, false)
        try rows.forEach { columns in
            rowCount += 1
            let seq = columns.int(0)
            guard columns.int(5) == 0, let hash = columns.bytes32(1), columns.int(4) != filter.notVia?.rawValue else {
                last = seq
                return true
            }
            let row = Row(
                id: RecordID(hash), kind: RecordKind(rawValue: UInt64(bitPattern: columns.int(2))),
                topic: columns.bytes(3), author: columns.int(7))
            if try wants(row), try mayCross(row) {
                let bytes = columns.bytes(6)
                isFull = records.count == countMax || !records.isEmpty && bytesCount + bytes.count > bytesMax
                if isFull { return false }
                bytesCount += bytes.count
                records.append(FedRecord(seq: seq, id: row.id, bytes: bytes))
            }
            last = seq
            return true
        }
        let isTop = !isFull && rowCount < rowsMax
        // Rows at the end may have been removed.
        return FeedPage(
            records: records, mark: FeedMark(epoch: mark.epoch, seq: isTop ? max(last, top.seq) : last), isTop: isTop)
    }

    func count(after mark: FeedMark, rowsMax: Int) throws -> FeedCount {
        let rows = try RawStatement(
            database, "SELECT id, kind, topic, via, erased, author FROM record WHERE seq > ? ORDER BY seq LIMIT ?")
        try rows.bind(mark.seq, at: 1)
        try rows.bind(Int64(rowsMax), at: 2)
        var (count, rowCount) = (0, 0)
        try rows.forEach { columns in
            rowCount += 1
            guard columns.int(4) == 0, let hash = columns.bytes32(0), columns.int(3) != filter.notVia?.rawValue else {
                return true
            }
            let row = Row(
                id: RecordID(hash), kind: RecordKind(rawValue: UInt64(bitPattern: columns.int(1))),
                topic: columns.bytes(2), author: columns.int(5))
            if try wants(row), try mayCross(row) { count += 1 }
            return true
        }
        return FeedCount(count: count, isMore: rowCount == rowsMax)
    }

    private func mayCross(_ row: Row) throws -> Bool {
        try judge?.mayCross(CrossingJudge.Subject(kind: row.kind, topic: row.topic, author: row.author)) ?? true
    }

    private func wants(_ row: Row) throws -> Bool {
        if let kinds = filter.kinds, !kinds.contains(row.kind) { return false }
        guard topics != nil || filter.near != nil else { return true }
        switch row.kind {
        case .chat, .pin: return topics?.contains(row.topic) ?? true
        case .post, .event, .place: return try isNear(row.id.hash)
        case .reaction:
            // The emoji follows the id.
            guard let id = Bytes32(Array(row.topic.prefix(32))) else { return true }
            return try isAboutWanted(id)
        case .comment, .like, .attendance, .edit, .deletion, .manifest:
            guard let id = Bytes32(row.topic) else { return topics?.contains(row.topic) ?? true }
            return try isAboutWanted(id)
        default: return true
        }
    }

    /// What is about something that is not here goes along: it may be about something wanted.
    private func isAboutWanted(_ id: Bytes32) throws -> Bool {
        let target = try database.one("SELECT kind, topic FROM record WHERE id = ?", [.key(id)]) {
            (kind: RecordKind(rawValue: UInt64(bitPattern: $0.int(0))), topic: $0.bytes(1))
        }
        guard let target else { return true }
        return target.kind == .chat ? topics?.contains(target.topic) ?? true : try isNear(id)
    }

    private func isNear(_ id: Bytes32) throws -> Bool {
        guard let circle = filter.near else { return true }
        return try ItemPlaces(database: database).isInside(id, circle)
    }
}
