import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// What personas are notified of.
@Suite struct NotificationTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let store: Store
    private static let kinds = StoredNotification.Kind.allCases

    init() throws {
        folder = try Folder()
        (anna, bert) = (try Author(1), try Author(2))
        store = try folder.store(of: anna)
    }

    private func news(
        _ kind: StoredNotification.Kind, _ number: UInt64, at second: Int64 = 0, emoji: String = ""
    ) throws -> NewNotification {
        NewNotification(
            kind, of: RecordID(Bytes32(words: (number, 0, 0, 0))), by: bert.peer,
            at: WallTime(milliseconds: Morning.milliseconds + second * 1_000), in: try RoomName("#park"), emoji: emoji)
    }

    private func listed(_ store: Store, limit: Int = 100) async throws -> [StoredNotification] {
        try await store.notifications.newest(at: Morning.arrival, limit: limit).notifications
    }

    @Test func eachIsNotedOnceForEachPersona() async throws {
        let (one, other) = (try news(.mention, 1), try news(.reaction, 2, at: 1, emoji: "👍"))
        #expect(try await store.notifications.note([one, other, one]) == [one, other])
        #expect(try await store.notifications.note([one]).isEmpty)
        let visitor = store.of(bert.peer)
        #expect(try await visitor.notifications.note([one]) == [one])
        #expect(try await listed(store).map(\.kind) == [.reaction, .mention])
        #expect(try await listed(store).map(\.emoji) == ["👍", nil])
        #expect(try await listed(visitor).map(\.kind) == [.mention])
    }

    @Test func ofPrivateMessagesTheLastOneOfEachPersonIsListed() async throws {
        for number in 1...3 { _ = try await store.notifications.note([news(.privateMessage, UInt64(number))]) }
        let found = try await listed(store)
        #expect(found.map(\.record) == [try news(.privateMessage, 3).subject])
    }

    @Test func whatWasSeenIsNewNoMoreAndWhatComesThenIs() async throws {
        _ = try await store.notifications.note([news(.mention, 1, at: 5)])
        #expect(try await listed(store).map(\.isNew) == [true])
        #expect(try await store.notifications.markSeen())
        #expect(try await !store.notifications.markSeen())
        // However old it is.
        _ = try await store.notifications.note([news(.mention, 2, at: 1)])
        #expect(try await listed(store).map(\.isNew) == [false, true])
    }

    @Test func aKindThatIsOffIsNeitherNotedNorListed() async throws {
        _ = try await store.notifications.note([news(.mention, 1), news(.reply, 2)])
        try await store.notifications.turn([.mention, .like], on: false)
        #expect(try await store.notifications.off() == [.mention, .like])
        #expect(try await store.notifications.note([news(.mention, 3)]).isEmpty)
        #expect(try await listed(store).map(\.kind) == [.reply])
        #expect(try await store.of(bert.peer).notifications.off().isEmpty)
        try await store.notifications.turn([.mention], on: true)
        #expect(try await listed(store).count == 2)
    }

    @Test func everyKindCanBeOff() async throws {
        try await store.notifications.turn(Set(Self.kinds), on: false)
        #expect(try await store.notifications.off() == Set(Self.kinds))
        #expect(try await listed(store).isEmpty)
    }

    @Test func pagesFollowEachOtherWithoutGapOrRepeat() async throws {
        let post = anna.post("mine")
        let comments = (1...20).map {
            bert.say(
                .comment, topic: post.id.hash.bytes, body: CommentBody(name: bert.name, text: "\($0)").body,
                at: Morning.milliseconds + $0 * 1_000)
        }
        _ = try await store.insert([post] + comments, at: Morning.arrival)
        _ = try await store.notifications.note((1...20).map { try news(.mention, UInt64($0), at: Int64($0)) })
        var (found, mark): ([RecordID], TimeMark?) = ([], nil)
        repeat {
            let page = try await store.notifications.newest(at: Morning.arrival, limit: 7, before: mark)
            found += page.notifications.map(\.record)
            mark = page.next
        } while mark != nil
        #expect(found.count == 40 && Set(found).count == 40)
        #expect(try await listed(store).map(\.record) == found)
    }

    @Test func ofAFloodTheNewestOfAKindAreKept() async throws {
        _ = try await store.notifications.note([news(.reply, 1)])
        for start in stride(from: UInt64(0), to: 1_000, by: 100) {
            _ = try await store.notifications.note(
                (start..<start + 100).map { try news(.reaction, $0, emoji: "👍") })
        }
        let count = try await store.access.read { try $0.one("SELECT count(*) FROM notification", []) { $0.int(0) } }
        #expect(count == NotificationTable.eachMax + 1)
        #expect(try await listed(store).contains { $0.record == (try news(.reaction, 999)).subject })
    }
}
