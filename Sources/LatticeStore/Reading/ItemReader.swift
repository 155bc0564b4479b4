import GRDB
import LatticeCore
import LatticeGeo
import LatticeWire

struct ItemReader {
    private let database: Database
    private let viewer: PeerID
    private let row: RawStatement
    private var viewerSeq: Int64??

    /// Items that one run of the statement reads. A run for each item would take half as long again.
    private static let itemsMax: Int32 = 32

    // The list of numbers is not a table, and is read in its order. SQLite copies each text and blob that it returns, even an
    // empty one, so columns that most items lack are left out.
    private static let sql = """
        WITH wanted (place, record) AS (VALUES \((1...itemsMax).map { "(\($0),?\($0))" }.joined(separator: ",")))
        SELECT i.kind, i.date, i.expires, i.state, i.parent, iif(f.name IS NULL, i.name, f.name), f.colour,
          iif(i.kind IN (8, 17), i.title, NULL), i.text, iif(i.place = '', NULL, i.place), i.latitude, i.longitude, i.geohash,
          i.starts, i.ends, i.edited, i.likes, i.comments, i.attendees, i.id, p.key, i.record, w.place,
          i.kind = 4 AND \(UrgentTable.isUrgent("i.id")), \(StoredPhoto.columns(of: "i")),
          f.photo_size, iif(i.hours = '', NULL, i.hours), i.at_place, i.unlock, i.written
        FROM wanted w CROSS JOIN item i ON i.record = w.record CROSS JOIN peer p ON p.seq = i.author
          LEFT JOIN profile f ON f.peer = i.author
        """

    init(_ database: Database, viewer: PeerID) throws {
        self.database = database
        self.viewer = viewer
        row = try RawStatement(database, Self.sql)
    }

    /// - Returns: `nil` if the record is not an item or has expired.
    mutating func item(_ seq: Int64, now: WallTime) throws -> StoredItem? {
        var item: StoredItem?
        try forEach([seq], now: now) { _, read in item = read }
        return item
    }

    mutating func items(_ seqs: [Int64], now: WallTime) throws -> [StoredItem] {
        var items: [StoredItem] = []
        items.reserveCapacity(seqs.count)
        try forEach(seqs, now: now) { _, item in items.append(item) }
        return items
    }

    /// In the given order; skips records that are not items or have expired.
    ///
    /// - Parameter body: gets the index in the list as well.
    mutating func forEach(_ seqs: [Int64], now: WallTime, _ body: (_ index: Int, _ item: StoredItem) -> Void) throws {
        for first in stride(from: 0, to: seqs.count, by: Int(Self.itemsMax)) {
            let count = min(Int32(seqs.count - first), Self.itemsMax)
            for place in 1...Self.itemsMax {
                if place <= count {
                    try row.bind(seqs[first + Int(place) - 1], at: place)
                } else {
                    try row.bindNull(at: place)
                }
            }
            defer { row.reset() }
            while try row.step() {
                let place = row.int(22)
                if let item = try read(now) { body(first + Int(place) - 1, item) }
                if place == count { break }
            }
        }
    }

    private mutating func read(_ now: WallTime) throws -> StoredItem? {
        guard row.int(2) > now.milliseconds, let hash = row.bytes32(19), let key = row.bytes32(20) else { return nil }
        let seq = row.int(21)
        let kind = RecordKind(rawValue: UInt64(bitPattern: row.int(0)))
        guard kind.isItem else { throw DatabaseError.damaged("item \(seq) is of no kind that items have") }
        let author = PeerID(key)
        let likes = Int(row.int(16))
        let attendees = Int(row.int(18))
        return StoredItem(
            seq: seq, id: RecordID(hash), kind: kind, author: author,
            authorName: row.text(5),
            authorLook: StoredItem.AuthorLook(
                colour: row.optionalInt(6).map { Colour(rgb: UInt32(truncatingIfNeeded: $0) & 0xFF_FFFF) },
                photoSize: row.optionalInt(30)),
            date: WallTime(milliseconds: row.int(1)), expires: WallTime(milliseconds: row.int(2)),
            state: StoredItem.State(rawValue: Int(row.int(3))) ?? .shown,
            parent: row.bytes32(4).map(RecordID.init), title: row.text(7), text: row.text(8),
            placeName: row.text(9), place: place,
            atPlace: row.bytes32(32).map(RecordID.init), unlockMetres: row.optionalInt(33).map { Int($0) },
            times: times(of: kind, now), edited: date(15),
            photo: StoredPhoto(row, at: 24),
            counts: StoredItem.Counts(likes: likes, comments: Int(row.int(17)), attendees: attendees),
            isLikedByOwner: try likes > 0 && viewerHolds(.like, of: hash),
            isAttendedByOwner: try attendees > 0 && viewerHolds(.attendance, of: hash),
            isWaiting: try author == viewer && isWaiting(seq), isUrgent: row.int(23) == 1)
    }

    private var place: Place? {
        guard !row.isNull(10),
            let coordinate = Coordinate(
                latitudeE7: Int32(truncatingIfNeeded: row.int(10)),
                longitudeE7: Int32(truncatingIfNeeded: row.int(11)))
        else { return nil }
        let characters = UInt8(truncatingIfNeeded: row.int(12))
        // A damaged row is not fatal.
        guard characters <= Place.geohashCharactersMax else { return nil }
        return Place(coordinate, geohashCharacters: characters == 0 ? nil : characters)
    }

    private func times(of kind: RecordKind, _ now: WallTime) -> StoredItem.Times {
        let (starts, ends) = (date(13), date(14))
        let over = ends?.milliseconds ?? starts.map { $0.milliseconds + EventReader.lengthAssumedMilliseconds }
        return StoredItem.Times(
            starts: starts, ends: ends, hours: row.text(31), written: date(34),
            isPast: kind == .event && over.map { $0 <= now.milliseconds } ?? false)
    }

    private func date(_ column: Int32) -> WallTime? {
        row.optionalInt(column).map(WallTime.init(milliseconds:))
    }

    private mutating func viewerHolds(_ kind: RecordKind, of target: Bytes32) throws -> Bool {
        if viewerSeq == nil { viewerSeq = .some(try database.seq(of: viewer)) }
        guard let known = viewerSeq, let seq = known else { return false }
        let statement = try RawStatement(
            database, "SELECT holds FROM reaction WHERE target = ? AND kind = ? AND author = ?")
        try statement.bind(target, at: 1)
        try statement.bind(Int64(kind.rawValue), at: 2)
        try statement.bind(seq, at: 3)
        return try statement.first { $0.int(0) == 1 } ?? false
    }

    private func isWaiting(_ seq: Int64) throws -> Bool {
        let statement = try RawStatement(database, "SELECT 1 FROM outbox WHERE record = ?")
        try statement.bind(seq, at: 1)
        return try statement.first { _ in true } ?? false
    }
}

extension Database {
    /// The number of a peer in this store; `nil` if no record is by them or about them.
    func seq(of peer: PeerID) throws -> Int64? {
        let statement = try RawStatement(self, "SELECT seq FROM peer WHERE key = ?")
        try statement.bind(peer.key, at: 1)
        return try statement.first { $0.int(0) }
    }
}
