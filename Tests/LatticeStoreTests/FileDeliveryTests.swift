import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

/// Who has the files of private messages, as a store keeps it.
@Suite struct FileDeliveryTests {
    private let folder: Folder
    private var store: Store
    private let (owner, other, third): (Author, Author, Author)

    init() async throws {
        folder = try Folder()
        (owner, other, third) = (try Author(1), try Author(2), try Author(3))
        store = try folder.store(of: owner)
        _ = try await store.insert([other.prekeys(1)], at: Morning.arrival)
    }

    private static func file(_ number: UInt8) throws -> SealedFile {
        let key = try #require(Bytes32([UInt8](repeating: number, count: 32)))
        let size = try #require(SealedShape(plainBytes: 100)).blobBytes
        return SealedFile(
            try #require(BlobName(root: key, size: size)), key: key, prefix: [UInt8](repeating: number, count: 16),
            plainBytes: 100, name: try #require(FileName("map.pdf")), type: .unknown)
    }

    /// - Returns: what changed about own lines.
    private func receive(
        _ content: OpenedMessage.Content, by author: Author? = nil, alias: RecordID? = nil
    ) async throws -> (record: RecordID, changed: [StoredMessage]) {
        let record = (author ?? other).sealed()
        _ = try await store.insert([record], at: Morning.arrival)
        let arrived = try #require(try await store.messages.toOpen(limit: 100).first { $0.id == record.id })
        let entered = try await store.messages.enter(
            [OpenedMessage(arrived, prekey: 7, content: content, alias: alias)], upTo: arrived.seq,
            at: Morning.arrival, lifetime: 100_000, writer: 1)
        return (record.id, entered.delivered)
    }

    private func line(_ file: SealedFile?) -> NewMessage {
        NewMessage(peer: other.peer, name: other.name, text: "shares a file", isAction: true, file: file)
    }

    private func use() async throws -> BlobUse { .privateText(try await store.messages.lastNumber()) }

    private func owed() async throws -> [RecordID] {
        try await store.messages.filesOwed(at: Morning.arrival, limit: 10).flatMap { $0.files.map(\.line) }
    }

    private func tell() async throws {
        for (_, files) in try await store.messages.filesOwed(at: Morning.arrival, limit: 10) {
            let record = owner.sealed()
            try await store.messages.sendFilesHere(files, at: Morning.arrival) { _ in record }
        }
    }

    /// An own line that is sealed.
    private func sent(_ file: SealedFile?) async throws -> (number: Int64, record: RecordID) {
        let kept = try #require(
            try await store.messages.keep(
                line(file), at: Morning.arrival, expires: Morning.after(seconds: 1_000), unsealedMax: 9, writer: 1))
        let record = owner.sealed()
        _ = try await store.messages.send(
            message: kept.number, prekey: 5, expires: Morning.after(seconds: 2_000), at: Morning.arrival
        ) { _ in record }
        return (kept.number, record.id)
    }

    @Test func aFileIsOwedOnceFromTheTimeItIsComplete() async throws {
        let file = try Self.file(1)
        let (record, _) = try await receive(.line(line(file), isLate: false))
        _ = try await store.blobs.add(file.blob, .own, use: try await use(), at: Morning.arrival)
        #expect(try await owed() == [])
        try await store.blobs.markComplete(file.blob)
        #expect(try await owed() == [record])
        // Nothing of it is only in memory.
        #expect(try await folder.store(of: owner).messages.filesOwed(at: Morning.arrival, limit: 10).count == 1)
        try await tell()
        #expect(try await owed() == [])
        #expect(try await store.outbox.waiting(limit: 10, after: nil).count == 1)
        // Damaged and fetched anew.
        try await store.blobs.markPartial(file.blob, heldBytes: 0)
        try await store.blobs.markComplete(file.blob)
        #expect(try await owed() == [])
    }

    @Test func aFileThatWasCompleteBeforeIsOwedToo() async throws {
        let file = try Self.file(1)
        _ = try await store.blobs.add(
            file.blob, .passing, use: .passing(until: Morning.after(seconds: 9)), at: Morning.arrival)
        try await store.blobs.markComplete(file.blob)
        let (record, _) = try await receive(.line(line(file), isLate: false))
        #expect(try await owed() == [])
        _ = try await store.blobs.add(file.blob, .own, use: try await use(), at: Morning.arrival)
        #expect(try await owed() == [record])
    }

    @Test func aLineThatWasSealedAgainIsNamedByItsFirstRecord() async throws {
        let (file, first, alias) = (try Self.file(1), other.sealed().id, RecordID(Bytes32(words: (1, 2, 3, 4))))
        let again = OpenedMessage.Content.again(first, line(file), isLate: false)
        _ = try await receive(again, alias: alias)
        _ = try await store.blobs.add(file.blob, .own, use: try await use(), at: Morning.arrival)
        try await store.blobs.markComplete(file.blob)
        #expect(try await owed() == [first])
        try await tell()
        // Its author did not hear that, and sends it once more.
        _ = try await receive(again, alias: alias)
        #expect(try await owed() == [first])
    }

    @Test func aFileOfADeletedLineIsNotOwed() async throws {
        let file = try Self.file(1)
        let (record, _) = try await receive(.line(line(file), isLate: false))
        _ = try await store.blobs.add(file.blob, .own, use: try await use(), at: Morning.arrival)
        try await store.blobs.markComplete(file.blob)
        _ = try await receive(.act(SealedAct(record, .deletion)))
        #expect(try await owed() == [])
    }

    @Test func theSenderKnowsOnceThatTheOtherHasIt() async throws {
        let (number, record) = try await sent(try Self.file(1))
        #expect(try await store.sealedFiles.newest(10).map(\.isDelivered) == [false])
        let changed = try await receive(.filesHere([record])).changed
        #expect(changed.map(\.number) == [number] && changed.allSatisfy(\.isFileDelivered))
        // A file is not there before its line.
        #expect(changed.map(\.state) == [.delivered])
        #expect(try await store.sealedFiles.newest(10).map(\.isDelivered) == [true])
        #expect(try await receive(.filesHere([record])).changed == [])
        #expect(try await store.messages.sent(at: Morning.arrival, limit: 10) == [])
    }

    @Test func forgedWordsAboutFilesChangeNothing() async throws {
        let (file, plain) = (try await sent(try Self.file(1)), try await sent(nil))
        let received = try await receive(.line(line(try Self.file(2)), isLate: false)).record
        // Somebody else; a line without a file; a line of the author's own; nothing at all.
        #expect(try await receive(.filesHere([file.record]), by: third).changed == [])
        let others = [plain.record, received, RecordID(.zero)]
        #expect(try await receive(.filesHere(others)).changed == [])
        let lines = try await store.messages.lines(with: other.peer, limit: 10)
        #expect(lines.count == 3 && lines.allSatisfy { !$0.isFileDelivered })
        #expect(lines.filter(\.isMine).map(\.state) == [.waiting, .waiting])
        #expect(try await store.sealedFiles.newest(10).allSatisfy { !$0.isDelivered })
        #expect(try await owed() == [])
    }
}
