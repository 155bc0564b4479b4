import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// Cards of the mesh.
@Suite struct CardTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let store: Store

    init() throws {
        folder = try Folder()
        (anna, bert) = (try Author(1), try Author(2))
        store = try folder.store(of: anna)
    }

    @discardableResult
    private func insert(_ records: VerifiedRecord..., at now: WallTime = Morning.arrival) async throws
        -> [InsertOutcome]
    {
        try await store.insert(records, at: now)
    }

    private func name(at now: WallTime = Morning.arrival) async throws -> String? {
        try await store.cards.current(at: now).card?.body.name
    }

    @Test func onlyTheCardOfTheChosenSignerCounts() async throws {
        let (camp, other) = (bert.card("Camp"), anna.card("Other"))
        #expect(try await insert(camp, other) == [.added, .added])
        #expect(try await store.cards.current(at: Morning.arrival).signer == nil)
        #expect(try await name() == nil)
        try await store.cards.take(bert.peer)
        let (signer, card) = try await store.cards.current(at: Morning.arrival)
        #expect(signer == bert.peer && card?.id == camp.id && card?.author == bert.peer)
        #expect(card?.date == WallTime(milliseconds: Morning.milliseconds))
        try await insert(anna.card("Newer"))
        #expect(try await name() == "Camp")
        try await store.cards.take(anna.peer)
        #expect(try await name() == "Newer")
        // Nothing has come from this signer.
        try await store.cards.take(try Author(3).peer)
        #expect(try await name() == nil)
        try await store.cards.take(nil)
        #expect(try await store.cards.current(at: Morning.arrival).signer == nil)
    }

    /// Whichever comes first.
    @Test(arguments: [true, false]) func theNewestOfAPersonCounts(isNewestFirst: Bool) async throws {
        let (old, new) = (bert.card("Old"), bert.card("New"))
        try await store.cards.take(bert.peer)
        if isNewestFirst {
            #expect(try await insert(new, old) == [.added, .superseded])
        } else {
            #expect(try await insert(old, new) == [.added, .added])
        }
        #expect(try await name() == "New")
        #expect(try await store.upkeep.stats(at: Morning.arrival).kinds.map(\.kind) == [19])
    }

    @Test func aCardOfTheFutureIsAsOldAsItsArrival() async throws {
        let ahead = bert.card("Ahead", at: Morning.milliseconds + 86_400_000 * 400)
        #expect(try await insert(ahead) == [.added])
        try await store.cards.take(bert.peer)
        #expect(try await store.cards.current(at: Morning.arrival).card?.date == Morning.arrival)
        // It expires by its arrival, too.
        #expect(try await name(at: Morning.after(seconds: 86_400 + 59)) == "Ahead")
        #expect(try await name(at: Morning.after(seconds: 86_400 + 61)) == nil)
    }

    @Test func aCardThatIsNoneIsRefused() async throws {
        let topic = bert.say(.card, topic: [1], body: MeshCardBody(author: bert.name, name: "Camp").body)
        let nameless = bert.say(.card, body: [3, 0x62, 0x6F, 0x62, 0])
        let huge = bert.say(.card, body: [3, 0x62, 0x6F, 0x62, 65] + [UInt8](repeating: 0x61, count: 65))
        for outcome in try await insert(topic, nameless, huge) {
            guard case .refused = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
        try await store.cards.take(bert.peer)
        #expect(try await name() == nil)
    }

    @Test func ownCardsAreRenewedOnlyIfTheyCount() async throws {
        let later = Morning.after(seconds: 3_600)
        try await insert(anna.card("Mine"))
        #expect(try await store.cards.own(olderThan: later, at: later) == nil)
        try await store.cards.take(anna.peer)
        #expect(try await store.cards.own(olderThan: later, at: later)?.body.name == "Mine")
        #expect(try await store.cards.own(olderThan: Morning.after(seconds: -1), at: later) == nil)
        #expect(try await store.cards.own(olderThan: later, at: Morning.after(seconds: 90_000)) == nil)
        try await insert(bert.card("Theirs"))
        try await store.cards.take(bert.peer)
        #expect(try await store.cards.own(olderThan: later, at: later) == nil)
    }

    @Test func whoseCardCountsIsRememberedAndTheSameForEveryPersona() async throws {
        try await store.cards.take(bert.peer)
        try await insert(bert.card("Camp"))
        #expect(try await store.of(try Author(3).peer).cards.current(at: Morning.arrival).card?.body.name == "Camp")
        try store.close()
        let again = try folder.store(of: anna)
        #expect(try await again.cards.current(at: Morning.arrival).card?.body.name == "Camp")
    }
}
