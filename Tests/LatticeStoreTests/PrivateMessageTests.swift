import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

/// Private messages and the keys to them, as a store keeps them.
struct PrivateMessageTests {
    private let folder: Folder
    private let store: Store
    private let (owner, other): (Author, Author)

    init() throws {
        folder = try Folder()
        (owner, other) = (try Author(1), try Author(2))
        store = try folder.store(of: owner)
    }

    private func told(_ text: String) async throws -> StoredMessage {
        let line = NewMessage(peer: other.peer, name: owner.name, text: text, isAction: false)
        return try #require(
            try await store.messages.keep(
                line, at: Morning.arrival, expires: Morning.after(seconds: 1_000), unsealedMax: 2, writer: 1))
    }

    private func opened(_ arrived: ArrivedMessage, _ content: OpenedMessage.Content) -> OpenedMessage {
        OpenedMessage(arrived, prekey: 7, content: content)
    }

    @Test func whatHasAnotherFormOrATopicIsRefused() async throws {
        for record in [
            other.sealed(topic: [1]), other.say(.sealed, body: [1]), other.say(.prekeys, body: [1]),
            other.say(.prekeys, topic: [1], body: other.prekeys(1).record.body),
        ] {
            guard case .refused = try await store.insert([record], at: Morning.arrival)[0] else {
                Issue.record("kept a record of another form")
                continue
            }
        }
    }

    @Test func ofSomebodysKeysTheNewestStand() async throws {
        let (old, new) = (other.prekeys(1), other.prekeys(2))
        #expect(try await store.prekeys.published(by: other.peer, at: Morning.arrival) == nil)
        #expect(try await store.insert([new, old], at: Morning.arrival) == [.added, .superseded])
        #expect(try await store.prekeys.published(by: other.peer, at: Morning.arrival)?.body.rotating.id == 2)
        #expect(try await store.prekeys.published(by: other.peer, at: Morning.after(seconds: 86_400)) == nil)
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    @Test func eachMessageIsLookedAtOnce() async throws {
        let messages = (0..<3).map { _ in other.sealed() }
        _ = try await store.insert(messages + [owner.sealed(), other.post("no message")], at: Morning.arrival)
        let first = try await store.messages.toOpen(limit: 2)
        #expect(first.map(\.id) == messages.prefix(2).map(\.id))
        let line = NewMessage(peer: other.peer, name: other.name, text: "hello", isAction: true)
        for _ in 0..<2 {
            _ = try await store.messages.enter(
                [opened(first[0], .line(line, isLate: true))], upTo: first[1].seq, at: Morning.arrival, lifetime: 1_000,
                writer: 1)
        }
        #expect(try await store.messages.toOpen(limit: 2).map(\.id) == [messages[2].id])
        let kept = try await store.messages.lines(with: other.peer, limit: 10)
        #expect(kept.map(\.text) == ["hello"] && kept.allSatisfy { $0.isAction && $0.isLate && !$0.isMine })
        #expect(kept.map(\.peerName) == [other.name.text])
        // Every process delivers lines that it did not write.
        #expect(try await store.messages.lines(after: 0, notBy: 1, limit: 10).count == 1)
    }

    @Test func aLineComesFurtherAndNeverBack() async throws {
        let line = try await told("hello")
        #expect(line.state == .waiting && line.record == nil && line.isMine)
        let record = owner.sealed()
        let sent = try await store.messages.send(
            message: line.number, prekey: 5, expires: Morning.after(seconds: 2_000), at: Morning.arrival
        ) { _ in record }
        #expect(sent == .added)
        let again = try await store.messages.send(
            message: line.number, prekey: 5, expires: Morning.after(seconds: 2_000), at: Morning.arrival
        ) { _ in record }
        #expect(again == nil)
        #expect(try await store.prekeys.used(with: other.peer) == [5])
        #expect(try await store.outbox.waiting(limit: 10, after: nil).count == 1)
        #expect(try await store.outbox.confirmed([record.id]).map(\.state) == [.relayed])
        #expect(try await store.outbox.confirmed([record.id]).isEmpty)

        _ = try await store.insert([other.sealed()], at: Morning.arrival)
        let arrived = try #require(try await store.messages.toOpen(limit: 1).first)
        for isFirst in [true, false] {
            let news = try await store.messages.enter(
                [opened(arrived, .receipt([record.id]))], upTo: arrived.seq, at: Morning.arrival, lifetime: 1_000,
                writer: 1)
            #expect(news.delivered.map(\.state) == (isFirst ? [.delivered] : []))
        }
        #expect(try await store.messages.lapse(at: Morning.after(seconds: 90_000)).isEmpty)
        #expect(try await store.messages.lines(after: 0, notBy: 1, limit: 10).isEmpty)
        #expect(try await store.messages.lines(after: 0, notBy: 2, limit: 10).map(\.number) == [line.number])
    }

    @Test func onlySoManyWaitToBeSealed() async throws {
        _ = (try await told("one"), try await told("two"))
        let line = NewMessage(peer: other.peer, name: owner.name, text: "three", isAction: false)
        let refused = try await store.messages.keep(
            line, at: Morning.arrival, expires: Morning.after(seconds: 1_000), unsealedMax: 2, writer: 1)
        #expect(refused == nil)
        #expect(try await store.messages.lapse(at: Morning.after(seconds: 1_000)).map(\.state) == [.lapsed, .lapsed])
        #expect(try await store.messages.unsealed(at: Morning.arrival, limit: 10).isEmpty)
    }

    @Test func aReceiptIsOwedUntilItIsWrittenAndItsReadersKeysAreHere() async throws {
        _ = try await store.insert([other.sealed()], at: Morning.arrival)
        let arrived = try #require(try await store.messages.toOpen(limit: 1).first)
        let line = NewMessage(peer: other.peer, name: other.name, text: "hello", isAction: false)
        _ = try await store.messages.enter(
            [opened(arrived, .line(line, isLate: false))], upTo: arrived.seq, at: Morning.arrival, lifetime: 100_000,
            writer: 1)
        #expect(try await store.messages.receiptsOwed(at: Morning.arrival, limit: 10).isEmpty)
        _ = try await store.insert([other.prekeys(1)], at: Morning.arrival)
        let owed = try await store.messages.receiptsOwed(at: Morning.arrival, limit: 10)
        #expect(owed.map(\.peer) == [other.peer] && owed.map(\.messages) == [[arrived.id]])
        let receipt = owner.sealed()
        try await store.messages.sendReceipt(for: [arrived.id], at: Morning.arrival) { _ in receipt }
        #expect(try await store.messages.receiptsOwed(at: Morning.arrival, limit: 10).isEmpty)
        #expect(try await store.outbox.waiting(limit: 10, after: nil).count == 1)
    }

    @Test func messagesAndKeysOutliveARebuild() async throws {
        _ = try await told("hello")
        let key = StoredPrekey(
            prekey: Prekey(id: 3, key: .zero), sealed: [1, 2, 3], isRotating: true, made: Morning.arrival)
        let record = owner.prekeys(3)
        try await store.prekeys.publish([key], at: Morning.arrival) { _ in record }
        _ = try await store.upkeep.rebuild(at: Morning.arrival)
        #expect(try await store.prekeys.own() == [key])
        #expect(try await store.messages.conversations(limit: 10).map(\.text) == ["hello"])
        try await store.prekeys.destroy([3])
        #expect(try await store.prekeys.own().isEmpty)
    }
}
