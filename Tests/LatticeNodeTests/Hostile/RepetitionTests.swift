import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

@testable import LatticeNode

/// What is said again honestly is shown again, and what is played again is not.
@Suite(.timeLimit(.minutes(10))) struct RepetitionTests {
    @Test func whatIsSaidTwiceIsShownTwice() async throws {
        let host = try await Chatter(try Home("alice"))
        let stranger = try await Chatter.stranger()
        try await host.run {
            try await stranger.visit(await host.address) {
                // One right behind the other, as from fast fingers.
                for secondsAgo in [Int64(1), 0] {
                    stranger.say(try Speech.line("ok", by: stranger.identity, secondsAgo: secondsAgo))
                }
                try await eventually("both") { host.heardTexts == ["ok", "ok"] }
                for _ in 0..<2 { try await host.say("ok") }
                try await eventually("both there") { stranger.heardLines == ["ok", "ok"] }
                #expect(try await host.history().map(\.text) == ["ok", "ok", "ok", "ok"])
            }
        }
    }

    @Test func whatIsPlayedAgainIsShownOnce() async throws {
        let host = try await Chatter(try Home("alice"))
        let stranger = try await Chatter.stranger()
        try await host.run {
            try await stranger.visit(await host.address) {
                let said = try Speech.line("once", by: stranger.identity)
                for _ in 0..<100 { stranger.say(said) }
                stranger.say(try Speech.line("behind it", by: stranger.identity))
                try await eventually("what follows") { host.heardTexts.contains("behind it") }
                #expect(host.heardTexts == ["once", "behind it"])
            }
        }
    }

    /// The ids that came by are gone with the process; the store is the longer memory.
    @Test func whatIsPlayedAgainAfterARestartIsNotShownAgain() async throws {
        let home = try Home("alice")
        let bob = Identity.generate()
        let said = try Speech.line("meet me now", by: bob, secondsAgo: 60)
        for isFirst in [true, false] {
            let host = try await Chatter(home)
            let stranger = try await Chatter.stranger()
            try await host.run {
                try await stranger.visit(await host.address) {
                    stranger.say(said)
                    // As old, and judged behind it.
                    let marker = "behind it, \(isFirst)"
                    stranger.say(try Speech.line(marker, by: stranger.identity, secondsAgo: 50))
                    try await eventually("what follows") { host.heardTexts.contains(marker) }
                    #expect(host.heardTexts == (isFirst ? ["meet me now", marker] : [marker]))
                }
            }
        }
    }

    @Test func aBridgeTakesOneLinkOffWhatItPassesOn() async throws {
        let host = try await Chatter(try Home("alice"))
        let (giver, taker) = (try await Chatter.stranger(), try await Chatter.stranger())
        try await host.run {
            try await taker.visit(await host.address) {
                try await giver.visit(await host.address) {
                    giver.say(try Speech.line("ends here", by: giver.identity), timeToLive: 1, hops: 3)
                    let said = try Speech.line("goes on", by: giver.identity)
                    giver.say(said, timeToLive: 5, hops: 3)
                    try await eventually("it is passed on") { taker.heardLines.contains("goes on") }
                    let passed = taker.heardRecords.first { $0.signed == said.signed }
                    #expect(passed?.timeToLive == 4 && passed?.hops == 4)
                    #expect(taker.heardLines == ["goes on"])
                    try await eventually("it is shown") { host.heardTexts == ["ends here", "goes on"] }
                }
            }
        }
    }
}
