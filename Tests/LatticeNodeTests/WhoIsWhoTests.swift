import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import Testing

@testable import LatticeNode

/// Two nodes, and what the person at one says about the other.
@Suite struct WhoIsWhoTests {
    @Test func bothSeeOneSafetyNumberAndTheMarkIsOfTheKey() async throws {
        let (alice, bob) = (
            try await Chatter(try Home("alice"), knows: true), try await Chatter(try Home("bob"), knows: true)
        )
        try await alice.run {
            try await bob.run {
                try await alice.meet(bob)
                try await bob.meet(alice)
                let here = try await alice.node.perform(ShowSafetyNumber(PeerReference("bob")))
                let there = try await bob.node.perform(ShowSafetyNumber(PeerReference("alice")))
                #expect(here.groups == there.groups && here.words == there.words)
                _ = try await alice.node.perform(VerifyPerson(PeerReference("bob"), true))
                #expect(alice.home.book.contacts() == [bob.home.identity.peer])
                try await eventually("the mark is reported") {
                    alice.events.contains {
                        if case .contactMarks(let contactMarks) = $0 {
                            contactMarks.verified == [bob.home.identity.peer]
                        } else {
                            false
                        }
                    }
                }
            }
        }
    }

    @Test func anotherKeyUnderTheNameOfSomebodyOneMetIsToldOfOnceAStart() async throws {
        let home = try Home("alice")
        let impostor = try Home("bob")
        let first = try await Chatter(home, knows: true)
        let bob = try await Chatter(try Home("bob"))
        try await first.run { try await bob.run { try await first.meet(bob) } }
        for _ in 0..<2 {
            let (alice, other) = (try await Chatter(home, knows: true), try await Chatter(impostor))
            try await alice.run {
                try await other.run {
                    try await alice.meet(other)
                    try await eventually("a clash is reported") { !alice.clashes.isEmpty }
                    try await other.say("it is me")
                    try await eventually("the line is heard") { !alice.lines.isEmpty }
                }
            }
            #expect(alice.clashes.map(\.known.id) == [bob.home.identity.peer])
            #expect(alice.clashes.map(\.newcomer.id) == [impostor.identity.peer])
        }
    }

    @Test func whoIsBlockedByAnotherProcessIsCutOffAndWhatIsHereGoes() async throws {
        let (alice, bob) = (try await Chatter(try Home("alice"), knows: true), try await Chatter(try Home("bob")))
        try await alice.run {
            try await bob.run {
                try await alice.meet(bob)
                try await bob.say("buy this")
                try await eventually("it is kept") { try await alice.count() == 1 }
                let desk = KnownDesk(
                    book: .file(alice.home.book), me: alice.home.identity.peer, mesh: try MeshName("synced"))
                _ = try await desk.block(
                    [BlockEntry(id: bob.home.identity.peer, name: nil)], at: Clocks.machine())
                try await eventually("it is gone") { try await alice.count() == 0 }
                try await eventually("the link is gone") {
                    let peers = try await alice.node.perform(ListPeers()).peers
                    return !peers.contains { $0.state == .connected }
                }
                _ = try await alice.node.perform(BlockPerson(PeerReference(bob.home.identity.peer), false))
                try await bob.meet(alice)
                try await eventually("what was removed is there again") { try await alice.count() == 1 }
            }
        }
    }

    @Test func whatWasSaidWithSomebodyIsHiddenWhileTheyAreBlocked() async throws {
        let (home, bob) = (try Home("alice"), try Home("bob"))
        let (one, other) = (
            try await Chatter(home, knows: true, hasMail: true), try await Chatter(bob, knows: true, hasMail: true)
        )
        try await one.run {
            try await other.run {
                try await one.meet(other)
                // Before anything came from him he has the name under which he is here.
                #expect(try await one.tell("hello", bob).peerName == bob.name)
                try await eventually("bob is notified") { other.messages.count == 1 }
                let reference = PeerReference("bob")
                _ = try await one.node.perform(BlockPerson(reference, true))
                await #expect(throws: RequestError.self) { try await one.tell("again", bob) }
                await #expect(throws: RequestError.self) { try await one.privateHistory(bob) }
                #expect(try await one.node.perform(ListConversations()).messages.isEmpty)
                _ = try await one.node.perform(BlockPerson(reference, false))
                #expect(try await one.privateHistory(bob).map(\.text) == ["hello"])
                let lines = try await one.node.perform(ListConversations()).messages
                #expect(lines.map(\.peerName) == [bob.name])
            }
        }
    }

