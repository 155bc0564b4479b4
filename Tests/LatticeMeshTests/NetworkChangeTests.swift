import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// When the network changes, links are probed at once, and lost peers are dialled again within limits.
@Suite struct NetworkChangeTests {
    private static let gone = LinkEnd.addressGone

    private func nonce(_ effects: [MeshEffect], on link: LinkID) throws -> UInt64 {
        try #require(effects.pings.first { $0.link == link }).nonce
    }

    @Test func everyNeighbourIsAskedAtOnceAndNothingElseHappens() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let effects = fixture.handle(.networkChanged(without: []), after: .milliseconds(1))
        let first = try nonce(effects, on: 1)
        #expect(effects == [.send(.ping(nonce: first), to: 1), .send(.ping(nonce: try nonce(effects, on: 2)), to: 2)])
        // Not twice, while it has not answered.
        #expect(fixture.handle(.networkChanged(without: []), after: .milliseconds(1)).isEmpty)
    }

    @Test func whoAnswersStaysAndWhoIsSilentForTwoSecondsIsGivenUp() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let asked = fixture.handle(.networkChanged(without: []), after: .seconds(1))
        _ = fixture.handle(.received(1, .pong(nonce: try nonce(asked, on: 1))), after: .milliseconds(1))
        #expect(fixture.handle(.woke, after: .milliseconds(1_998)).closed.isEmpty)
        let effects = fixture.handle(.woke, after: .milliseconds(1))
        #expect(
            effects == [
                .close(2, Goodbye(.timeout, "it did not answer a ping")),
                .stateChanged(Fixture.peer(2), try PeerName("p2"), .notConnected, .silent),
            ])
        #expect(fixture.pass(.seconds(60)).closed.isEmpty)
        #expect(fixture.mesh.register.neighbourCount == 1)
    }

    /// It may be at work on much else that was sent to it.
    @Test func whoSaysAnythingHasAllTheTimeThatOthersHave() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.networkChanged(without: []), after: .seconds(1))
        _ = fixture.handle(.received(1, .ping(nonce: 7)), after: .seconds(1))
        #expect(fixture.handle(.woke, after: .milliseconds(9_999)).closed.isEmpty)
        #expect(fixture.handle(.woke, after: .milliseconds(1)).closed == [1])
    }

    @Test func aSlowNeighbourHasEightOfItsRoundTrips() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let usual = try nonce(fixture.handle(.woke, after: .seconds(5)), on: 1)
        _ = fixture.handle(.received(1, .pong(nonce: usual)), after: .milliseconds(600))
        _ = fixture.handle(.networkChanged(without: []), after: .seconds(1))
        #expect(fixture.handle(.woke, after: .milliseconds(4_799)).closed.isEmpty)
        #expect(fixture.handle(.woke, after: .milliseconds(1)).closed == [1])
    }

    @Test func aBusyLinkHasAllTheTimeThatOthersHave() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.linkBusy(1))
        _ = fixture.handle(.networkChanged(without: []), after: .seconds(1))
        #expect(fixture.handle(.woke, after: .milliseconds(9_999)).closed.isEmpty)
        #expect(fixture.handle(.woke, after: .milliseconds(1)).closed == [1])
    }

    @Test func aLinkWhoseAddressIsGoneEndsAndItsPeerIsDialledAtOnce() throws {
        var fixture = try Fixture(rank: 10)
        try fixture.dial(20, on: 1)
        let effects = fixture.handle(.networkChanged(without: [1]), after: .seconds(1))
        #expect(
            effects == [
                .close(1, Goodbye(.timeout, "its address is gone")),
                .stateChanged(Fixture.peer(20), try PeerName("p20"), .notConnected, Self.gone),
                .dial(DialID(rawValue: 2), Fixture.address(20)),
            ])
        // One that is not known, or that ends already, is none.
        #expect(fixture.handle(.networkChanged(without: [1, 7])).closed.isEmpty)
    }

    /// Both may have seen the change: one of them goes first.
    @Test func theLargerIdDialsAQuarterOfASecondLater() throws {
        var fixture = try Fixture(rank: 20)
        _ = fixture.handle(.sighted(Fixture.sighting(10)))
        _ = fixture.handle(.woke, after: .seconds(2))
        _ = fixture.handle(.linkOpened(1, try fixture.opened(10, dial: 1)))
        _ = fixture.handle(.received(1, .accept(room: 1)))
        #expect(fixture.handle(.networkChanged(without: [1]), after: .seconds(1)).dials.isEmpty)
        #expect(fixture.handle(.woke, after: .milliseconds(249)).dials.isEmpty)
        #expect(fixture.handle(.woke, after: .milliseconds(1)).dials == [Fixture.address(10)])
    }

    /// What went out on a way that is gone is not waited for; when it ends, it ends nothing else.
    @Test func whoIsBeingDialledIsDialledAnew() throws {
        var fixture = try Fixture(rank: 10)
        #expect(fixture.handle(.sighted(Fixture.sighting(20))).dialIDs.map(\.rawValue) == [1])
        #expect(fixture.handle(.networkChanged(without: [])).dialIDs.map(\.rawValue) == [2])
        #expect(fixture.handle(.dialFailed(DialID(rawValue: 1), .noConnection(reason: "no answer"))).isEmpty)
        _ = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: 2)))
        _ = fixture.handle(.received(1, .accept(room: 1)))
        #expect(fixture.mesh.register.neighbourCount == 1)
    }

    @Test func whoHasNotAnsweredForLongIsDialledAtOnce() throws {
        var fixture = try Fixture(rank: 10)
        var dial = try #require(fixture.handle(.sighted(Fixture.sighting(20))).dialIDs.first)
        for _ in 0..<10 {
            _ = fixture.handle(.dialFailed(dial, .noConnection(reason: "no answer")))
            while let deadline = fixture.mesh.nextDeadline {
                fixture.now = max(fixture.now, deadline)
                guard let next = fixture.handle(.woke).dialIDs.first else { continue }
                dial = next
                break
            }
        }
        _ = fixture.handle(.dialFailed(dial, .noConnection(reason: "no answer")))
        #expect(fixture.handle(.networkChanged(without: [])).dials == [Fixture.address(20)])
    }

    @Test func whoTurnedUsDownIsNotPestered() throws {
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        _ = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: 1)))
        _ = fixture.handle(.received(1, .refuse(.closed)))
        #expect(fixture.handle(.networkChanged(without: []), after: .seconds(1)).dials.isEmpty)
        #expect(fixture.pass(.seconds(58)).dials.isEmpty)
    }

    /// It takes the other's link for alive, and so does not dial.
    @Test func whoIsSightedAfterAChangeIsLeftNoTwoSeconds() throws {
        var fixture = try Fixture(rank: 20)
        _ = fixture.handle(.networkChanged(without: []))
        _ = fixture.handle(.sighted(Fixture.sighting(10)), after: .seconds(9))
        #expect(fixture.handle(.woke, after: .milliseconds(250)).dials == [Fixture.address(10)])
        _ = fixture.handle(.sighted(Fixture.sighting(11)), after: .seconds(1))
        #expect(fixture.handle(.woke, after: .milliseconds(1_999)).dials.isEmpty)
        #expect(fixture.handle(.woke, after: .milliseconds(1)).dials == [Fixture.address(11)])
    }

    /// Ten changes a second for ten minutes, while the one peer in sight never answers.
    @Test func anInterfaceThatFlapsMakesNoStorm() throws {
        var fixture = try Fixture(rank: 10)
        var dials = fixture.handle(.sighted(Fixture.sighting(20))).dialIDs
        var count = dials.count
        for _ in 0..<6_000 {
            for dial in dials { _ = fixture.handle(.dialFailed(dial, .noConnection(reason: "Network is unreachable"))) }
            dials = fixture.handle(.networkChanged(without: []), after: .milliseconds(100)).dialIDs
            count += dials.count
        }
        // Eight at once, one each 4 s, and after each of them what is tried anyhow: within half a second, one, two and four.
        #expect((150...700).contains(count), "\(count) dials")
    }

    @Test func whoHasLeftSeeksNobody() throws {
        var fixture = try Fixture(rank: 10)
        let dial = try #require(fixture.handle(.sighted(Fixture.sighting(20))).dialIDs.first)
        _ = fixture.handle(.dialFailed(dial, .noConnection(reason: "no answer")))
        _ = fixture.handle(.leaving)
        #expect(fixture.handle(.networkChanged(without: [])).isEmpty)
        #expect(fixture.pass(.seconds(600)).dials.isEmpty)
    }
}
