import Foundation
import GRDB
import LatticeCore
import LatticeStore
import LatticeWire
import Testing

/// What is done to private messages, in whatever order it arrives.
struct SealedLineTests {
    private let folder: Folder
    private let store: Store
    private let (owner, other): (Author, Author)

    init() throws {
        folder = try Folder()
        (owner, other) = (try Author(1), try Author(2))
        store = try folder.store(of: owner)
    }

    private func line(_ text: String, by author: Author) -> ChatLine {
        ChatLine(style: .says, name: author.name, text: text)
    }

    private func said(_ text: String) -> OpenedMessage.Content {
        .line(NewMessage(peer: other.peer, name: other.name, text: text, isAction: false), isLate: false)
    }

    /// The other's records with these contents arrive in this order.
    @discardableResult
    private func arrive(
        _ contents: [(record: VerifiedRecord, content: OpenedMessage.Content)]
    ) async throws -> MessagesEntered {
        _ = try await store.insert(contents.map(\.record), at: Morning.arrival)
        let arrived = try await store.messages.toOpen(limit: 100)
        let last = try #require(arrived.last)
        let opened = contents.compactMap { record, content in
            arrived.first { $0.id == record.id }.map { OpenedMessage($0, prekey: 7, content: content) }
        }
        return try await store.messages.enter(
            opened, upTo: last.seq, at: Morning.arrival, lifetime: 1_000, writer: 1)
    }

    private func lines() async throws -> [StoredMessage] {
        try await store.messages.lines(with: other.peer, limit: 10)
    }

    @Test func theNewestEditCountsInWhateverOrderTheyCome() async throws {
        let (first, old, new) = (other.sealed(), other.sealed(), other.sealed())
        let edits: [(VerifiedRecord, OpenedMessage.Content)] = [
            (old, .act(SealedAct(first.id, .edit(line("at ten", by: other))))),
            (new, .act(SealedAct(first.id, .edit(line("at nine", by: other))))),
        ]
        let entered = try await arrive([(first, said("at nien"))] + edits.reversed())
        #expect(entered.lines.map(\.text) == ["at nien"] && entered.acts.map(\.line.text) == ["at nine"])
        #expect(try await store.insert([old], at: Morning.arrival) == [.erased])
        #expect(try await lines().map(\.text) == ["at nine"])
        #expect(try await lines().map(\.isEdited) == [true])
    }

    @Test func anActThatCameFirstWaitsForItsLine() async throws {
        let (record, edit, emoji) = (other.sealed(), other.sealed(), other.sealed())
        let early = try await arrive([
            (edit, .act(SealedAct(record.id, .edit(line("at nine", by: other))))),
            (emoji, .act(SealedAct(record.id, .emoji("🎉", holds: true)))),
        ])
        #expect(early.acts.isEmpty)
        let entered = try await arrive([(record, said("at nien"))])
        #expect(entered.lines.map(\.text) == ["at nine"] && entered.lines.map(\.isEdited) == [true])
        #expect(entered.lines[0].reactions == [StoredReaction(emoji: "🎉", authors: [other.peer])])
    }

    @Test func aLineDeletedBeforeItCameIsNotTold() async throws {
        let (record, deletion) = (other.sealed(), other.sealed())
        try await arrive([(deletion, .act(SealedAct(record.id, .deletion)))])
        let entered = try await arrive([(record, said("never"))])
        #expect(entered.lines.isEmpty)
        #expect(try await lines().map(\.text) == [""])
        #expect(try await store.messages.lines(after: 0, notBy: 2, limit: 9).isEmpty)
        #expect(try await store.insert([record], at: Morning.arrival) == [.erased])
    }

    @Test func ofADeletedLineNoTextIsLeftInTheFile() async throws {
        let (record, edit, deletion) = (other.sealed(), other.sealed(), other.sealed())
        let (secret, second) = ("umbrellas-\(record.id.hex)", "raincoats-\(record.id.hex)")
        try await arrive([(record, said(secret)), (edit, .act(SealedAct(record.id, .edit(line(second, by: other)))))])
        let entered = try await arrive([(deletion, .act(SealedAct(record.id, .deletion)))])
        #expect(entered.acts.map(\.change) == [.deletion] && entered.acts.map(\.line.isDeleted) == [true])
        #expect(try await store.insert([record, edit], at: Morning.arrival) == [.erased, .erased])
        #expect(try await store.upkeep.check(verify: verified).faults == [])
        try store.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            let bytes = try Data(contentsOf: folder.url.appending(path: name))
            for text in [secret, second] { #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name)") }
        }
    }

