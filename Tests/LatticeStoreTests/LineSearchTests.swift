import Foundation
import GRDB
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// Lines found again by their words.
@Suite struct LineSearchTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let store: Store

    init() throws {
        folder = try Folder()
        (anna, bert) = (try Author(1), try Author(2))
        store = try folder.store(of: anna)
    }

    private func line(_ text: String, by author: Author, at second: Int64 = 0, in room: String = "#park")
        -> VerifiedRecord
    {
        author.say(
            .chat, topic: Array(room.utf8), body: ChatLine(style: .says, name: author.name, text: text).body,
            at: Morning.milliseconds + second * 1_000)
    }

    private func act(_ kind: RecordKind, on line: VerifiedRecord, _ text: String? = nil, by author: Author)
        -> VerifiedRecord
    {
        author.say(
            kind, topic: line.id.hash.bytes,
            body: text.map { ChatLine(style: .says, name: author.name, text: $0).body } ?? [],
            at: Morning.milliseconds + 5_000)
    }

    private func take(_ lines: VerifiedRecord...) async throws {
        _ = try await store.insert(lines, at: Morning.arrival)
    }

    private func found(
        _ words: String, in room: String? = nil, limit: Int = 100, at now: WallTime = Morning.arrival
    ) async throws -> [RecordID] {
        try await store.lines.catchUp()
        return try await store.lines.publicLines(
            with: words, in: room.map { try RoomName($0) }, before: nil, limit: limit, at: now
        ).lines.map(\.line.id)
    }

    @Test func allWordsHaveToBeThereInAnyOrderAndTheLastMayBeABeginning() async throws {
        let key = line("Who has the KEY to the shed?", by: bert)
        let other = line("the café is open", by: anna, at: 1)
        try await take(key, other)
        #expect(try await found("shed key") == [key.id])
        #expect(try await found("key she") == [key.id])
        #expect(try await found("cafe") == [other.id])
        #expect(try await found("the") == [other.id, key.id])
        #expect(try await found("the", in: "#lobby").isEmpty)
        #expect(try await found("sh key").isEmpty)
        #expect(try await found("key", at: WallTime(milliseconds: .max / 2)).isEmpty)
    }

    /// So many that the index is asked for the whole beginning, and pages that end on both sides of that.
    @Test(arguments: [1, 7, 300, 1_000]) func aRareBeginningIsFoundBehindManyWordsWithItsFirstLetters(
        page: Int
    ) async throws {
        var wanted: [RecordID] = []
        for first in stride(from: 0, to: 1_000, by: 250) {
            let lines = (first..<first + 250).map { number in
                line(number % 40 == 0 ? "the harbour \(number)" : "a hard day \(number)", by: bert, at: Int64(number))
            }
            _ = try await store.insert(lines, at: Morning.arrival)
            wanted = lines.enumerated().filter { (first + $0.offset) % 40 == 0 }.map(\.element.id).reversed() + wanted
        }
        try await store.lines.catchUp()
        for words in ["harb", "harbour", "the harbo"] {
            var (found, before): ([RecordID], Int64?) = ([], nil)
            repeat {
                let some = try await store.lines.publicLines(
                    with: words, in: nil, before: before, limit: page, at: Morning.arrival)
                #expect(some.lines.count == min(page, wanted.count - found.count))
                found += some.lines.map(\.line.id)
                before = some.next
            } while before != nil
            #expect(found == wanted)
        }
    }

    @Test(arguments: ["\"", "*", "key*", "NEAR(key shed)", "text:key", "-key", "key OR shed", "(", "^key", "key\u{0}"])
    func whatIsAnOperatorElsewhereIsAWord(words: String) async throws {
        try await take(line("who has the key", by: bert))
        _ = try await found(words)
        #expect(try await found("key OR shed").isEmpty)
    }

    @Test func theIndexIsFilledAheadOnceSomebodySearched() async throws {
        func indexed() async throws -> Int64? {
            try await store.access.read {
                try $0.one("SELECT count(*) FROM line_words WHERE line_words MATCH 'key'", []) { $0.int(0) }
            }
        }
        try await take(line("who has the key", by: bert))
        #expect(try await store.lines.addNext() == false)
        #expect(try await indexed() == 0)
        _ = try await found("key")
        try await take(line("the key is mine", by: bert, at: 1))
        #expect(try await indexed() == 1)
        #expect(try await store.lines.addNext() == false)
        #expect(try await indexed() == 2)
    }

    @Test func anEditedLineIsFoundByWhatItSaysNow() async throws {
        let said = line("at nien", by: bert)
        try await take(said)
        #expect(try await found("nien") == [said.id])
        try await take(act(.edit, on: said, "at nine", by: bert))
        #expect(try await found("nien").isEmpty)
        #expect(try await found("nine") == [said.id])
    }

    @Test func aDeletedLineLeavesNoWordInTheFile() async throws {
        // Where SQLite was built to overwrite nothing.
        try await store.access.commit { try $0.database.execute(sql: "PRAGMA secure_delete = OFF") }
        let said = line("the password is xyzzyplugh", by: bert)
        try await take(said, line("other words", by: bert, at: 1))
        #expect(try await found("xyzzyplugh") == [said.id])
        try await take(act(.deletion, on: said, by: bert))
        #expect(try await found("xyzzyplugh").isEmpty)
        try await store.lines.purge()
        let words = try await store.access.read { database in
            try database.all("SELECT block FROM line_words_data", []) { $0.bytes(0) }
        }
        let held = words.contains { $0.firstRange(of: Array("zyplugh".utf8)) != nil }
        #expect(!held)
        try store.close()
        let file = try Data(contentsOf: URL(filePath: folder.path))
        #expect(file.firstRange(of: Data("xyzzyplugh".utf8)) == nil)
    }

    @Test func whatExpiresIsTakenOutOfTheIndex() async throws {
        try await take(line("short lived", by: bert))
        #expect(try await found("lived").count == 1)
        let later = WallTime(milliseconds: Morning.milliseconds + 400 * 86_400_000)
        _ = try await store.upkeep.expire(at: later)
        let rows = try await store.access.read {
            try $0.one("SELECT count(*) FROM line_words WHERE line_words MATCH 'lived'", []) { $0.int(0) }
        }
        #expect(rows == 0)
    }

    @Test func pagesOfManyNeitherOverlapNorLeaveOut() async throws {
        let lines = (0..<2_500).map { line("apple \($0)", by: bert, at: Int64($0)) }
        _ = try await store.insert(lines, at: Morning.arrival)
        try await store.lines.catchUp()
        var (ids, before): ([RecordID], Int64?) = ([], nil)
        repeat {
            let page = try await store.lines.publicLines(
                with: "apple", in: nil, before: before, limit: 99, at: Morning.arrival)
            ids += page.lines.map(\.line.id)
            before = page.next
        } while before != nil
        #expect(ids == lines.reversed().map(\.id))
    }

    @Test func nobodyWhoNeverSearchesHasAnIndex() async throws {
        try await take(line("hello", by: bert))
        let rows = try await store.access.read {
            try $0.one("SELECT count(*) FROM line_words_docsize", []) { $0.int(0) }
        }
        #expect(rows == 0)
    }

    @Test func theIndexIsFilledAnewAfterARebuild() async throws {
        let said = line("hello there", by: bert)
        try await take(said)
        #expect(try await found("hello") == [said.id])
        _ = try await store.upkeep.rebuild(at: Morning.arrival)
        #expect(try await found("hello") == [said.id])
    }

    @Test func aLineIsFoundByTheBeginningOfItsID() async throws {
        let said = line("hello", by: bert)
        try await take(said)
        #expect(try await store.lines.ids(beginning: String(said.id.hex.prefix(8))) == [said.id])
        for digits in ["zz", "", String(repeating: "0", count: 80), "ffffffff"] {
            #expect(try await store.lines.ids(beginning: digits).first != said.id || digits.isEmpty)
        }
    }
}
