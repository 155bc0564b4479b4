import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

@testable import LatticeStore

/// What was urgent when it came, and what of it a persona still has to see.
@Suite struct UrgentTests {
    private let folder: Folder
    private let (anna, bert): (Author, Author)
    private let store: Store

    init() throws {
        folder = try Folder()
        (anna, bert) = (try Author(1), try Author(2))
        store = try folder.store(of: anna)
    }

    private static let day: Int64 = 86_400_000
    private static var before: WallTime { WallTime(milliseconds: Morning.arrival.milliseconds - day) }

    private func line(_ author: Author, _ text: String, isUrgent: Bool = true) -> VerifiedRecord {
        author.say(
            .chat, topic: Array("#park".utf8),
            body: ChatLine(style: .says, name: author.name, text: text, isUrgent: isUrgent).body)
    }

    private func post(
        _ author: Author, _ text: String, at milliseconds: Int64 = Morning.milliseconds
    ) -> VerifiedRecord {
        author.say(
            .post,
            body: PostBody(name: author.name, place: Morning.place, text: text, placeName: "", isUrgent: true).body,
            at: milliseconds)
    }

    @Test func whatWasJudgedUrgentIsMarkedAndAClaimAloneIsNot() async throws {
        let (yes, no) = (line(bert, "fire"), line(bert, "soup"))
        let (told, claimed) = (post(bert, "bridge out"), post(bert, "lunch"))
        let incoming = [
            IncomingRecord(yes, isUrgent: true), IncomingRecord(no),
            IncomingRecord(told, ageSeconds: 5, isUrgent: true, isFetched: true), IncomingRecord(claimed),
        ]
        _ = try await store.insert(incoming, at: Morning.arrival)
        let lines = try await store.history.lines([yes.id, no.id], at: Morning.arrival)
        #expect(lines.map(\.isUrgent) == [true, false])
        for (record, isUrgent) in [(told, true), (claimed, false)] {
            #expect(try await store.items.item(record.id, at: Morning.arrival)?.isUrgent == isUrgent)
        }
        let recent = try await store.urgent.recent(since: Self.before)
        #expect(Set(recent.map(\.id)) == [yes.id, told.id])
        #expect(recent.first { $0.id == told.id }?.isFetched == true)
        #expect(recent.allSatisfy { $0.author == bert.peer && $0.seen == Morning.arrival })
    }

    @Test func myOwnCountIfIDeleteThemToo() async throws {
        for number in 0..<2 {
            _ = try await store.write(at: Morning.arrival, waits: false) {
                [identity = anna.identity, name = anna.name] date in
                identity.sign(
                    Record(
                        kind: .chat, author: identity.peer, created: date, lifetimeSeconds: 3_600,
                        topic: Array("#park".utf8),
                        body: ChatLine(style: .says, name: name, text: "\(number)", isUrgent: number == 0).body))
            }
        }
        #expect(try await store.urgent.countOfOwn(since: Self.before) == 1)
        #expect(try await store.of(bert.peer).urgent.countOfOwn(since: Self.before) == 0)
        let mine = try #require(try await store.urgent.recent(since: Self.before).first)
        _ = try await store.insert([anna.delete(mine.id)], at: Morning.arrival)
        #expect(try await store.urgent.countOfOwn(since: Self.before) == 1)
        #expect(try await store.urgent.countOfOwn(since: Morning.arrival) == 0)
    }

    @Test func whatIsAWeekOldIsForgotten() async throws {
        let old = line(bert, "old")
        _ = try await store.insert([IncomingRecord(old, isUrgent: true)], at: Morning.arrival)
        let later = WallTime(milliseconds: Morning.arrival.milliseconds + 8 * Self.day)
        _ = try await store.insert(
            [IncomingRecord(post(bert, "new", at: later.milliseconds), isUrgent: true)], at: later)
        let recent = try await store.urgent.recent(since: WallTime(milliseconds: 0))
        #expect(!recent.map(\.id).contains(old.id))
    }

    // MARK: - Until it is dismissed

    private func note(_ number: UInt64, at second: Int64) async throws -> RecordID {
        let one = NewNotification(
            .urgent, of: RecordID(Bytes32(words: (number, 0, 0, 0))), by: bert.peer,
            at: WallTime(milliseconds: Morning.milliseconds + second * 1_000), in: try RoomName("#park"))
        try await store.access.commit { transaction in
            try transaction.database.run(
                "INSERT OR IGNORE INTO urgent (id, author, seen, fetched) VALUES (?, ?, ?, 0)",
                [.key(one.subject.hash), .key(one.author.key), .int(one.date.milliseconds)])
        }
        _ = try await store.notifications.note([one])
        return one.subject
    }

    private func urgent(_ store: Store) async throws -> [RecordID] {
        try await store.notifications.urgent(at: Morning.arrival).map(\.record)
    }

    @Test func whatCameStandsUntilItIsDismissed() async throws {
        var all: [RecordID] = []
        for number in 0..<5 { all.append(try await note(UInt64(number), at: Int64(number))) }
        #expect(try await urgent(store) == all.reversed())
        #expect(try await store.notifications.dismissUrgent(all[3]) == [all[3]])
        #expect(try await store.notifications.dismissUrgent(all[3]).isEmpty)
        let left = [4, 2, 1, 0].map { all[$0] }
        #expect(try await urgent(store) == left)
        #expect(try await urgent(store.of(bert.peer)).isEmpty, "only this persona has it")
        #expect(try await store.of(bert.peer).notifications.dismissUrgent(nil).isEmpty)
        // Once more, and again after a restart.
        _ = try await note(3, at: 3)
        #expect(try await urgent(try folder.store(of: anna)) == left)
        #expect(try await store.notifications.dismissUrgent(nil).count == 4)
        #expect(try await urgent(store).isEmpty)
        // It stays among the notifications.
        #expect(try await store.notifications.newest(at: Morning.arrival, limit: 10).notifications.count == 5)
    }

    @Test func whoIsNotifiedOfWhatIsUrgentIsNotNotifiedTwice() async throws {
        func noted(_ kind: StoredNotification.Kind, _ number: UInt64) throws -> NewNotification {
            NewNotification(
                kind, of: RecordID(Bytes32(words: (number, 0, 0, 0))), by: bert.peer, at: Morning.arrival,
                in: try RoomName("#park"))
        }
        let second = try noted(.mention, 2)
        let both = try await store.notifications.note([noted(.urgent, 1), noted(.mention, 1), second])
        #expect(both.map(\.kind) == [.urgent, .mention])
        #expect(both.last?.subject == second.subject)
        // Without the one there is the other.
        try await store.notifications.turn([.urgent], on: false)
        #expect(try await store.notifications.note([noted(.urgent, 3), noted(.mention, 3)]).map(\.kind) == [.mention])
    }

    @Test func whatIsADayOldStandsNoMoreNorWhatIsOff() async throws {
        _ = try await note(1, at: -90_000)
        #expect(try await urgent(store).isEmpty)
        let new = try await note(2, at: 1)
        #expect(try await urgent(store) == [new])
        try await store.notifications.turn([.urgent], on: false)
        #expect(try await urgent(store).isEmpty)
    }
}
