import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

@testable import LatticeNode

/// What was said long ago is not taken for what is said now.
@Suite(.timeLimit(.minutes(10))) struct ExpiredTests {
    /// Everything that the host shows, once it has shown a fresh line and this number of others.
    private func shown(
        _ host: Chatter, others: Int = 0, _ records: (Identity) throws -> [VerifiedRecord]
    ) async throws -> [NodeEvent] {
        let stranger = try await Chatter.stranger()
        var events: [NodeEvent] = []
        try await host.run {
            try await stranger.visit(await host.address) {
                for record in try records(stranger.identity) { stranger.say(record) }
                stranger.say(try Speech.line("now", by: stranger.identity))
                try await eventually("what is said now") {
                    host.heardTexts.contains("now") && host.heardTexts.count > others
                }
                events = host.events
            }
        }
        return events
    }

    private func lines(_ events: [NodeEvent]) -> [Message] {
        events.compactMap { if case .message(let line) = $0, line.text != "now" { line } else { nil } }
    }

    @Test func whatHasExpiredIsNotShownAfterARestartEither() async throws {
        let home = try Home("alice")
        let bob = Identity.generate()
        let year = try Speech.line("a year ago", by: bob, secondsAgo: 366 * 86_400, lifetimeSeconds: 31_536_000)
        let hour = try Speech.line("an hour ago", by: bob, secondsAgo: 3_600, lifetimeSeconds: 60)
        for _ in 0..<2 {
            let host = try await Chatter(home)
            let events = try await shown(host) {
                [year, hour, try Speech.line("over", by: $0, secondsAgo: 61, lifetimeSeconds: 60)]
            }
            #expect(lines(events) == [])
        }
    }

    @Test func whatIsOldAndHasNotExpiredIsShownAsLateWithItsDate() async throws {
        let host = try await Chatter(try Home("alice"))
        let bob = Identity.generate()
        let old = try Speech.line("an hour ago", by: bob, secondsAgo: 3_600)
        let recent = try Speech.line("a minute ago", by: bob, secondsAgo: 60)
        let told = lines(try await shown(host, others: 2) { _ in [old, recent] })
        let byText = Dictionary(uniqueKeysWithValues: told.map { ($0.text, $0) })
        #expect(byText["an hour ago"]?.isLate == true && byText["an hour ago"]?.at == old.created.wallTime)
        #expect(byText["a minute ago"]?.isLate == false)
    }

    @Test func aPresenceOfAnHourAgoShowsNobodyAsHere() async throws {
        let host = try await Chatter(try Home("alice"))
        let (ghost, carol) = (Identity.generate(), Identity.generate())
        let events = try await shown(host) { _ in
            [
                try Speech.presence(by: ghost, named: "ghost", secondsAgo: 3_600),
                try Speech.presence(by: carol, named: "carol"),
            ]
        }
        let here = events.compactMap { if case .presence(let change) = $0, change.isHere { change.id } else { nil } }
        #expect(here.contains(carol.peer) && !here.contains(ghost.peer))
    }

    /// Its link proves that it is there, however far off its clock.
    @Test func aNeighbourWhoseClockIsBehindIsHere() async throws {
        let host = try await Chatter(try Home("alice"))
        var neighbour: PeerID?
        let events = try await shown(host) { identity in
            neighbour = identity.peer
            return [try Speech.presence(by: identity, named: "late", secondsAgo: 3_600)]
        }
        #expect(
            events.contains {
                if case .presence(let change) = $0 { change.id == neighbour && change.isHere } else { false }
            })
    }
}
