import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import Testing

@testable import LatticeNode

/// Two nodes, and what one's person says of the other.
@Suite struct WhoIsWhoTests {
    @Test func bothSeeOneSafetyNumberAndTheMarkIsOfTheKey() async throws {
        let (alice, bob) = (
            try await Chatter(try Home("alice"), knows: true), try await Chatter(try Home("bob"), knows: true)
        )
        try await alice.run {
            try await bob.run {
                try await alice.meet(bob)
                try await bob.meet(alice)
                guard
                    case .known(.safetyNumber(let here)) = try await alice.node.perform(
                        .known(.safetyNumber(PeerReference("bob")))),
                    case .known(.safetyNumber(let there)) = try await bob.node.perform(
                        .known(.safetyNumber(PeerReference("alice"))))
                else { throw Person.Unexpected() }
                #expect(here.groups == there.groups && here.words == there.words)
                _ = try await alice.node.perform(.known(.verify(PeerReference("bob"), true)))
                #expect(alice.home.book.contacts() == [bob.home.identity.peer])
                try await eventually("the mark is told") {
                    alice.events.contains {
                        if case .standing(let standing) = $0 {
                            standing.verified == [bob.home.identity.peer]
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
                    try await eventually("a clash is told") { !alice.clashes.isEmpty }
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
                    book: alice.home.book, me: alice.home.identity.peer, mesh: try MeshName("synced"))
                _ = try await desk.perform(
                    .block(PeerReference(bob.home.identity.peer.hex), true), at: Clocks.machine())
                try await eventually("it is gone") { try await alice.count() == 0 }
                try await eventually("the link is gone") {
                    guard case .peers(let peers) = try await alice.node.perform(.peers) else { return false }
                    return !peers.contains { $0.state == .connected }
                }
                _ = try await alice.node.perform(.known(.block(PeerReference(bob.home.identity.peer.hex), false)))
                try await bob.meet(alice)
                try await eventually("what was removed is there again") { try await alice.count() == 1 }
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
                #expect(try await other.removeBlocked(at: Clocks.machine()) == 1)
                try other.close()
                try await eventually("it is fetched again") { try await alice.count() == 1 }
            }
        }
    }
}
