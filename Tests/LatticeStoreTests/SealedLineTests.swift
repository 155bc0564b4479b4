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
        let kept = try #require(
            try await store.messages.keep(
                NewMessage(peer: other.peer, name: owner.name, text: "mine", isAction: false), at: Morning.arrival,
                expires: Morning.after(seconds: 1_000), unsealedMax: 2, writer: 1))
        let mine = owner.sealed()
        _ = try await store.messages.send(
            message: kept.number, prekey: 5, expires: Morning.after(seconds: 2_000), at: Morning.arrival
        ) { _ in mine }
        let entered = try await arrive([
            (other.sealed(), .act(SealedAct(mine.id, .edit(line("yours", by: other))))),
            (other.sealed(), .act(SealedAct(mine.id, .deletion))),
            (other.sealed(), .act(SealedAct(mine.id, .emoji("👍", holds: true)))),
            (other.sealed(), .act(SealedAct(mine.id, .emoji("👍", holds: false)))),
        ])
        #expect(entered.acts.map(\.change) == [.emoji("👍", holds: true), .emoji("👍", holds: false)])
        let lines = try await lines()
        #expect(lines.map(\.text) == ["mine"] && lines[0].reactions.isEmpty && !lines[0].isEdited)
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
        #expect(try #require(count) <= 1_025)
    }
}
