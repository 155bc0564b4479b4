import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// What is in a store, as neighbours compare it.
struct CatalogueTests {
    private func work(
        _ side: Comparison.Side, _ scope: SyncScope, _ message: [UInt8] = [],
        since: HybridTime = HybridTime(rawValue: 0)
    ) -> ComparisonWork {
        ComparisonWork(
            link: LinkID(rawValue: 1), side: side, session: 1, scope: scope, since: since, message: message)
    }

    /// All that the one finds out of the other.
    private func compare(
        _ asker: Catalogue, _ answerer: Catalogue, _ scope: SyncScope, since: HybridTime = HybridTime(rawValue: 0)
    ) async throws -> (have: Set<RecordID>, need: Set<RecordID>) {
        var (have, need): (Set<RecordID>, Set<RecordID>) = ([], [])
        var message: [UInt8] = []
        for _ in 0..<100 {
            let asked = await asker.outcome(of: work(.question, scope, message, since: since))
            guard case .step(let question, let more, let missing) = asked.result else { throw Person.Unexpected() }
            have.formUnion(more)
            need.formUnion(missing)
            guard let question else { return (have, need) }
            let answer = await answerer.outcome(of: work(.answer, scope, question, since: since))
            guard case .step(let reply?, [], []) = answer.result else { throw Person.Unexpected() }
            message = reply
        }
        throw Person.Unexpected()
    }

    private func lines(_ count: Int, by person: Person, in room: String = "#lobby", from first: Int = 0)
        -> [VerifiedRecord]
    {
        (first..<first + count).map { number in
            let text = ChatLine(style: .says, name: ChatRig.name, text: "line \(number)")
            return person.identity.sign(
                Record(
                    kind: .chat, author: person.identity.peer,
                    created: HybridTime(wallTime: WallTime(milliseconds: Person.now.milliseconds + Int64(number))),
                    lifetimeSeconds: 86_400, topic: Array(room.utf8), body: text.body))
        }
    }

    @Test func nothingIsComparedBeforeTheStoreIsRead() async throws {
        let alice = try Person("alice")
        let catalogue = Catalogue(store: alice.store)
        let question = work(.question, SyncScope(.chat))
        #expect(await catalogue.outcome(of: question) == ComparisonOutcome(question, .unready))
        try await catalogue.load()
        guard case .step(_?, [], []) = await catalogue.outcome(of: question).result else { throw Person.Unexpected() }
    }

    @Test func eachFindsOutWhatTheOtherLacks() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let (hers, his, both) = (lines(700, by: alice), lines(300, by: bob), lines(200, by: alice, from: 5_000))
        _ = try await alice.store.insert(hers + both, at: Person.now)
        _ = try await bob.store.insert(his + both, at: Person.now)
        let catalogues = (Catalogue(store: alice.store), Catalogue(store: bob.store))
        try await catalogues.0.load()
        try await catalogues.1.load()
        let found = try await compare(catalogues.0, catalogues.1, SyncScope(.chat))
        #expect(found.have == Set(hers.map(\.id)) && found.need == Set(his.map(\.id)))
        let archive = try await compare(catalogues.0, catalogues.1, SyncScope(.posts))
        #expect(archive.have.isEmpty && archive.need.isEmpty)
    }

    @Test func whatIsWrittenByAnybodyIsFollowed() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let catalogues = (Catalogue(store: alice.store), Catalogue(store: bob.store))
        try await catalogues.0.load()
        try await catalogues.1.load()
        // Another process of hers.
        let other = try Store(path: alice.store.path, owner: alice.identity.peer)
        let said = lines(3, by: alice)
        _ = try await other.insert(said, at: Person.now)
        #expect(try await compare(catalogues.0, catalogues.1, SyncScope(.chat)).have.isEmpty)
        _ = try await catalogues.0.follow()
        #expect(try await compare(catalogues.0, catalogues.1, SyncScope(.chat)).have == Set(said.map(\.id)))
        let over = WallTime(milliseconds: Person.now.milliseconds + 90_000_000)
        _ = try await other.upkeep.expire(at: over)
        let gone = try await catalogues.0.follow()
        #expect(Set(gone.forGood) == Set(said.map(\.id)))
        #expect(!gone.mayReturn)
        #expect(try await compare(catalogues.0, catalogues.1, SyncScope(.chat)).have.isEmpty)
    }

    @Test func whatWasTakenBackIsNotNeeded() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let post = try await alice.ask(NewPost(text: "water", at: try .park()))
        try await alice.tell(bob)
        _ = try await bob.store.insert(
            [
                alice.identity.sign(
                    Record(
                        kind: .deletion, author: alice.identity.peer,
                        created: HybridTime(wallTime: WallTime(milliseconds: Person.now.milliseconds + 5)),
                        lifetimeSeconds: 86_400, topic: post.id.hash.bytes, body: []))
            ], at: Person.now)
        let catalogues = (Catalogue(store: bob.store), Catalogue(store: alice.store))
        try await catalogues.0.load()
        try await catalogues.1.load()
        let found = try await compare(catalogues.0, catalogues.1, SyncScope(.posts))
        #expect(found.need.isEmpty && found.have.isEmpty)
    }

    @Test func oneRoomIsComparedByItself() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let (here, there) = (lines(40, by: alice, in: "#here"), lines(50, by: alice, in: "#there", from: 100))
        _ = try await alice.store.insert(here + there, at: Person.now)
        let catalogues = (Catalogue(store: alice.store), Catalogue(store: bob.store))
        try await catalogues.0.load()
        try await catalogues.1.load()
        let scope = SyncScope(.chat, room: Array("#here".utf8))
        #expect(try await compare(catalogues.1, catalogues.0, scope).need == Set(here.map(\.id)))
        let more = lines(1, by: alice, in: "#here", from: 900)
        _ = try await alice.store.insert(more, at: Person.now)
        _ = try await catalogues.0.follow()
        #expect(try await compare(catalogues.1, catalogues.0, scope).need == Set((here + more).map(\.id)))
    }

    @Test func onlyWhatBothKeepIsCompared() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let said = lines(40, by: alice)
        _ = try await alice.store.insert(said, at: Person.now)
        let catalogues = (Catalogue(store: alice.store), Catalogue(store: bob.store))
        try await catalogues.0.load()
        try await catalogues.1.load()
        let found = try await compare(
            catalogues.1, catalogues.0, SyncScope(.chat), since: said[30].record.created)
        #expect(found.need == Set(said[30...].map(\.id)))
    }

    @Test(arguments: [[], [0x61], [7], [0x61, 0, 0, 9], [UInt8](repeating: 0xFF, count: 60_000)])
    func whatIsNoMessageIsAFault(message: [UInt8]) async throws {
        let alice = try Person("alice")
        let catalogue = Catalogue(store: alice.store)
        try await catalogue.load()
        let answer = await catalogue.outcome(of: work(.answer, SyncScope(.chat), message)).result
        switch answer {
        case .faulty: #expect(message != [0x61])
        case .step(let reply, _, _): #expect(message == [0x61] && reply == [0x61])
        case .unready: Issue.record("it is ready")
        }
    }
}
