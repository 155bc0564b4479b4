import GRDB
import LatticeCore
import LatticeWire
import Synchronization
import Testing

@testable import LatticeStore

/// Which blobs are here and why.
@Suite struct BlobTableTests {
    private let folder: Folder
    private let store: Store
    private let anna: Author
    private let bert: Author

    init() throws {
        folder = try Folder()
        anna = try Author(1)
        bert = try Author(2)
        store = try folder.store(of: anna)
    }

    private func name(_ number: UInt64, size: Int64 = 100_000) throws -> BlobName {
        try #require(BlobName(root: Bytes32(words: (number, 0, 0, 0)), size: size))
    }

    private func add(
        _ name: BlobName, _ blobClass: BlobClass = .strangers, by author: Author? = nil, use: BlobUse,
        bytes: [UInt8]? = nil, hours: Int64 = 0
    ) async throws -> StoredBlob? {
        try await store.blobs.add(
            name, blobClass, author: author?.peer, use: use, bytes: bytes, at: Morning.after(seconds: 3_600 * hours))
    }

    private func isUnused(_ name: BlobName) async throws -> Bool {
        try #require(try await store.blobs.find(name)).isUnused
    }

    // MARK: - Uses

    @Test func aBlobHasAUseAsLongAsARecordNamesIt() async throws {
        let blob = try name(1)
        let (post, other) = (bert.post("with a photo"), bert.post("the same photo"))
        #expect(try await add(blob, use: .record(post.id)) == nil, "the record is not here")
        #expect(try await store.blobs.find(blob) == nil)
        _ = try await store.insert([post, other], at: Morning.arrival)
        let added = try #require(try await add(blob, by: bert, use: .record(post.id)))
        #expect(added == (try await store.blobs.find(blob)))
        #expect(!added.isComplete && !added.isUnused && added.isShared && !added.isInRow)
        #expect(added.author == bert.peer && added.blobClass == .strangers && added.heldBytes == 0)
        _ = try await add(blob, use: .record(other.id))
        // Its content is deleted; the row stays.
        _ = try await store.insert([bert.delete(post.id)], at: Morning.arrival)
        #expect(try await !isUnused(blob))
        #expect(try await add(blob, use: .record(post.id)) == nil)
        // The row goes when it expires.
        while try await store.upkeep.expire(at: Morning.after(seconds: 100_000)) > 0 {}
        #expect(try await isUnused(blob))
        #expect(try await store.blobs.find(blob)?.isShared == false)
        #expect(try await store.blobs.unused(limit: 10) == [blob])
        // Used again.
        let kept = try #require(try await add(blob, .own, use: .kept(by: anna.peer)))
        #expect(!kept.isUnused && !kept.isShared && kept.blobClass == .own && kept.author == nil)
        #expect(try await store.blobs.unused(limit: 10).isEmpty)
    }

