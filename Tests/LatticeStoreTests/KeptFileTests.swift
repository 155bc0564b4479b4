import Foundation
import GRDB
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

/// Files of earlier versions open, and hold what they held.
///
/// A kept file is made once, by the version it is of, and never again:
/// `LATTICE_KEPT_FILE=v2 swift test --filter aKeptFileIsMade` writes `Fixtures/v2.sqlite`, and its row is added to `versions`.
@Suite struct KeptFileTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")
    /// How many records each holds.
    private static let versions = [("v1", 103), ("v2", 103), ("v3", 103), ("v4", 106)]
    /// How many of them were taken back.
    private static let erased = 5

    @Test(arguments: versions) func aFileOfAnEarlierVersionOpens(version: String, records: Int) async throws {
        let folder = try Folder()
        let kept = Self.fixtures.appending(path: "\(version).sqlite")
        try FileManager.default.copyItem(at: kept, to: URL(fileURLWithPath: folder.path))
        let store = try folder.store(of: Author(1))
        #expect(try await store.stats(at: Morning.arrival).records == records)
        #expect(try await store.check(verify: verified).faults == [])
        let before = try dump(folder.path)
        #expect(try await store.rebuild(at: Morning.arrival) == records)
        #expect(difference(before, try dump(folder.path)) == [])
        #expect(try await store.setting("here") == "40.7,-74")
        #expect(try await store.waiting(limit: 10, after: nil).count == (version == "v4" ? 2 : 1))
        var copy = try await KeySet(store)
        #expect(copy.keys.count == records - Self.erased)
        #expect(try await store.insert([Author(2).post("and on")], at: Morning.arrival) == [.added])
        try await copy.follow(store, limit: 10)
        #expect(copy.keys.count == records - Self.erased + 1 && copy.loads == 1)
        #expect(try await store.comparedPeers().count == (version == "v1" ? 0 : 1))
        let hasLetters = !["v1", "v2"].contains(version)
        #expect(try await store.conversations(limit: 10).map(\.text) == (hasLetters ? ["hello"] : []))
        let camp = try RoomName("#camp")
        let hasRooms = hasLetters && version != "v3"
        #expect(try await store.privateRooms() == (hasRooms ? [camp] : []))
        #expect(try await store.roomKeys().map(\.number) == (hasRooms ? [0] : []))
        let guest = store.of(try Author(200).peer)
        #expect(try await guest.conversations(limit: 10).map(\.text) == (version == "v4" ? ["hello, too"] : []))
        #expect(try await guest.privateRooms() == (version == "v4" ? [camp] : []))
        // No number is given twice.
        let next = try #require(
            try await store.keep(
                NewLetter(peer: guest.author, name: try PeerName("ann"), text: "next", isAction: false),
                at: Morning.arrival, expires: Morning.after(seconds: 9), unsealedMax: 10, writer: 1))
        #expect(next.number == (hasLetters ? (hasRooms ? 3 : 2) : 1))
        #expect(
            try await store.history(privateRoom: camp, limit: 10).lines.map(\.text) == (hasRooms ? ["around"] : []))
    }

    /// Whichever version a file began as: the tables are the same, rebuilt ones too.
    @Test(arguments: versions) func aFileOfAnEarlierVersionHasTheTablesOfANewOne(version: String, records: Int)
        async throws
    {
        let (folder, fresh) = (try Folder(), try Folder())
        let kept = Self.fixtures.appending(path: "\(version).sqlite")
        try FileManager.default.copyItem(at: kept, to: URL(fileURLWithPath: folder.path))
        let store = try folder.store(of: Author(1))
        _ = try fresh.store(of: Author(1))
        let tables = try schema(fresh.path)
        #expect(try schema(folder.path) == tables)
        _ = try await store.rebuild(at: Morning.arrival)
        #expect(try schema(folder.path) == tables)
    }

    /// Without comments: SQLite keeps those that stand in a table, and a kept file has the words of its time.
    private func schema(_ path: String) throws -> [String] {
        let tables = try DatabaseQueue(path: path).read {
            try String.fetchAll(
                $0, sql: "SELECT name || ': ' || sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
        }
        return tables.map { table in
            table.split(separator: "\n")
                .filter { line in !line.drop { $0 == " " }.hasPrefix("--") }
                .joined(separator: "\n")
        }
    }

    /// To compare a number with a list of three or more SQLite would fill a table for each row that is written.
    @Test(arguments: [
        "record", "item", "reaction", "activity", "floor", "letter", "prekey", "resident", "room", "room_key",
        "room_member",
        "room_line", "room_offer", "room_errand",
    ])
    func nothingIsComparedWithAListWhenARowIsWritten(table: String) async throws {
        let folder = try Folder()
        _ = try folder.store(of: Author(1))
        let operations = try await DatabaseQueue(path: folder.path).read { database in
            let columns = try database.columns(in: table).map(\.name).filter { $0 != "turn" }
            let values = columns.map { _ in "0" }.joined(separator: ", ")
            return try Row.fetchAll(
                database,
                sql: "EXPLAIN INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))"
            ).map { $0["opcode"] as String }
        }
        #expect(operations.contains("Insert") || operations.contains("IdxInsert"))
        #expect(!operations.contains("OpenEphemeral"))
    }

    /// The second version knew neither letters nor keys to them, and kept them unread.
    @Test func whatWasKeptUnreadCountsAsWhatItIs() async throws {
        let folder = try Folder()
        try FileManager.default.copyItem(
            at: Self.fixtures.appending(path: "v2.sqlite"), to: URL(fileURLWithPath: folder.path))
        let author = try Author(2)
        let sealed = SealedBody(
            tagKey: .zero, tag: [UInt8](repeating: 1, count: 24), letterKey: .zero,
            letter: [UInt8](repeating: 2, count: 272))
        let (letter, writer) = (author.say(.sealed, body: sealed.body), author.peer)
        let keys = author.say(
            .prekeys, body: PrekeysBody(rotating: Prekey(id: 1, key: .zero), oneTime: []).body)
        try await DatabaseQueue(path: folder.path).write { database in
            for record in [letter, keys] {
                let date = record.record.created.wall.milliseconds
                try database.execute(
                    sql: """
                        INSERT INTO record
                          (id, kind, author, created, lifetime, topic, seen, date, expires, class, size, erased, bytes)
                        SELECT ?, ?, seq, ?, 86400, x'', ?, ?, ?, 2, ?, 0, ? FROM peer WHERE key = ?
                        """,
                    arguments: [
                        Data(record.id.hash.bytes), Int64(record.kind.rawValue),
                        Int64(bitPattern: record.record.created.rawValue ^ 1 << 63), date, date, date + 86_400_000,
                        record.signed.bytes.count + 220, Data(record.signed.bytes), Data(writer.key.bytes),
                    ])
            }
        }
        let store = try folder.store(of: Author(1))
        let stats = try await store.stats(at: Morning.arrival)
        #expect(stats.records == 104 && stats.kinds.first { $0.kind == 12 }?.records == 1)
        #expect(try await store.check(verify: verified).faults == [])
        #expect(try await store.lettersToOpen(limit: 10).map(\.id) == [letter.id])
        #expect(try await store.insert([letter, keys], at: Morning.arrival) == [.known, .added])
    }

    private static let made = ProcessInfo.processInfo.environment["LATTICE_KEPT_FILE"]

    @Test(.enabled(if: made != nil)) func aKeptFileIsMade() async throws {
        let folder = try Folder()
        let story = try Story(seed: 1)
        let store = try folder.store(of: story.authors[0])
        for portion in story.records.portions(of: 10) { _ = try await store.insert(portion, at: Morning.arrival) }
        try await store.set("here", "40.7,-74")
        let own = story.authors[0].post("waits")
        _ = try await store.write(at: Morning.arrival, waits: true) { _ in own }
        try await store.noteCompared(with: story.authors[1].peer, at: Morning.arrival, gained: 3, given: 4)
        _ = try await store.keep(
            NewLetter(peer: story.authors[1].peer, name: story.authors[0].name, text: "hello", isAction: false),
            at: Morning.arrival, expires: Morning.after(seconds: 86_400), unsealedMax: 10, writer: 1)
        let camp = NewRoomKey(
            room: try RoomName("#camp"), root: .zero, id: .zero, sealed: [UInt8](repeating: 7, count: 72),
            maker: story.authors[0].peer,
            members: [RoomKeyText.Member(story.authors[0].peer, .here), .init(story.authors[1].peer, .invited)])
        _ = try await store.hold(camp, at: Morning.arrival, roomsMax: 1, keysMax: 1)
        let key = try #require(try await store.roomKeys().first)
        try await store.invite(
            story.authors[1].peer, name: "bob", under: key.seq, expires: Morning.after(seconds: 86_400))
        let sealed = story.authors[0].say(
            .sealed,
            body: SealedBody(
                tagKey: .zero, tag: [UInt8](repeating: 1, count: 24), letterKey: .zero,
                letter: [UInt8](repeating: 2, count: 272)
            ).body)
        let line = ChatLine(style: .says, name: story.authors[0].name, text: "around")
        _ = try await store.say(line, under: key, at: Morning.arrival) { _ in sealed }
        let (guest, name) = (try Author(200), try PeerName("guest"))
        let theirs = store.of(guest.peer)
        _ = try await theirs.keep(
            NewLetter(peer: story.authors[0].peer, name: name, text: "hello, too", isAction: false),
            at: Morning.arrival, expires: Morning.after(seconds: 86_400), unsealedMax: 10, writer: 1)
        _ = try await theirs.hold(camp, at: Morning.arrival, roomsMax: 1, keysMax: 1)
        let prekey = StoredPrekey(
            prekey: Prekey(id: 3, key: .zero), sealed: [UInt8](repeating: 7, count: 72), isRotating: true,
            made: Morning.arrival)
        let keys = guest.say(.prekeys, body: PrekeysBody(rotating: prekey.prekey, oneTime: []).body)
        try await theirs.publish([prekey], at: Morning.arrival) { _ in keys }
        let residence = guest.say(
            .residence, topic: story.authors[0].peer.key.bytes,
            body: story.authors[0].identity.vouch(for: guest.peer).body)
        _ = try await store.insert([residence], at: Morning.arrival)
        _ = try await store.vacuum()
        try store.close()
        let version = try #require(Self.made)
        try FileManager.default.createDirectory(at: Self.fixtures, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: folder.path), to: Self.fixtures.appending(path: "\(version).sqlite"))
    }
}
