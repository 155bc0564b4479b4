import Foundation
import GRDB
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

/// A store whose rows are set by hand: for what reads it, whatever it was that wrote them.
final class Shelf {
    let store: Store
    let rows: DatabaseQueue
    private let folder: URL
    private var generator: SeededGenerator

    static let now = WallTime(milliseconds: 1_800_000_000_000)
    static let owner = peer(0)

    init(seed: UInt64 = 1) throws {
        generator = SeededGenerator(seed: seed)
        folder = FileManager.default.temporaryDirectory.appending(path: "lattice-shelf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "store.sqlite").path
        store = try Store(path: path, owner: Self.owner)
        rows = try DatabaseQueue(path: path)
    }

    deinit {
        _ = Result { try FileManager.default.removeItem(at: folder) }
    }

    static func peer(_ number: Int) -> PeerID {
        var generator = SeededGenerator(seed: UInt64(number) + 1_000)
        return PeerID(bytes(&generator))
    }

    static func bytes(_ generator: inout some RandomNumberGenerator) -> Bytes32 {
        Bytes32((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }) ?? .zero
    }

    /// A post or event, or a comment on `parent`.
    struct Thing {
        var kind = RecordKind.post
        var author = 0
        var date = Shelf.now.milliseconds - 60_000
        var expires = Shelf.now.milliseconds + 60_000
        var state = 0
        var place: Coordinate?
        var text = "hello"
        var parent: RecordID?
        var id: RecordID?
        var starts: Int64?
        var ends: Int64?
    }

    /// - Returns: ids in the order of the things; their seqs are 1, 2, … in the same order.
    @discardableResult
    func put(_ things: [Thing]) throws -> [RecordID] {
        let ids = things.map { $0.id ?? RecordID(Self.bytes(&generator)) }
        try rows.write { database in
            for (thing, id) in zip(things, ids) { try put(thing, id, in: database) }
        }
        return ids
    }

    private func put(_ thing: Thing, _ id: RecordID, in database: Database) throws {
        let seq = try record(
            thing.kind, id, by: thing.author, topic: thing.parent?.hash.bytes ?? [], date: thing.date,
            expires: thing.expires, in: database)
        let place = thing.state == 0 ? thing.place : nil
        try database.execute(
            sql: """
                INSERT INTO item (record, id, kind, author, date, expires, state, parent, name, text, latitude, longitude,
                  starts, ends)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                seq, Data(id.hash.bytes), Int64(thing.kind.rawValue), Int64(thing.author) + 1, thing.date,
                thing.expires, thing.state,
                thing.parent.map { Data($0.hash.bytes) }, "name\(thing.author)", thing.text, place?.latitudeE7,
                place?.longitudeE7, thing.starts, thing.ends,
            ])
        if let place {
            try database.execute(
                sql: "INSERT INTO spot VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    Int64(thing.kind.rawValue), Cell(place).value, seq, place.latitudeE7, place.longitudeE7, thing.date,
                    thing.expires,
                ])
        }
        if thing.state == 0, thing.kind != .comment {
            try database.execute(
                sql: "INSERT INTO words (rowid, title, text, place) VALUES (?, '', ?, '')",
                arguments: [seq, thing.text])
        }
    }

    /// A like, follow or attendance.
    func react(_ kind: RecordKind, by author: Int, to target: Bytes32, date: Int64 = 1, holds: Bool = true) throws {
        let id = RecordID(Self.bytes(&generator))
        try rows.write { database in
            let seq = try record(
                kind, id, by: author, topic: target.bytes, date: date, expires: Shelf.now.milliseconds + 1, in: database
            )
            try database.execute(
                sql: "INSERT INTO reaction VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [Data(target.bytes), Int64(kind.rawValue), author + 1, seq, date, holds])
            let column = kind == .like ? "likes" : "attendees"
            try database.execute(
                sql: "UPDATE item SET \(column) = \(column) + 1 WHERE record IN (SELECT seq FROM record WHERE id = ?)",
                arguments: [Data(target.bytes)])
        }
    }

    func profile(_ author: Int, name: String) throws {
        let id = RecordID(Self.bytes(&generator))
        try rows.write { database in
            let seq = try record(.profile, id, by: author, topic: [], date: 1, expires: .max, in: database)
            try database.execute(
                sql: "INSERT INTO profile (peer, record, name, about, colour) VALUES (?, ?, ?, 'about', 255)",
                arguments: [author + 1, seq, name])
        }
    }

    /// - Returns: its seq.
    private func record(
        _ kind: RecordKind, _ id: RecordID, by author: Int, topic: [UInt8], date: Int64, expires: Int64,
        in database: Database
    ) throws -> Int64 {
        try database.execute(
            sql: "INSERT OR IGNORE INTO peer VALUES (?, ?)",
            arguments: [author + 1, Data(Self.peer(author).key.bytes)])
        try database.execute(
            sql: """
                INSERT INTO record
                  (id, kind, author, created, lifetime, topic, seen, date, expires, class, size, filed, bytes)
                VALUES (?, ?, ?, ?, 60, ?, ?, ?, ?, 0, 100, 1, x'00')
                """,
            arguments: [
                Data(id.hash.bytes), Int64(kind.rawValue), author + 1, date << 16, Data(topic), date, date, expires,
            ])
        try database.execute(
            sql: """
                INSERT INTO usage_author VALUES (?, 1, 100)
                ON CONFLICT (author) DO UPDATE SET records = records + 1, bytes = bytes + 100
                """,
            arguments: [author + 1])
        try database.execute(sql: "UPDATE ledger SET (filed, top) = (SELECT max(seq), max(seq) FROM record)")
        return database.lastInsertedRowID(of: id)
    }
}

extension Database {
    fileprivate func lastInsertedRowID(of id: RecordID) -> Int64 {
        let seq = Result {
            try Int64.fetchOne(self, sql: "SELECT seq FROM record WHERE id = ?", arguments: [Data(id.hash.bytes)])
        }
        guard case .success(.some(let value)) = seq else { preconditionFailure("it was put in just now") }
        return value
    }
}