    @Test func aPrivateTextIsAUse() async throws {
        let blob = try name(1)
        let line = NewMessage(peer: bert.peer, name: anna.name, text: "a file", isAction: false)
        let message = try #require(
            try await store.messages.keep(
                line, at: Morning.arrival, expires: Morning.after(seconds: 1_000), unsealedMax: 2, writer: 1))
        #expect(try await add(blob, .own, use: .privateText(message.number + 1)) == nil)
        #expect(try await add(blob, .own, use: .privateText(message.number))?.isShared == true)
        try await store.access.commit {
            try $0.database.run("UPDATE message SET erased = 1, text = '' WHERE number = ?", [.int(message.number)])
        }
        #expect(try await isUnused(blob))
        #expect(try await add(blob, .own, use: .privateText(message.number)) == nil)
    }

    @Test func aLineOfAPrivateRoomIsAUse() async throws {
        let blob = try name(1)
        try await store.access.commit { transaction in
            let database = transaction.database
            try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
            try database.run(
                """
                INSERT INTO room_line (number, room, record, author, name, text, style, turn, date, late)
                VALUES (1, 1, zeroblob(32), zeroblob(32), 'bert', 'a file', 0, 0, 0, 0)
                """, [])
            let row = NewBlobRow(name: blob, blobClass: .contacts, author: nil, bytes: nil, date: Morning.arrival)
            #expect(try BlobRows.add(row, .roomLine(1), in: transaction)?.isShared == true)
            #expect(try BlobRows.add(row, .roomLine(2), in: transaction) == nil)
            try database.run("DELETE FROM room_line", [])
        }
        #expect(try await isUnused(blob))
    }

    @Test func peopleKeepABlobEachForThemselves() async throws {
        let blob = try name(1)
        for author in [anna, bert] { _ = try await add(blob, .own, use: .kept(by: author.peer)) }
        #expect(try await store.blobs.remove(.kept(by: anna.peer), of: blob))
        #expect(try await !store.blobs.remove(.kept(by: anna.peer), of: blob))
        #expect(try await !store.blobs.remove(.kept(by: Author(9).peer), of: blob))
        #expect(try await !isUnused(blob))
        #expect(try await store.blobs.remove(.kept(by: bert.peer), of: blob))
        #expect(try await isUnused(blob))
    }

    @Test func draftsAndWhatPassesByEnd() async throws {
        let (draft, passing) = (try name(1), try name(2))
        let hour = Morning.after(seconds: 3_600)
        _ = try await add(draft, .own, use: .draft(7, until: hour))
        _ = try await add(draft, .own, use: .draft(8, until: hour))
        #expect(try await store.blobs.remove(.draft(7, until: hour), of: draft))
        _ = try await add(passing, .passing, use: .passing(until: hour))
        _ = try await add(passing, .passing, use: .passing(until: Morning.after(seconds: 7_200)))
        #expect(try await store.blobs.find(passing)?.isShared == true)
        #expect(try await store.blobs.removeUses(until: Morning.after(seconds: 3_599)) == 0)
        #expect(try await store.blobs.removeUses(until: hour) == 1)
        #expect(try await isUnused(draft))
        #expect(try await !isUnused(passing))
        #expect(try await store.blobs.removeUses(until: Morning.after(seconds: 7_200)) == 1)
        #expect(try await isUnused(passing))
    }

    /// Its number would be given to somebody else.
    @Test func aPeerStaysAsLongAsABlobIsCharged() async throws {
        func peers() async throws -> Int64 {
            try await store.access.read { try $0.one("SELECT count(*) FROM peer", []) { $0.int(0) } ?? 0 }
        }
        let blob = try name(1)
        let post = bert.post("soon over", lifetimeSeconds: 60)
        _ = try await store.insert([post], at: WallTime(milliseconds: Morning.milliseconds))
        _ = try await add(blob, by: bert, use: .draft(1, until: Morning.arrival))
        _ = try await add(blob, use: .kept(by: Author(3).peer))
        let before = try await peers()
        while try await store.upkeep.expire(at: Morning.after(seconds: 1_000)) > 0 {}
        #expect(try await peers() == before)
        #expect(try await store.blobs.find(blob)?.author == bert.peer)
        #expect(try await store.blobs.evict([blob], setAside: { _ in true }) == [blob])
        #expect(try await peers() == before - 2)
    }

    // MARK: - Rows

    @Test(arguments: [0, 1, 16_384]) func aSmallBlobIsInItsRow(size: Int) async throws {
        let blob = SampleBlob(size: size)
        let added = try #require(
            try await add(blob.name, .own, use: .draft(1, until: Morning.arrival), bytes: blob.bytes))
        #expect(added.isComplete && added.isInRow && added.heldBytes >= 1_024)
        #expect(try await store.blobs.bytes(of: blob.name) == blob.bytes)
        #expect(try await store.blobs.pending().isEmpty)
        #expect(try await store.blobs.markPartial(blob.name, heldBytes: 0))
        #expect(try await store.blobs.bytes(of: blob.name) == nil)
        #expect(try await store.blobs.markComplete(blob.name, bytes: blob.bytes))
        #expect(try await store.blobs.bytes(of: blob.name) == blob.bytes)
        #expect(try await store.blobs.markComplete(blob.name))
        #expect(try await store.blobs.bytes(of: blob.name) == nil)
        // A row that waited for its bytes.
        _ = try await store.blobs.markPartial(blob.name, heldBytes: 0)
        #expect(
            try await add(blob.name, .own, use: .draft(2, until: Morning.arrival), bytes: blob.bytes)?.isInRow == true)
    }

    @Test func whatIsPendingIsListedUntilItIsCompleteAndUsed() async throws {
        let names = try (1...4).map { try name($0) }
        for name in names { _ = try await add(name, use: .draft(1, until: Morning.arrival)) }
        #expect(try await store.blobs.pending().map(\.name) == names)
        #expect(try await store.blobs.markPartial(names[0], heldBytes: 5_000))
        #expect(try await store.blobs.find(names[0])?.heldBytes == 5_000)
        for name in names[1...] { #expect(try await store.blobs.markComplete(name)) }
        #expect(try await store.blobs.find(names[1])?.heldBytes == 132_768)
        #expect(try await !store.blobs.markComplete(name(9)))
        _ = try await store.blobs.remove(.draft(1, until: Morning.arrival), of: names[2])
        let pending = try await store.blobs.pending()
        #expect(pending.map(\.name) == [names[0], names[2]])
        #expect(pending.map(\.isComplete) == [false, true] && pending.map(\.isUnused) == [false, true])
    }

    @Test func onlyWhatHasNoUseIsRemoved() async throws {
        let names = try (1...4).map { try name($0) }
        for name in names { _ = try await add(name, .own, use: .draft(1, until: Morning.arrival)) }
        for name in names[..<3] { _ = try await store.blobs.remove(.draft(1, until: Morning.arrival), of: name) }
        #expect(try await store.blobs.unused(limit: 2) == Array(names[..<2]))
        // Used again before the removal.
        _ = try await add(names[1], use: .kept(by: anna.peer))
        let asked = Mutex<[BlobName]>([])
        let removed = try await store.blobs.removeUnused(names) { name in
            asked.withLock { $0.append(name) }
            return name != names[2]
        }
        #expect(removed == [names[0]])
        #expect(asked.withLock { $0 } == [names[0], names[2]])
        #expect(try await store.blobs.find(names[0]) == nil)
        for name in names[1...] { #expect(try await store.blobs.find(name) != nil) }
        // A person's own are not evicted.
        #expect(try await store.blobs.evict(names, setAside: { _ in true }).isEmpty)
    }

    @Test func rowsAndFilesGoTogether() async throws {
        let blob = SampleBlob(size: 100_000)
        let files = try folder.blobs()
        _ = try await add(blob.name, use: .draft(1, until: Morning.arrival))
        try await files.take(blob)
        _ = try await store.blobs.markComplete(blob.name)
        #expect(try await store.blobs.removeUses(until: Morning.arrival) == 1)
        #expect(try await store.blobs.removeUnused([blob.name]) { files.setAside($0) } == [blob.name])
        #expect(try await files.recover([]).isEmpty)
        #expect(try folder.blobNames().isEmpty)
    }

    // MARK: - Quotas

    /// 10,000 bytes each, the ones with lower numbers used earlier.
    private func fill(_ classes: [BlobClass], by authors: [Author]) async throws -> [BlobName] {
        var names: [BlobName] = []
        for (number, blobClass) in classes.enumerated() {
            let name = try name(UInt64(number))
            _ = try await add(
                name, blobClass, by: authors[number % authors.count], use: .passing(until: Morning.arrival),
                hours: Int64(number))
            _ = try await store.blobs.markPartial(name, heldBytes: 10_000)
            names.append(name)
        }
        return names
    }

    private func leaving(
        _ blobClass: BlobClass, by author: Author? = nil, bytes: Int64, _ quota: BlobQuota
    ) async throws -> [BlobName]? {
        let new = try name(1_000)
        _ = try await add(new, blobClass, by: author, use: .passing(until: Morning.arrival))
        try await store.blobs.reclassify(new, as: blobClass, author: author?.peer)
        return try await store.blobs.leaving(for: new, bytes: bytes, within: quota)
    }

    @Test func theLeastRecentlyUsedOfTheLastClassLeavesFirst() async throws {
        let names = try await fill(
            [.contacts, .passing, .own, .strangers, .passing, .strangers, .contacts], by: [bert])
        let quota = BlobQuota(bytes: 60_000)
        #expect(try await store.blobs.heldBytes(of: .passing) == 20_000)
        #expect(try await leaving(.contacts, bytes: 0, quota) == [])
        #expect(try await leaving(.contacts, bytes: 1, quota) == [names[1]])
        #expect(try await leaving(.contacts, bytes: 10_001, quota) == [names[1], names[4]])
        #expect(try await leaving(.contacts, bytes: 30_000, quota) == [1, 4, 3].map { names[$0] })
        #expect(try await leaving(.contacts, bytes: 60_000, quota) == [1, 4, 3, 5, 0, 6].map { names[$0] })
        #expect(try await leaving(.contacts, bytes: 60_001, quota) == nil)
        // A blob never evicts a blob of a better class.
        #expect(try await leaving(.strangers, bytes: 40_000, quota) == [1, 4, 3, 5].map { names[$0] })
        #expect(try await leaving(.strangers, bytes: 40_001, quota) == nil)
        #expect(try await leaving(.passing, bytes: 20_001, quota) == nil)
        #expect(try await leaving(.own, bytes: 1 << 40, quota) == [])
        #expect(try await store.blobs.leaving(for: name(2_000), bytes: 1, within: quota) == nil)
        // Used just now.
        try await store.blobs.touch(names[1], at: Morning.after(seconds: 3_600 * 100))
        try await store.blobs.touch(names[1], at: Morning.arrival)
        #expect(try await leaving(.contacts, bytes: 1, quota) == [names[4]])
    }

    @Test func anAuthorAndANeighbourHaveTheirOwnLimits() async throws {
        let names = try await fill(
            [.strangers, .strangers, .contacts, .contacts, .passing, .passing, .passing, .passing], by: [anna, bert])
        let quota = BlobQuota(authorBytes: 20_000, passingBytes: 40_000, neighbourBytes: 20_000)
        #expect(try await leaving(.contacts, by: bert, bytes: 1, quota) == [names[1]])
        #expect(try await leaving(.contacts, by: bert, bytes: 20_000, quota) == [names[1], names[3]])
        #expect(try await leaving(.strangers, by: bert, bytes: 10_001, quota) == nil)
        #expect(try await leaving(.strangers, by: Author(3), bytes: 20_000, quota) == [])
        #expect(try await leaving(.strangers, by: Author(3), bytes: 20_001, quota) == nil)
        #expect(try await leaving(.passing, by: bert, bytes: 1, quota) == [names[5]])
        #expect(try await leaving(.passing, by: Author(3), bytes: 10_001, quota) == [names[4], names[5]])
        #expect(try await leaving(.passing, by: bert, bytes: 20_001, quota) == nil)
        // What was chosen for one limit counts for the next.
        let tight = BlobQuota(bytes: 80_000, authorBytes: 20_000, passingBytes: 40_000, neighbourBytes: 20_000)
        #expect(try await leaving(.passing, by: bert, bytes: 15_000, tight) == [names[5], names[7]])
        #expect(try await leaving(.contacts, by: bert, bytes: 5_000, tight) == [names[1]])
    }

    // MARK: - Queries

    @Test func everyQueryUsesAnIndex() async throws {
        let queries: [(sql: String, index: String)] = [
            (BlobRows.pending, "blob_pending"), (BlobRows.unused, "blob_pending"),
            (BlobRows.usesOver, "blob_use_until"), (BlobRows.find, "sqlite_autoindex_blob_1"),
            (BlobSpace.oldest, "blob_leaving"), (BlobSpace.oldestOfAuthor, "blob_author"),
            (BlobSpace.sum, "COVERING INDEX blob_leaving"), (BlobSpace.sumOfAuthor, "COVERING INDEX blob_author"),
            ("DELETE FROM blob_use WHERE kind = 0 AND source = ?", "blob_use_source"),
            ("SELECT 1 FROM blob_use WHERE persona = ? AND persona >= 0", "blob_use_persona"),
            ("SELECT 1 FROM blob WHERE author = ?", "blob_author"),
        ]
        for (sql, index) in queries {
            let plan = try await store.access.file.writer.alone { database in
                try database.all("EXPLAIN QUERY PLAN \(sql)", []) { $0.text(3) }
            }
            #expect(plan.contains { $0.contains(index) }, "\(sql): \(plan)")
            #expect(
                !plan.contains { $0.hasPrefix("SCAN") && !$0.contains("blob_pending") || $0.contains("TEMP B-TREE") },
                "\(sql): \(plan)")
        }
    }
}
