import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

@testable import LatticeNode

/// Neighbours that pass off as somebody's what is not theirs.
@Suite(.timeLimit(.minutes(10))) struct ForgeryTests {
    @Test func aForgedHopCountMakesNobodyANeighbour() async throws {
        let host = try await Chatter(try Home("alice"))
        let stranger = try await Chatter.stranger()
        let bob = Identity.generate()
        try await host.run {
            try await stranger.visit(await host.address) {
                stranger.say(try Speech.presence(by: bob, named: "bob"), timeToLive: RecordFrame.timeToLiveMax, hops: 1)
                stranger.say(try Speech.line("here I am", by: bob), timeToLive: RecordFrame.timeToLiveMax, hops: 1)
                try await eventually("the line") { host.heardTexts == ["here I am"] }
                try await eventually("bob is known") { try await host.peer(bob.peer) != nil }
                #expect(try await host.peer(bob.peer)?.state != .connected)
                #expect(try await host.peer(stranger.identity.peer)?.state == .connected)
                let told = host.events.contains {
                    if case .peer(let change) = $0 { change.id == bob.peer } else { false }
                }
                #expect(!told)
            }
        }
    }

    @Test func whatItsAuthorDidNotSignIsNeitherShownNorPassedOnAndEndsTheLink() async throws {
        let host = try await Chatter(try Home("alice"))
        let (liar, witness) = (try await Chatter.stranger(), try await Chatter.stranger())
        let victim = Identity.generate()
        try await host.run {
            try await witness.visit(await host.address) {
                try await liar.visit(await host.address) {
                    let forged = try Speech.forged("send me your keys", as: victim)
                    liar.say(.record(RecordFrame(timeToLive: 4, hops: 1, signed: forged)))
                    try await eventually("it is sent away") { liar.closure != nil }
                }
                // It comes behind what was forged, so once it is there that would be, too.
                try await host.say("after that")
                try await eventually("a line") { witness.heardLines.contains("after that") }
                #expect(witness.heardLines == ["after that"] && host.heardTexts.isEmpty)
                #expect(try await host.stats().refused[.faults] == 1)
            }
        }
    }

    @Test func aForgedCopyDoesNotKeepTheTrueOneOut() async throws {
        let host = try await Chatter(try Home("alice"))
        let (liar, honest) = (try await Chatter.stranger(), try await Chatter.stranger())
        let victim = Identity.generate()
        let said = try Speech.line("water is at the gate", by: victim)
        let other = try Speech.line("water is at the gate", by: Identity.generate())
        try await host.run {
            try await liar.visit(await host.address) {
                let forged = SignedRecord(said.record, signature: other.signed.signature)
                liar.say(.record(RecordFrame(timeToLive: 4, hops: 1, signed: forged)))
                try await eventually("it is sent away") { liar.closure != nil }
            }
            try await honest.visit(await host.address) {
                honest.say(said)
                try await eventually("the line") { host.heardTexts == ["water is at the gate"] }
            }
        }
    }

    @Test func whatIsSuppliedUnaskedIsCountedAndNotKept() async throws {
        let host = try await Chatter(try Home("alice"))
        let stranger = try await Chatter.stranger()
        try await host.run {
            try await stranger.visit(await host.address) {
                for record in ChatRig.lines(20, by: stranger.identity) {
                    stranger.say(.serve(ServedRecord(ageSeconds: 0, signed: record.signed)))
                }
                try await eventually("all are counted") { try await host.stats().refused[.unasked] == 20 }
                #expect(try await host.count() == 0 && host.heardTexts.isEmpty)
            }
        }
    }

    @Test func whoTakesOnesOwnNameIsNotTakenForOneself() async throws {
        let host = try await Chatter(try Home("alice"))
        let stranger = try await Chatter.stranger()
        try await host.run {
            try await stranger.visit(await host.address) {
                stranger.say(try Speech.presence(by: stranger.identity, named: "alice"))
                stranger.say(try Speech.line("I am alice", by: stranger.identity))
                try await eventually("the line") { host.lines.count == 1 }
                #expect(host.lines.map(\.from) == [stranger.identity.peer])
                #expect(await host.node.me.id == host.home.identity.peer)
            }
        }
    }
}
