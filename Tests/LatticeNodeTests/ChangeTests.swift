import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Fronts get an event for every change, no matter who made it.
@Suite(.timeLimit(.minutes(10))) struct ChangeTests {
    private func item<R: Request>(_ request: R, of chatter: Chatter) async throws -> ItemInfo
    where R.Reply == ItemInfo {
        try await chatter.node.perform(request)
    }

    /// Alice, with a post that Bob has, linked.
    private func together(_ body: (Chatter, Chatter, ItemInfo) async throws -> Void) async throws {
        let (alice, bob) = (try await Chatter(try Home("alice")), try await Chatter(try Home("bob")))
        try await alice.run {
            let post = try await item(NewPost(text: "who has a lamp?", at: try .park()), of: alice)
            try await bob.run {
                try await bob.meet(alice)
                try await eventually("bob has it") { bob.placed.contains(post.id) }
                try await body(alice, bob, post)
            }
        }
    }

    @Test func whatOthersDoIsToldAsSoonAsItIsKept() async throws {
        try await together { alice, bob, post in
            _ = try await item(LikeItem(post.reference, true), of: bob)
            try await eventually("a like") { alice.changes(of: post.id).contains([.like]) }
            let comment = try await item(NewComment(on: post.reference, text: "I"), of: bob)
            try await eventually("a comment") { alice.changes(of: post.id).contains([.comment]) }
            _ = try await item(EditItem(comment.reference, text: "we"), of: bob)
            try await eventually("an edit of it") { alice.changes(of: comment.id).contains([.edit]) }
            _ = try await item(LikeItem(comment.reference, true), of: alice)
            try await eventually("a like of it") { bob.changes(of: comment.id).contains([.like]) }
            #expect(bob.itemChanges.filter { $0.item == comment.id }.allSatisfy { $0.about == post.id })
            _ = try await item(DeleteItem(post.reference), of: alice)
            try await eventually("a deletion") { bob.changes(of: post.id).contains([.deletion]) }
        }
    }

    @Test func whoComesToAnEventIsTold() async throws {
        try await together { alice, bob, _ in
            let later = WallTime(milliseconds: Clocks.machine().milliseconds + 3_600_000)
            let fire = try await item(
                CreateEvent(EventDraft(name: "fire", at: try .park(), starts: later)), of: alice)
            try await eventually("bob has it") { bob.placed.contains(fire.id) }
            _ = try await item(AttendEvent(fire.reference, true), of: bob)
            try await eventually("an attendance") { alice.changes(of: fire.id).contains([.attendance]) }
        }
    }

    @Test func whoFollowsAndWhoSaysWhatOfThemselvesIsTold() async throws {
        try await together { alice, bob, _ in
            let (she, he) = (alice.home.identity.peer, bob.home.identity.peer)
            let change = ProfileChange(about: "at the gate")
            _ = try await bob.node.perform(change)
            try await eventually("a profile") { alice.personChanges.contains(PersonChange(he, [.profile])) }
            _ = try await bob.node.perform(FollowPerson(PeerReference(she.hex), true))
            try await eventually("a follow") {
                alice.personChanges.contains(PersonChange(he, [.follow]))
                    && alice.personChanges.contains(PersonChange(she, [.follow]))
            }
        }
    }

    /// Several fronts look at one node.
    @Test func whatOneDoesOneselfIsToldToAllFronts() async throws {
        let alice = try await Chatter(try Home("alice"))
        try await alice.run {
            let post = try await item(NewPost(text: "water", at: try .park()), of: alice)
            try await eventually("a place") { alice.placed == [post.id] }
            _ = try await item(LikeItem(post.reference, true), of: alice)
            try await eventually("a like") { alice.changes(of: post.id) == [[.like]] }
            // To like it twice changes nothing.
            _ = try await item(LikeItem(post.reference, true), of: alice)
            _ = try await item(NewComment(on: post.reference, text: "x"), of: alice)
            try await eventually("a comment") { alice.changes(of: post.id) == [[.like], [.comment]] }
        }
    }

    /// Several people use one node; its owner looks at a page of it.
    @Test func whatThoseDoWhoSpeakThroughANodeIsToldToWhoeverRunsIt() async throws {
        let alice = try await Chatter(try Home("alice"))
        try await alice.run {
            let guest = try await alice.admit("bob")
            let post = try await guest.visitor.perform(
                NewPost(text: "water", at: try .park()))
            try await eventually("a place") { alice.placed == [post.id] }
            _ = try await guest.visitor.perform(NewComment(on: post.reference, text: "cold"))
            try await eventually("a comment") { alice.changes(of: post.id) == [[.comment]] }
            try await eventually("the visitor's front hears it, too") {
                guest.all.events.contains { if case .changed = $0 { true } else { false } }
            }
        }
    }

    /// A command writes to the store of a node that runs.
    @Test func whatAnotherProcessWritesIsTold() async throws {
        let home = try Home("alice")
        let alice = try await Chatter(home)
        try await alice.run {
            let post = try await item(NewPost(text: "water", at: try .park()), of: alice)
            let other = Archive(store: try home.store(), identity: home.identity, name: home.name)
            _ = try await other.perform(LikeItem(post.reference, true), at: Clocks.machine())
            try await eventually("its like") { alice.changes(of: post.id) == [[.like]] }
            let second = try await other.perform(
                NewPost(text: "and wood", at: try .park()), at: Clocks.machine())
            try await eventually("its post") { alice.placed == [post.id, second.id] }
            other.close()
        }
    }

    /// However much waits for others to come.
    @Test func aLongQueueHidesNothingOfWhatOneDoes() async throws {
        let alice = try await Chatter(try Home("alice"))
        try await alice.run {
            let post = try await item(NewPost(text: "water", at: try .park()), of: alice)
            for number in 0..<(UnconfirmedRecords.handedOverMax + 10) {
                _ = try await item(NewComment(on: post.reference, text: "\(number)"), of: alice)
            }
            let likes = alice.changes(of: post.id).count
            _ = try await item(LikeItem(post.reference, true), of: alice)
            try await eventually("a like") { alice.changes(of: post.id).dropFirst(likes).contains([.like]) }
        }
    }

    /// A reader asks for what it shows once, not once a record.
    @Test func ofVeryMuchThatComesAtOnceNothingIsToldOneByOne() async throws {
        let (alice, bob) = (try await Chatter(try Home("alice")), try await Chatter(try Home("bob")))
        let count = 1_000
        // Before it begins, as if it had been there for long.
        let archive = Archive(store: alice.store, identity: alice.home.identity, name: alice.home.name)
        let post = try await archive.perform(
            NewPost(text: "water", at: try .park()), at: Clocks.machine())
        _ = try await alice.store.insert((0..<count).map { _ in Self.like(post.id) }, at: Clocks.machine())
        try await alice.run {
            try await bob.run {
                try await bob.meet(alice)
                try await eventually("all likes are there") {
                    do throws(RequestError) {
                        return try await bob.node.perform(ShowItem(post.reference)).item.likes == count
                    } catch {
                        guard case .unknownItem = error else { throw error }
                        return false
                    }
                }
                let told = bob.events.count { if case .changed = $0 { true } else { false } }
                #expect(told < count / 4)
            }
        }
    }

    private static func like(_ item: RecordID) -> VerifiedRecord {
        let identity = Identity.generate()
        return identity.sign(
            Record(
                kind: .like, author: identity.peer,
                created: HybridTime(wallTime: Clocks.machine()), lifetimeSeconds: 86_400, topic: item.hash.bytes,
                body: Statement(holds: true).body))
    }

    // MARK: - What waited

    @Test func whatWaitedIsToldToBeOutAsSoonAsSomebodyHasIt() async throws {
        let (alice, bob) = (try await Chatter(try Home("alice")), try await Chatter(try Home("bob")))
        try await alice.run {
            let post = try await item(NewPost(text: "alone so far", at: try .park()), of: alice)
            let comment = try await item(NewComment(on: post.reference, text: "still"), of: alice)
            let lobby = try RoomName("#lobby")
            let line = try await alice.node.perform(Say("anybody?", style: .says, room: lobby))
            #expect(line.isWaiting && line.unkept == nil)
            #expect(post.isWaiting && comment.isWaiting && alice.sent.isEmpty)
            try await bob.run {
                try await bob.meet(alice)
                try await eventually("all is out") { Set(alice.sent) == [post.id, comment.id, line.record] }
                let detail = try await alice.node.perform(
                    ShowItem(post.reference))
                #expect(!detail.item.isWaiting && !detail.comments[0].isWaiting)
                // A line that somebody heard at once never waited.
                try await alice.say("here you are")
                try await eventually("it is heard") { bob.lines.contains { $0.text == "here you are" } }
                #expect(alice.sent.count == 3)
            }
        }
    }
}