    @Test func onlyItsAuthorChangesALine() async throws {
        let (_, mine) = try await sent("mine")
        let entered = try await arrive([
            (other.sealed(), .act(SealedAct(mine, .edit(line("yours", by: other))))),
            (other.sealed(), .act(SealedAct(mine, .deletion))),
            (other.sealed(), .act(SealedAct(mine, .emoji("👍", holds: true)))),
            (other.sealed(), .act(SealedAct(mine, .emoji("👍", holds: false)))),
        ])
        #expect(entered.acts.map(\.change) == [.emoji("👍", holds: true), .emoji("👍", holds: false)])
        let lines = try await lines()
        #expect(lines.map(\.text) == ["mine"] && lines[0].reactions.isEmpty && !lines[0].isEdited)
    }

    /// A message of the owner that is sealed.
    private func sent(_ text: String, prekey: UInt64 = 5) async throws -> (message: StoredMessage, record: RecordID) {
        let line = NewMessage(peer: other.peer, name: owner.name, text: text, isAction: false)
        let kept = try #require(
            try await store.messages.keep(
                line, at: Morning.arrival, expires: Morning.after(seconds: 1_000), unsealedMax: 2, writer: 1))
        let record = owner.sealed()
        _ = try await store.messages.send(
            message: kept.number, prekey: prekey, expires: Morning.after(seconds: 2_000), at: Morning.arrival
        ) { _ in record }
        return (try #require(try await store.messages.one(kept.number)), record.id)
    }

    private func act(_ change: SealedAct.Change, on line: RecordID) async throws -> ActOutcome<StoredMessage> {
        try await store.messages.act(
            SealedAct(line, change), with: other.peer, at: Morning.arrival, unsealedMax: 10)
    }

    /// Seals what the owner did, with a date that is far ahead of the clock.
    private func sealActs() async throws {
        for act in try await store.messages.unsealedActs(limit: 10) {
            let record = owner.say(.sealed, body: owner.sealed().record.body, at: Morning.milliseconds + 86_400_000)
            #expect(try await store.messages.send(act, at: Morning.arrival) { _ in record } == .added)
        }
    }

    @Test func anEditThatNoLongerCountsLeavesNoText() async throws {
        let (first, old, new) = (other.sealed(), other.sealed(), other.sealed())
        let (deletion, late) = (other.sealed(), other.sealed())
        func edit(_ text: String) -> OpenedMessage.Content { .act(SealedAct(first.id, .edit(line(text, by: other)))) }
        try await arrive([(first, said("a")), (new, edit("c")), (old, edit("b"))])
        #expect(try await lines().map(\.text) == ["c"])
        #expect(try await store.insert([old, new], at: Morning.arrival) == [.erased, .known])
        try await arrive([(deletion, .act(SealedAct(first.id, .deletion))), (late, edit("d"))])
        #expect(try await store.insert([first, old, new, late], at: Morning.arrival).allSatisfy { $0 == .erased })
        #expect(try await lines().map(\.text) == [""])
    }

    @Test func ownActsFollowEachOtherWhateverTheClockSays() async throws {
        let (_, line) = try await sent("at nien")
        for text in ["at nein", "at nine"] {
            guard case .changed(let changed) = try await act(.edit(self.line(text, by: owner)), on: line) else {
                Issue.record("\(text) changes nothing")
                return
            }
            #expect(changed.line.text == text)
            try await sealActs()
        }
        for holds in [true, false] {
            guard case .changed = try await act(.emoji("👍", holds: holds), on: line) else {
                Issue.record("the emoji does not change: \(holds)")
                return
            }
            try await sealActs()
        }
        #expect(try await lines()[0].reactions.isEmpty)
    }

