import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Of two links between the same two peers both sides keep the same one.
@Suite struct DuplicateLinkTests {
    @Test func theSmallerRefusesTheLargersLinkWhileItsOwnIsInviting() throws {
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        _ = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: 1)))
        _ = fixture.handle(.linkOpened(2, try fixture.opened(20)))
        #expect(fixture.handle(.received(2, .invitation(try fixture.invitation()))).refusals == [.duplicate])
        _ = fixture.handle(.received(1, .accept(room: 0)))
        #expect(fixture.mesh.register.neighbourCount == 1)
    }

    @Test func theLargerYieldsToTheSmallersLink() throws {
        var fixture = try Fixture(rank: 20)
        _ = fixture.handle(.sighted(Fixture.sighting(10)))
        _ = fixture.handle(.woke, after: .seconds(2))
        _ = fixture.handle(.linkOpened(1, try fixture.opened(10, dial: 1)))
        _ = fixture.handle(.linkOpened(2, try fixture.opened(10)))
        let effects = fixture.handle(.received(2, .invitation(try fixture.invitation())))
        #expect(effects.contains(.send(fixture.accept(), to: 2)))
        #expect(effects.contains { if case .close(1, let goodbye) = $0 { goodbye.code == .duplicate } else { false } })
    }

    @Test func aDialThatComesAfterAnAcceptedLinkIsGivenUp() throws {
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        try fixture.connect(20, on: 2)
        let effects = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: 1)))
        #expect(effects == [.close(1, Goodbye(.duplicate, "another link is kept"))])
    }

    @Test func aRestartedPeerReplacesItsOldLinkAtOnce() throws {
        var fixture = try Fixture(rank: 10)
        try fixture.connect(20, on: 1, instance: 1)
        let effects = try fixture.connect(20, on: 2, instance: 2)
        #expect(effects.contains(.send(fixture.accept(), to: 2)))
        #expect(effects.contains { if case .close(1, _) = $0 { true } else { false } })
        #expect(fixture.mesh.register.neighbourCount == 1)
    }

    @Test func aLinkThatWeBeganIsReplacedOnlyAfterTheyCannotHaveCrossed() throws {
        var fixture = try Fixture(rank: 10)
        try fixture.dial(20, on: 1)
        let effects = try fixture.connect(20, on: 2)
        let ping = try #require(effects.pings.first)
        #expect(ping.link == 1)
        #expect(
            effects == [
                .send(.ping(nonce: ping.nonce), to: 1), .send(.refuse(.duplicate), to: 2),
                .close(2, Goodbye(.refused, "")),
            ])
        _ = fixture.handle(.received(1, .pong(nonce: ping.nonce)), after: .seconds(1))
        #expect(try fixture.connect(20, on: 3).refusals == [.duplicate])
        fixture.now = fixture.now.advanced(by: MeshLimit.crossingWindow)
        #expect(try fixture.connect(20, on: 4).contains(.send(fixture.accept(), to: 4)))
    }

    /// It moved to another network just after we had linked with it: only it knows that the link is dead.
    @Test func aLinkThatHasNotAnsweredSinceItWasDoubtedYieldsToANewOne() throws {
        var fixture = try Fixture(rank: 10)
        try fixture.dial(20, on: 1)
        #expect(try fixture.connect(20, on: 2).refusals == [.duplicate])
        fixture.now = fixture.now.advanced(by: MeshLimit.courtesyDelay)
        let effects = try fixture.connect(20, on: 3)
        #expect(effects.contains(.send(fixture.accept(), to: 3)))
        #expect(effects.closed == [1])
        #expect(fixture.mesh.register.neighbourCount == 1)
    }

    @Test func anInvitationOfOursThatIsNotAnsweredYieldsInTheEnd() throws {
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        _ = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: 1)))
        fixture.now = fixture.now.advanced(by: MeshLimit.crossingWindow)
        #expect(try fixture.connect(20, on: 2).contains(.send(fixture.accept(), to: 2)))
    }

    /// Who began a link and invites on another has given the first one up.
    @Test func aLinkThatTheyBeganYieldsToTheirNextAtOnce() throws {
        var fixture = try Fixture(rank: 10)
        try fixture.connect(20, on: 1)
        let effects = try fixture.connect(20, on: 2)
        #expect(effects.contains(.send(fixture.accept(), to: 2)))
        #expect(effects.closed == [1])
    }

    @Test func ourselvesAreNotLinkedWith() throws {
        var fixture = try Fixture(rank: 10)
        let given = Sighting(source: .given, peer: nil, name: nil, meshTag: nil, address: Fixture.address(10))
        _ = fixture.handle(.sighted(given))
        let effects = fixture.handle(.linkOpened(1, try fixture.opened(10, dial: 1)))
        #expect(
            effects == [.dialledSelf(Fixture.address(10)), .close(1, Goodbye(.duplicate, "this is yourself"))])
        #expect(fixture.handle(.linkClosed(1, .left), after: .seconds(600)).dials.isEmpty)
    }
}
