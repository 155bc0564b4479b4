import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

@testable import LatticeStore

/// Files in private messages and private rooms, as a store keeps them.
@Suite struct SealedFileReaderTests {
    private let folder: Folder
    private let store: Store
    private let (owner, other): (Author, Author)

    init() throws {
        folder = try Folder()
        (owner, other) = (try Author(1), try Author(2))
        store = try folder.store(of: owner)
    }

    private static func file(_ number: UInt8, _ name: String = "map.pdf") throws -> SealedFile {
        let key = try #require(Bytes32([UInt8](repeating: number, count: 32)))
        let size = try #require(SealedShape(plainBytes: 100)).blobBytes
        return SealedFile(
            try #require(BlobName(root: key, size: size)), key: key, prefix: [UInt8](repeating: number, count: 16),
            plainBytes: 100, name: try #require(FileName(name)), type: .unknown)
    }

    private func line(_ file: SealedFile?, by author: Author) -> ChatLine {
        ChatLine(style: .acts, name: author.name, text: "shares a file", sealedFile: file)
    }

    /// A private message of the other's.
    private func receive(_ file: SealedFile) async throws -> VerifiedRecord {
        let record = other.sealed()
        try await receive(
            record,
            .line(
                NewMessage(peer: other.peer, name: other.name, text: "shares a file", isAction: true, file: file),
                isLate: false))
        return record
    }

    private func receive(_ record: VerifiedRecord, _ content: OpenedMessage.Content) async throws {
        _ = try await store.insert([record], at: Morning.arrival)
        let arrived = try #require(try await store.messages.toOpen(limit: 100).first { $0.id == record.id })
        _ = try await store.messages.enter(
            [OpenedMessage(arrived, prekey: 7, content: content)], upTo: arrived.seq, at: Morning.arrival,
            lifetime: 1_000, writer: 1)
    }

    private func room(_ name: String) async throws -> StoredRoomKey {
        let root = Bytes32(words: (1, 2, 3, UInt64(name.utf8.count)))
        let room = try RoomName(name)
        _ = try await store.rooms.hold(
            NewRoomKey(room: room, root: root, id: root, sealed: [1]), at: Morning.arrival, roomsMax: 8, keysMax: 1)
        return try #require(try await store.rooms.keys(of: room).first)
    }

    private func say(_ file: SealedFile, under key: StoredRoomKey) async throws -> StoredRoomLine {
        let sealed = owner.sealed()
        let said = try await store.rooms.say(
            [(line(file, by: owner), { @Sendable _ in sealed })], under: key, at: Morning.arrival)
        return try #require(said?.first ?? nil)
    }

    @Test func aFileIsFoundByItsLineAndItsID() async throws {
        let (first, second) = (try Self.file(1), try Self.file(2))
        _ = try await receive(first)
        let mine = NewMessage(peer: other.peer, name: owner.name, text: "shares it", isAction: true, file: second)
        let kept = try #require(
            try await store.messages.keep(
                mine, at: Morning.arrival, expires: Morning.after(seconds: 9), unsealedMax: 9, writer: 1))
        #expect(kept.file == second)
        let key = try await room("#camp")
        let third = try Self.file(3)
        let said = try await say(third, under: key)
        #expect(said.file == third.id)

        let all = try await store.sealedFiles.newest(10)
        #expect(Set(all.map(\.file)) == [first, second, third])
        let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
        #expect(byID[first.id]?.author == other.peer && byID[first.id]?.place == .person(other.peer))
        #expect(byID[second.id]?.author == owner.peer && byID[second.id]?.use == .privateText(kept.number))
        #expect(byID[third.id]?.place == .room(key.room) && byID[third.id]?.use == .roomLine(said.number))
        #expect(try await store.sealedFiles.newest(10, in: .person(other.peer)).map(\.file) == [second, first])
        #expect(try await store.sealedFiles.newest(10, in: .person(owner.peer)) == [])
        #expect(try await store.sealedFiles.newest(10, in: .room(key.room)).map(\.file) == [third])
        #expect(try await store.sealedFiles.newest(1).count == 1)
        for file in [first, second, third] {
            #expect(
                try await store.sealedFiles.withPrefix(String(file.id.hex.prefix(12)), limit: 9).map(\.file) == [file])
        }
        #expect(try await store.sealedFiles.withPrefix("xyz", limit: 9) == [])
    }

    @Test func anotherPersonaFindsNothingOfIt() async throws {
        let file = try Self.file(1)
        _ = try await receive(file)
        _ = try await say(try Self.file(2), under: try await room("#camp"))
        let guest = store.of(other.peer)
        #expect(try await guest.sealedFiles.newest(10) == [])
        #expect(try await guest.sealedFiles.withPrefix(file.id.hex, limit: 9) == [])
    }

    @Test func aFileThatIsSentTwiceIsListedOnce() async throws {
        let (file, key) = (try Self.file(1), try await room("#camp"))
        _ = try await say(file, under: key)
        let again = try await say(file, under: key)
        let listed = try await store.sealedFiles.newest(10)
        #expect(listed.map(\.file) == [file] && listed.map(\.use) == [.roomLine(again.number)])
    }

    /// The key goes with the line, and nothing keeps the blob.
    @Test func aDeletedLineHasNoFile() async throws {
        let file = try Self.file(1)
        let record = try await receive(file)
        let use = try #require(try await store.sealedFiles.newest(1).first).use
        _ = try await store.blobs.add(file.blob, .own, use: use, at: Morning.arrival)
        #expect(try await store.blobs.find(file.blob)?.isUnused == false)
        try await receive(other.sealed(), .act(SealedAct(record.id, .deletion)))
        #expect(try await store.sealedFiles.newest(1) == [])
        #expect(try await store.sealedFiles.withPrefix(file.id.hex, limit: 1) == [])
        #expect(try await store.messages.lines(with: other.peer, limit: 1).map(\.file) == [nil])
        #expect(try await store.blobs.find(file.blob)?.isUnused == true)
        let left = try await store.access.read { database in
            try database.one("SELECT count(*) FROM message WHERE file IS NOT NULL", []) { $0.int(0) }
        }
        #expect(left == 0)
    }

    @Test func anEditKeepsTheFile() async throws {
        let (file, another) = (try Self.file(1), try Self.file(2))
        let record = try await receive(file)
        try await receive(other.sealed(), .act(SealedAct(record.id, .edit(line(another, by: other)))))
        #expect(try await store.sealedFiles.newest(9).map(\.file) == [file])
    }

    @Test func aForgottenRoomHasNoFiles() async throws {
        let (file, key) = (try Self.file(1), try await room("#camp"))
        let said = try await say(file, under: key)
        _ = try await store.blobs.add(file.blob, .own, use: .roomLine(said.number), at: Morning.arrival)
        try await store.rooms.forget(key.room)
        #expect(try await store.sealedFiles.newest(1) == [])
        #expect(try await store.blobs.find(file.blob)?.isUnused == true)
    }

    @Test func everyQueryUsesAnIndex() async throws {
        let queries: [(sql: String, index: String)] = [
            (SealedFileReader.messageQuery, "message_file"), (SealedFileReader.lineQuery, "room_line_file"),
            (SealedFileReader.messagePrefixQuery, "message_file_id"),
            (SealedFileReader.linePrefixQuery, "room_line_file_id"),
        ]
        for (sql, index) in queries {
            let plan = try await store.access.read { database in
                try database.all("EXPLAIN QUERY PLAN \(sql)", []) { $0.text(3) }
            }
            #expect(plan.contains { $0.contains("INDEX \(index) ") }, "\(sql): \(plan)")
        }
    }
}