    @Test func anActThatWasChangedMeanwhileIsSealedAsItIsNow() async throws {
        let (_, line) = try await sent("at nien")
        _ = try await act(.edit(self.line("at nein", by: owner)), on: line)
        let read = try #require(try await store.messages.unsealedActs(limit: 1).first)
        _ = try await act(.edit(self.line("at nine", by: owner)), on: line)
        let record = owner.sealed()
        #expect(try await store.messages.send(read, at: Morning.arrival) { _ in record } == nil)
        #expect(try await store.messages.unsealedActs(limit: 2).map(\.message.text) == ["at nine"])
        #expect(try await store.of(owner.peer).messages.personsWithErrands().contains(owner.peer) == false)
    }

    @Test func actsOnMessagesThatAreGoneTakeNoPlace() async throws {
        let (old, line) = try await sent("old")
        _ = try await act(.emoji("👍", holds: true), on: line)
        let (_, new) = try await sent("new")
        func full() async throws -> ActOutcome<StoredMessage> {
            try await store.messages.act(
                SealedAct(new, .emoji("🎉", holds: true)), with: other.peer, at: Morning.arrival, unsealedMax: 1)
        }
        #expect(try await full() == .tooManyWait)
        try await DatabaseQueue(path: folder.path).write {
            try $0.execute(sql: "DELETE FROM message WHERE number = ?", arguments: [old.number])
        }
        guard case .changed = try await full() else {
            Issue.record("it has no place")
            return
        }
    }

    @Test func allRecordsOfALineThatWasSealedAgainGoWithIt() async throws {
        let (message, line) = try await sent("secret")
        let again = owner.sealed()
        func sendAgain(_ message: StoredMessage, prekey: UInt64) async throws -> InsertOutcome? {
            try await store.messages.sendAgain(
                message, prekey: prekey, expires: Morning.after(seconds: 3_000), at: Morning.arrival
            ) { _ in again }
        }
        #expect(try await sendAgain(message, prekey: 6) == .added)
        let sent = try #require(try await store.messages.one(message.number))
        guard case .changed = try await act(.deletion, on: line) else {
            Issue.record("it is not deleted")
            return
        }
        #expect(try await store.insert([again], at: Morning.arrival) == [.erased])
        // What was read before the deletion is not sealed after it.
        #expect(try await sendAgain(sent, prekey: 7) == nil)
    }

    @Test func aLineThatCameInSeveralRecordsGoesWithAllOfThem() async throws {
        let (first, again, deletion) = (other.sealed(), other.sealed(), other.sealed())
        _ = try await store.insert([again], at: Morning.arrival)
        let arrived = try #require(try await store.messages.toOpen(limit: 1).first)
        let line = NewMessage(peer: other.peer, name: other.name, text: "secret", isAction: false)
        let alias = owner.sealed().id
        let opened = OpenedMessage(
            arrived, prekey: 7, content: .again(first.id, line, isLate: false), alias: alias)
        let entered = try await store.messages.enter(
            [opened], upTo: arrived.seq, at: Morning.arrival, lifetime: 1_000, writer: 1)
        #expect(entered.lines.map(\.text) == ["secret"])
        try await arrive([(deletion, .act(SealedAct(first.id, .deletion)))])
        #expect(try await lines().map(\.isDeleted) == [true])
        #expect(try await store.insert([again], at: Morning.arrival) == [.erased])
    }

    @Test func theActsOfOneAuthorPushOutOnlyTheirOwn() async throws {
        let third = try Author(3)
        let (record, deletion) = (other.sealed(), other.sealed())
        try await arrive([(deletion, .act(SealedAct(record.id, .deletion)))])
        for _ in 0..<13 {
            try await arrive(
                (0..<100).map { _ in (third.sealed(), .act(SealedAct(third.sealed().id, .emoji("👍", holds: true)))) })
        }
        #expect(try await arrive([(record, said("never"))]).lines.isEmpty)
    }

    @Test func whatIsDoneToLinesThatNeverComeIsBounded() async throws {
        for round in 0..<13 {
            try await arrive(
                (0..<100).map { number in
                    let line = owner.sealed().id
                    return (
                        other.sealed(), .act(SealedAct(line, .emoji(number % 2 == 0 ? "👍" : "🎉", holds: true)))
                    )
                })
            #expect(try await store.messages.unsealedActs(limit: 10).isEmpty, "\(round)")
        }
        let count = try await DatabaseQueue(path: folder.path).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM line_act")
        }
        #expect(try #require(count) <= 129)
    }
}
