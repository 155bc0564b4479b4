import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

/// What a store says of itself to others.
@Suite struct SyncTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let store: Store

    init() throws {
        folder = try Folder()
        anna = try Author(1)
        bert = try Author(2)
        store = try folder.store(of: anna)
    }

    @Test func recordsAreCountedByGroup() async throws {
        #expect(try await store.reconciling.groupCounts().isEmpty)
        let post = bert.post("here")
        _ = try await store.insert(
            [
                post, bert.comment("there", on: post.id), bert.event("then"), bert.chat("hello"), bert.profile("me"),
                anna.like(post.id), anna.follow(bert.peer), bert.edit(post.id, bert.postBody("new")),
                bert.say(RecordKind(rawValue: 400), body: []), bert.say(RecordKind(rawValue: 401), body: []),
            ], at: Morning.arrival)
        let counts = try await store.reconciling.groupCounts()
        #expect(counts.map(\.group) == [.chat, .posts, .people, .changes, .other])
        #expect(counts.map(\.records) == [1, 3, 3, 1, 2])
    }

    @Test func withWhomItWasComparedIsRememberedForTheLast() async throws {
        let peers = (0..<70).map { Shelf.peer($0) }
        for (index, peer) in peers.enumerated() {
            try await store.reconciling.noteCompared(
                with: peer, at: Morning.after(seconds: Int64(index)), gained: index, given: 1)
        }
        try await store.reconciling.noteCompared(with: peers[69], at: Morning.after(seconds: 100), gained: 1, given: 2)
        let compared = try await store.reconciling.comparedPeers()
        #expect(compared.map(\.peer) == peers[6...].reversed())
        #expect(compared[0].gained == 70 && compared[0].given == 3 && compared[0].at == Morning.after(seconds: 100))
    }

    @Test func ownDatesStandBehindWhatOneHasSeen() async throws {
        let ahead = bert.post("ahead", at: Morning.milliseconds + 3 * 86_400_000)
        let refused = bert.say(.post, body: [7], at: Morning.milliseconds + 4 * 86_400_000)
        _ = try await store.insert([ahead, refused, bert.post("now")], at: Morning.arrival)
        #expect(try await store.ownClock() == ahead.record.created)
        let identity = anna.identity
        let (own, _) = try await store.write(at: Morning.arrival, waits: false) {
            identity.sign(
                Record(
                    kind: RecordKind(rawValue: 400), author: identity.peer, created: $0, lifetimeSeconds: 600,
                    topic: [], body: []))
        }
        #expect(own.record.created.rawValue == ahead.record.created.rawValue + 1)
    }

    @Test func onesOwnDatesAreBelievedHoweverFarAhead() async throws {
        // A clock that was a year ahead once: what was said then is not to stand behind what is said now.
        let year = Morning.milliseconds + 365 * 86_400_000
        let wrong = anna.post("wrong", at: year)
        _ = try await store.insert([wrong], at: Morning.arrival)
        #expect(try await store.ownClock() == wrong.record.created)
    }
}
