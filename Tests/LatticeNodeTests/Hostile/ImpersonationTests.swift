import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeSession
import LatticeWire
import Testing

@testable import LatticeNode

/// Strangers that want to be taken for somebody else.
@Suite(.timeLimit(.minutes(10))) struct ImpersonationTests {
    enum Proof: CaseIterable {
        /// The impostor signs for its static key itself.
        case own
        /// What the victim signed for a static key of its own, as anybody hears who is dialled by it.
        case stolen
        /// Nothing.
        case none
    }

    @Test(arguments: Proof.allCases) func whoShowsAnothersKeyGetsNoLink(proof: Proof) async throws {
        let host = try await Chatter(try Home("alice"))
        let (victim, impostor) = (Identity.generate(), Identity.generate())
        let key = AgreementKey.generate()
        let signature =
            switch proof {
            case .own: impostor.sign(context: Introduction.signatureContext, key.publicKey.bytes)
            case .stolen:
                victim.sign(context: Introduction.signatureContext, AgreementKey.generate().publicKey.bytes)
            case .none: [UInt8](repeating: 0, count: 64)
            }
        let session = SessionIdentity(peer: victim.peer, staticKey: key, signature: signature)
        let stranger = try await Chatter.stranger(session: session)
        try await host.run {
            try await stranger.dial(await host.address, again: false) {
                try await eventually("it is turned away") { try await host.stats().refused[.handshakes] == 1 }
                #expect(try await host.peer(victim.peer) == nil)
                #expect(!stranger.frames.contains { if case .accept = $0 { true } else { false } })
            }
            let honest = try await Chatter.stranger()
            try await honest.visit(await host.address) {
                let peer = try await host.peer(honest.identity.peer)
                #expect(peer?.state == .connected)
            }
        }
    }

    /// The mark belongs to the key: it follows the key to any name, and never the name to another key.
    @Test func aMarkStaysWithItsKeyWhoeverTakesTheName() async throws {
        let host = try await Chatter(try Home("alice"), knows: true)
        let bob = try await Chatter(try Home("bob"))
        let impostor = try await Chatter.stranger(named: "bob")
        func known(_ id: PeerID) async throws -> KnownPerson? {
            try await host.node.perform(ListKnownPeople()).people.first { $0.id == id }
        }
        try await host.run {
            try await bob.run {
                try await host.meet(bob)
                _ = try await host.node.perform(VerifyPerson(PeerReference("bob"), true))
                _ = try await bob.node.perform(Rename(try PeerName("carol")))
                try await eventually("the new name") {
                    try await known(bob.home.identity.peer)?.name == (try PeerName("carol"))
                }
                try await impostor.visit(await host.address) {
                    impostor.say(try Speech.presence(by: impostor.identity, named: "bob"))
                    impostor.say(try Speech.line("it is me, bob", by: impostor.identity))
                    try await eventually("the line") { host.heardTexts == ["it is me, bob"] }
                    try await eventually("it is known") { try await known(impostor.identity.peer)?.name != nil }
                    #expect(try await known(impostor.identity.peer)?.verified == nil)
                    #expect(try await known(bob.home.identity.peer)?.verified != nil)
                    let contactMarks = host.events.compactMap {
                        if case .contactMarks(let contactMarks) = $0 { contactMarks } else { nil }
                    }
                    #expect(contactMarks.last?.verified == [bob.home.identity.peer])
                    #expect(host.home.book.contacts() == [bob.home.identity.peer])
                }
            }
        }
    }
}