/// Which items and people records are about, by themselves.
@Suite struct ConcernedTests {
    private let identity = Identity.generate()

    private func record(_ kind: RecordKind, on topic: [UInt8], by identity: Identity) -> VerifiedRecord {
        identity.sign(
            Record(
                kind: kind, author: identity.peer, created: HybridTime(wallTime: Person.now), lifetimeSeconds: 86_400,
                topic: topic, body: Statement(holds: true).body))
    }

    private func topic(_ number: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: 30) + [UInt8(number >> 8), UInt8(number & 0xFF)]
    }

    @Test func eachIdIsThereOnceWithAllThatWasDone() throws {
        let records = [
            record(.deletion, on: topic(1), by: identity), record(.like, on: topic(2), by: identity),
            record(.like, on: topic(1), by: identity), record(.like, on: topic(1), by: Identity.generate()),
        ]
        let concerned = Concerned(by: records)
        let ids = try [1, 2].map { RecordID(try #require(Bytes32(topic($0)))) }
        #expect(concerned.items.map(\.item) == ids)
        #expect(concerned.items.map(\.kinds) == [[.like, .deletion], [.like]])
        #expect(concerned.people.isEmpty && !concerned.isMany)
    }

    @Test func newThingsLinesAndWhatIsUnknownConcernNothing() {
        let kinds: [RecordKind] = [.chat, .post, .event, .sealed, RecordKind(rawValue: 99)]
        let concerned = Concerned(by: kinds.map { record($0, on: topic(1), by: identity) })
        #expect(concerned.items.isEmpty && concerned.people.isEmpty)
    }

    @Test func aResidenceConcernsTheVisitor() {
        let concerned = Concerned(by: [record(.residence, on: topic(1), by: identity)])
        #expect(concerned.people == [PersonChange(identity.peer, [.host])] && concerned.items.isEmpty)
    }

    @Test(arguments: [[], [1], [UInt8](repeating: 7, count: 31), [UInt8](repeating: 7, count: 33)])
    func aTopicThatIsNoIdConcernsNothing(topic: [UInt8]) {
        #expect(Concerned(by: [record(.like, on: topic, by: identity)]).items.isEmpty)
        #expect(
            Concerned(by: [record(.follow, on: topic, by: identity)]).people == [PersonChange(identity.peer, [.follow])]
        )
    }

    @Test(arguments: [
        (FeedChanges.eachMax - 1, false), (FeedChanges.eachMax, false), (FeedChanges.eachMax + 1, true), (5_000, true),
    ])
    func ofMoreThanAFewThereAreMany(count: Int, isMany: Bool) {
        let concerned = Concerned(by: (0..<count).lazy.map { record(.like, on: topic($0), by: identity) })
        #expect(concerned.isMany == isMany)
        #expect(concerned.items.count <= FeedChanges.eachMax + 1)
    }
}

extension Chatter {
    fileprivate var itemChanges: [ItemChange] {
        events.flatMap { if case .changed(let changes) = $0 { changes.items } else { [] as [ItemChange] } }
    }

    fileprivate var personChanges: [PersonChange] {
        events.flatMap { if case .changed(let changes) = $0 { changes.people } else { [] as [PersonChange] } }
    }

    fileprivate func changes(of item: RecordID) -> [[ItemChange.Kind]] {
        itemChanges.filter { $0.item == item }.map(\.kinds)
    }

    fileprivate var placed: [RecordID] {
        events.compactMap { if case .placed(let placed) = $0 { placed.item } else { nil } }
    }

    fileprivate var sent: [RecordID] {
        events.flatMap { if case .sent(let records) = $0 { records } else { [] as [RecordID] } }
    }
}
