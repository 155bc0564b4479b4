import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeWire
import Testing

@testable import LatticeNode

/// Neighbours that say more than one may: each kind of thing has its measure, and what is beyond it is counted under its reason.
@Suite(.timeLimit(.minutes(10))) struct RateTests {
    /// So little that a machine that is busy with other tests still says more: bursts of 64 records of an author, 128 of a link.
    private static let slow = SpeechRates(origin: 16, link: 32)

    private func line(by identity: Identity, _ number: Int) throws -> Frame {
        .record(RecordFrame(timeToLive: 4, hops: 1, signed: try Speech.line("\(number)", by: identity).signed))
    }

    private func id(_ number: Int) throws -> RecordID {
        var bytes = [UInt8](repeating: 7, count: 32)
        for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return RecordID(try #require(Bytes32(bytes)))
    }

    /// What comes until it is counted under this reason; the link goes on, and others are heard.
    private func exhausts(
        _ reason: RefusalReason, _ speech: (Int, Identity) async throws -> [Frame]
    ) async throws {
        let host = try await Chatter(try Home("alice"), rates: Self.slow)
        let (loud, quiet) = (try await Chatter.stranger(), try await Chatter.stranger())
        try await host.run {
            try await quiet.visit(await host.address) {
                try await loud.visit(await host.address) {
                    var round = 0
                    try await eventually("it is measured") {
                        await loud.pour(try await speech(round, loud.identity))
                        round += 1
                        return try await host.stats().refused[reason] > 0
                    }
                    quiet.say(try Speech.line("a word", by: quiet.identity))
                    try await eventually("the quiet one is heard") { host.heardTexts.contains("a word") }
                    #expect(loud.closure == nil)
                }
            }
        }
    }

    @Test func oneAuthorWithoutEndIsMeasured() async throws {
        try await exhausts(.origin) { round, me in try (0..<50).map { try line(by: me, round * 50 + $0) } }
    }

    /// Each says one thing, and all of them together have no more than the link has.
    @Test func manyIdentitiesBehindOneLinkAreOneLink() async throws {
        try await exhausts(.link) { round, _ in try (0..<50).map { try line(by: Identity.generate(), $0) } }
    }

    /// To look for what nobody has is work, too.
    @Test func whatIsToBePushedAgainIsMeasured() async throws {
        let ids = try (0..<1_024).map(id)
        try await exhausts(.tree) { _, _ in Array(repeating: .graft(Graft(ids: ids)), count: 12) }
    }

    @Test func walksAreMeasured() async throws {
        try await exhausts(.overlay) { _, _ in
            let card = try #require(
                PeerCard(peer: Identity.generate().peer, address: PeerAddress(host: "127.0.0.99", port: 1)))
            return Array(repeating: .walk(Walk(kind: .seek, timeToLive: 0, origin: card)), count: 150)
        }
    }

    @Test func shufflesAreMeasured() async throws {
        try await exhausts(.overlay) { _, _ in
            let origin = Identity.generate().peer
            return Array(
                repeating: .shuffle(Shuffle(direction: .request, timeToLive: 0, origin: origin, cards: [])), count: 60)
        }
    }

    @Test func probesAreMeasured() async throws {
        try await exhausts(.probes) { round, me in
            (0..<40).map { number in
                let probe = Probe(
                    direction: .there, nonce: UInt64(round * 40 + number), from: me.peer,
                    to: Identity.generate().peer, timeToLive: 4, path: [])
                return .probe(me.endorse(probe, as: ChatRig.name))
            }
        }
    }

    @Test func listsOfWhatIsKeptAreMeasured() async throws {
        try await exhausts(.lists) { _, _ in Array(repeating: .keeping(.everything), count: 24) }
    }

    /// Nobody listens at any of these, and none of them is beyond this machine.
    @Test func addressesThatNeighboursTellOfAreDialledAtARate() async throws {
        try await exhausts(.dials) { round, _ in
            try (0..<4).map { number in
                let cards = try (0..<Shuffle.cardsMax).map { card in
                    try #require(
                        PeerCard(
                            peer: Identity.generate().peer,
                            address: PeerAddress(host: "127.7.\(round % 250).\(1 + number * 16 + card)", port: 1)))
                }
                return .shuffle(
                    Shuffle(direction: .request, timeToLive: 0, origin: Identity.generate().peer, cards: cards))
            }
        }
    }

    @Test func whatHasNotTheFormOfItsKindIsCountedAndNotKept() async throws {
        let host = try await Chatter(try Home("alice"))
        let stranger = try await Chatter.stranger()
        try await host.run {
            try await stranger.visit(await host.address) {
                let kinds: [RecordKind] = [
                    .profile, .post, .comment, .like, .follow, .event, .attendance, .sealed, .prekeys,
                ]
                for kind in kinds { stranger.say(Speech.record(kind, by: stranger.identity, [7])) }
                try await eventually("all are counted") {
                    try await host.stats().refused[.malformed] == kinds.count
                }
                #expect(try await host.count() == 0)
                #expect(stranger.closure == nil)
            }
        }
    }
}