    /// Wherever a request is about a peer, a name will do.
    @Test func aRequestMayNameAPeer() async throws {
        let alice = try await Chatter(try Home("alice"), knows: true, hasMail: true)
        let bob = try await Chatter(try Home("bob"), knows: true, hasMail: true)
        try await alice.run {
            try await bob.run {
                try await alice.meet(bob)
                let (name, key) = (PeerReference("bob"), bob.home.identity.peer)
                #expect(try await alice.node.perform(SendPrivateMessage(name, "psst", style: .says)).peer == key)
                let messages = try await alice.node.perform(ListPrivateMessages(name, limit: 4)).messages
                #expect(messages.map(\.text) == ["psst"])
                #expect(try await alice.node.perform(ProbePeer(name)).path.last?.id == key)
                _ = try await alice.node.perform(AnswerInvitation(name, accept: true))
                let nobody = PeerReference("dave")
                for request in [
                    SendPrivateMessage(nobody, "psst", style: .says), ListPrivateMessages(nobody, limit: 4),
                    ProbePeer(nobody), AnswerInvitation(nobody, accept: true),
                ] as [any Request] {
                    let error = await #expect(throws: RequestError.self) { _ = try await alice.node.perform(request) }
                    #expect(error?.code == .unknownPeer)
                }
            }
        }
    }

    @Test func whoeverIsMetOrWroteIsFoundInOneWayAndOneselfIsTold() async throws {
        let home = try Home("alice")
        let store = try home.store()
        let mail = PrivateMail(store: store, identity: home.identity)
        let (writer, met, twin) = (Identity.generate().peer, Identity.generate().peer, Identity.generate().peer)
        _ = try await mail.tell(writer, SpokenText("hi", .says), as: home.name, at: Clocks.machine())
        let (bob, rob) = (try PeerName("bob"), try PeerName("Rob"))
        let now = Clocks.machine()
        _ = try await home.book.update { known in
            _ = known.put(KnownPerson(id: met, name: bob, petname: rob, lastSeen: now, verified: now))
            return known.put(
                KnownPerson(id: twin, name: bob, lastSeen: WallTime(milliseconds: now.milliseconds - 3 * 86_400_000)))
        }
        let archive = Archive(store: store, identity: home.identity, name: home.name, book: home.book)
        let desk = KnownDesk(
            book: .file(home.book), me: home.identity.peer, mesh: try MeshName("synced"), name: home.name,
            archive: archive)
        func find(_ text: String) async throws -> PeerID {
            try await desk.person(PeerReference(text), at: now).0.id
        }
        for text in ["Rob", "rob", "@Rob", "bob#\(met.short)", "#\(met.short)", met.hex, String(met.hex.prefix(8))] {
            #expect(try await find(text) == met, "\(text)")
            #expect(try await archive.reader.find(PeerReference(text), at: now).peer == met, "\(text)")
        }
        #expect(try await find("#\(writer.short)") == writer)
        for text in ["alice", "alice#\(home.identity.peer.short)", home.identity.peer.hex] {
            await #expect(throws: RequestError.invalid(faults: [.isSelf])) {
                try await find(text)
            }
        }
        do {
            _ = try await find("bob")
            Issue.record("two are called bob")
        } catch let error as RequestError {
            #expect(error.code == .ambiguous && Set(error.candidates.map(\.id)) == [met, twin])
            let (known, other) = (
                error.candidates.first { $0.id == met }, error.candidates.first { $0.id == twin }
            )
            #expect(known?.name?.text == "bob" && known?.petname != nil && known?.verified != nil)
            #expect(known?.lastSeen != nil && other?.lastSeen != nil && other?.verified == nil)
        }
        for blank in ["", "  \t"] {
            await #expect(throws: RequestError.self) {
                try await mail.tell(met, SpokenText(blank, .says), as: home.name, at: now)
            }
        }
    }

    /// A command blocks somebody and another one takes it back before the chat has looked.
    @Test func whatABlockTookAwayComesBackThoughTheChatNeverSawTheBlock() async throws {
        let (alice, bob) = (try await Chatter(try Home("alice"), knows: true), try await Chatter(try Home("bob")))
        try await alice.run {
            try await bob.run {
                try await alice.meet(bob)
                try await bob.say("buy this")
                try await eventually("it is kept") { try await alice.count() == 1 }
                let other = try alice.home.store()
                other.setBlocked([bob.home.identity.peer])
                #expect(try await other.upkeep.removeBlocked(at: Clocks.machine()) == 1)
                try other.close()
                try await eventually("it is fetched again") { try await alice.count() == 1 }
            }
        }
    }
}
