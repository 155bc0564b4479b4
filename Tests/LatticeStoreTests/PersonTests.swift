import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

/// Private messages, keys and rooms of several people in the store of their node's owner.
struct PersonTests {
    private let folder: Folder
    private let store: Store
    private let (owner, bob, carol): (Author, Author, Author)

    init() throws {
        folder = try Folder()
        (owner, bob, carol) = (try Author(1), try Author(2), try Author(3))
        store = try folder.store(of: owner)
    }

    private func told(_ text: String, by author: Author, to peer: PeerID) async throws -> StoredMessage {
        let line = NewMessage(peer: peer, name: author.name, text: text, isAction: false)
        return try #require(
            try await store.of(author.peer).messages.keep(
                line, at: Morning.arrival, expires: Morning.after(seconds: 1_000), unsealedMax: 1, writer: 1))
    }

    @Test func nobodyReadsAnothersMessages() async throws {
        for author in [owner, bob] { _ = try await told("by \(author.name.text)", by: author, to: carol.peer) }
        for (author, text) in [(owner, "by author 1"), (bob, "by author 2")] {
            let own = store.of(author.peer)
            #expect(try await own.messages.lines(with: carol.peer, limit: 10).map(\.text) == [text])
            #expect(try await own.messages.conversations(limit: 10).map(\.text) == [text])
            #expect(try await own.messages.unsealed(at: Morning.arrival, limit: 10).map(\.text) == [text])
            #expect(try await own.messages.lines(after: 0, notBy: 2, limit: 10).map(\.text) == [text])
        }
        #expect(try await store.of(carol.peer).messages.conversations(limit: 10).isEmpty)
        #expect(try await store.messages.lines(with: carol.peer, limit: 10).map(\.person) == [nil])
        #expect(try await store.of(bob.peer).messages.lines(with: carol.peer, limit: 10).map(\.person) == [bob.peer])
        #expect(try await store.messages.personsWithErrands() == [bob.peer])
        #expect(try await store.of(bob.peer).messages.lapse(at: Morning.after(seconds: 1_000)).count == 1)
        #expect(try await store.messages.unsealed(at: Morning.arrival, limit: 10).count == 1)
    }

    @Test func aMessageBetweenTwoWhoAreHereIsKeptByBoth() async throws {
        let (his, hers) = (store.of(bob.peer), store.of(carol.peer))
        // Only who has keys is written to.
        let keys = carol.prekeys(1)
        try await hers.prekeys.publish([], at: Morning.arrival) { _ in keys }
        let line = try await told("hello", by: bob, to: carol.peer)
        let record = bob.sealed()
        _ = try await his.messages.send(
            message: line.number, prekey: 1, expires: Morning.after(seconds: 2_000), at: Morning.arrival
        ) { _ in record }
        #expect(try await his.outbox.waiting(limit: 10, after: nil).count == 1)
        #expect(try await store.outbox.waiting(limit: 10, after: nil).isEmpty)
        #expect(try await his.messages.toOpen(limit: 10).isEmpty)
        let arrived = try #require(try await hers.messages.toOpen(limit: 10).first)
        let opened = OpenedMessage(
            arrived, prekey: 1,
            content: .line(
                NewMessage(peer: bob.peer, name: bob.name, text: "hello", isAction: false), isLate: false))
        let news = try await hers.messages.enter(
            [opened], upTo: arrived.seq, at: Morning.arrival, lifetime: 1_000, writer: 1)
        #expect(news.lines.map(\.person) == [carol.peer] && news.lines.map(\.isMine) == [false])
        #expect(try await hers.messages.toOpen(limit: 10).isEmpty)
        // The owner has not looked at it.
        #expect(try await store.messages.toOpen(limit: 10).count == 1)
        #expect(try await store.outbox.confirmed([record.id]).map(\.person) == [bob.peer])
        #expect(try await his.messages.lines(with: carol.peer, limit: 1).map(\.state) == [.relayed])
        #expect(try await hers.messages.lines(with: bob.peer, limit: 1).map(\.state) == [.delivered])
    }

    @Test func whoHasNoKeysYetLooksAtNothingThatWasSealedBefore() async throws {
        _ = try await store.insert([carol.sealed()], at: Morning.arrival)
        let his = store.of(bob.peer)
        #expect(try await his.messages.toOpen(limit: 10).isEmpty)
        let keys = bob.prekeys(1)
        try await his.prekeys.publish([], at: Morning.arrival) { _ in keys }
        #expect(try await his.messages.toOpen(limit: 10).isEmpty)
        #expect(try await store.messages.personsBehind() == [])
        _ = try await store.insert([carol.sealed(), carol.sealed()], at: Morning.arrival)
        #expect(try await his.messages.toOpen(limit: 10).count == 2)
        #expect(try await store.messages.personsBehind() == [bob.peer])
        try await store.messages.passed([bob.peer], upTo: try await store.messages.lastSealedNumber())
        #expect(try await store.messages.personsBehind() == [])
        #expect(try await his.messages.toOpen(limit: 10).isEmpty)
    }

    @Test func keysOfOneAreNotAnothers() async throws {
        let key = StoredPrekey(
            prekey: Prekey(id: 9, key: .zero), sealed: [1], isRotating: true, made: Morning.arrival)
        for (author, id) in [(owner, UInt64(8)), (bob, 9)] {
            let made = StoredPrekey(
                prekey: Prekey(id: id, key: .zero), sealed: [1], isRotating: true, made: Morning.arrival)
            let keys = author.prekeys(id)
            try await store.of(author.peer).prekeys.publish([made], at: Morning.arrival) { _ in keys }
        }
        #expect(try await store.prekeys.own().map(\.prekey.id) == [8])
        #expect(try await store.prekeys.own().allSatisfy { $0.replaced == nil })
        #expect(try await store.of(bob.peer).prekeys.own() == [key])
        #expect(try await store.prekeys.own(9) == nil)
    }

    @Test func aRoomOfOneNameIsOneForEach() async throws {
        let camp = try RoomName("#camp")
        for (author, byte) in [(owner, UInt8(1)), (bob, 2)] {
            let id = Bytes32([UInt8](repeating: byte, count: 32)) ?? .zero
            let key = NewRoomKey(room: camp, root: id, id: id, sealed: [byte], maker: author.peer)
            let outcome = try await store.of(author.peer).rooms.hold(key, at: Morning.arrival, roomsMax: 1, keysMax: 1)
            #expect(outcome == .held)
        }
        let his = store.of(bob.peer)
        #expect(try await store.rooms.keys().map(\.sealed) == [[1]])
        #expect(try await his.rooms.keys(of: camp).map(\.sealed) == [[2]])
        for (author, own) in [(owner, store), (bob, his)] {
            let key = try #require(try await own.rooms.keys().first)
            let sealed = author.sealed()
            let line = ChatLine(style: .says, name: author.name, text: author.name.text)
            _ = try await own.rooms.say([(line, { @Sendable _ in sealed })], under: key, at: Morning.arrival)
            #expect(try await own.rooms.history(of: camp, limit: 9).lines.map(\.text) == [author.name.text])
        }
        #expect(try await store.of(carol.peer).rooms.names().isEmpty)
        #expect(try await his.rooms.names() == [camp])
        try await his.rooms.forget(camp)
        #expect(try await his.rooms.names().isEmpty)
        #expect(try await store.rooms.names() == [camp])
        #expect(try await store.rooms.keys().count == 1)
    }

    @Test func ofThroughWhomSomebodySpeaksTheNewestStands() async throws {
        let word = owner.identity.vouch(for: bob.peer).body
        let (old, new) = (
            bob.say(.residence, topic: owner.peer.key.bytes, body: word),
            bob.say(.residence, topic: owner.peer.key.bytes, body: word)
        )
        #expect(try await store.insert([new, old], at: Morning.arrival) == [.added, .superseded])
        #expect(try await store.people.residences(of: [bob.peer, owner.peer], at: Morning.arrival) == [new.signed])
        #expect(
            try await store.people.residence(of: bob.peer, at: owner.peer, at: Morning.arrival)
                == new.record.created.wallTime)
        #expect(try await store.people.residence(of: owner.peer, at: owner.peer, at: Morning.arrival) == nil)
        for forged in [bob.say(.residence, topic: [1], body: word), bob.say(.residence, topic: [], body: [1])] {
            guard case .refused = try await store.insert([forged], at: Morning.arrival)[0] else {
                Issue.record("kept a record of another form")
                continue
            }
        }
        #expect(try await store.upkeep.check(verify: verified).faults == [])
        _ = try await store.upkeep.rebuild(at: Morning.arrival)
        #expect(try await store.people.residences(of: [bob.peer], at: Morning.arrival) == [new.signed])
    }
}
