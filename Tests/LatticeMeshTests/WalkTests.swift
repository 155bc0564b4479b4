import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Walks of others: where they go on to, where they end, and what of them is believed.
@Suite struct WalkTests {
    /// A peer with this number of links, all dialled by others: peer 1 on link 1 and so on.
    private func fixture(links: UInt8, activeMax: Int? = nil) throws -> Fixture {
        var fixture = try Fixture(activeMax: activeMax)
        for rank in 1...links { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    private func walk(_ kind: Walk.Kind, _ timeToLive: UInt8, of rank: UInt8 = 50) throws -> Walk {
        Walk(kind: kind, timeToLive: timeToLive, origin: try Fixture.card(rank))
    }

    private func received(_ walk: Walk, on link: LinkID, by fixture: inout Fixture) -> [MeshEffect] {
        fixture.handle(.received(link, .walk(walk)))
    }

    // MARK: - Join

    @Test func aJoinGoesOnPastTheFirstPeersThoughTheyHavePlaces() throws {
        var fixture = try fixture(links: 2)
        for steps in (MeshLimit.joinWalkSteps - MeshLimit.joinWalkStepsMin + 1)...MeshLimit.joinWalkSteps {
            let effects = received(try walk(.join, steps), on: 1, by: &fixture)
            #expect(effects == [.send(.walk(try walk(.join, steps - 1)), to: 2)])
        }
    }

    @Test func aJoinEndsAtAPeerWithAPlaceThatIsFarEnough() throws {
        var fixture = try fixture(links: 2)
        let steps = MeshLimit.joinWalkSteps - MeshLimit.joinWalkStepsMin
        let effects = received(try walk(.join, steps), on: 1, by: &fixture)
        #expect(effects == [.dial(DialID(rawValue: 1), Fixture.address(50))])
    }

    @Test func aJoinEndsWhereThereIsNobodyToGoOnTo() throws {
        var fixture = try fixture(links: 1)
        let effects = received(try walk(.join, MeshLimit.joinWalkSteps), on: 1, by: &fixture)
        #expect(effects == [.dial(DialID(rawValue: 1), Fixture.address(50))])
    }

    @Test func aJoinThatPassesAFullPeerIsRememberedThere() throws {
        var fixture = try fixture(links: 2, activeMax: 2)
        let steps = MeshLimit.joinWalkRememberedAt
        let effects = received(try walk(.join, steps), on: 1, by: &fixture)
        #expect(effects == [.send(.walk(try walk(.join, steps - 1)), to: 2)])
        #expect(fixture.handle(.linkClosed(2, .goodbye(Goodbye(.leaving, "")))).dials == [Fixture.address(50)])
    }

    @Test func aFullPeerAtTheEndOfAJoinSplitsALink() throws {
        var fixture = try fixture(links: 2, activeMax: 2)
        let effects = received(try walk(.join, 0), on: 1, by: &fixture)
        #expect(effects == [.dial(DialID(rawValue: 1), Fixture.address(50))])
        let invited = fixture.handle(.linkOpened(50, try fixture.opened(50, dial: 1)))
        let invitation = try fixture.invitation(isUrgent: false, room: 0)
        let name = try PeerName("p50")
        #expect(
            invited == [
                .send(.invitation(invitation), to: 50), .stateChanged(Fixture.peer(50), name, .connecting, nil),
            ]
        )
        let accepted = fixture.handle(.received(50, .accept(room: 1)))
        let offers = accepted.walks
        #expect(offers.map(\.walk) == [try walk(.offer, 0)])
        #expect([LinkID(rawValue: 1), 2].contains(try #require(offers.first).link))
        #expect(accepted.closed.isEmpty && fixture.mesh.register.neighbourCount == 3)
    }

    @Test func aPeerWithOneLinkAndNoPlaceDoesNotLeaveItsOnlyNeighbour() throws {
        var fixture = try fixture(links: 1, activeMax: 1)
        #expect(received(try walk(.join, 0), on: 1, by: &fixture).isEmpty)
    }

    @Test func aNeighbourThatJoinsIsPassedOnAndNotDialled() throws {
        var fixture = try fixture(links: 3)
        let effects = received(try walk(.join, 2, of: 2), on: 1, by: &fixture)
        #expect(effects == [.send(.walk(try walk(.join, 1, of: 2)), to: 3)])
        #expect(received(try walk(.join, 0, of: 2), on: 1, by: &fixture).isEmpty)
    }

    @Test func noWalkGoesBackToItsGiverNorToItsOrigin() throws {
        var fixture = try fixture(links: 2)
        for kind in [Walk.Kind.join, .seek] {
            #expect(received(try walk(kind, 5, of: 2), on: 1, by: &fixture).isEmpty)
        }
    }

    // MARK: - Seek

    @Test func aSeekEndsAtTheFirstPeerWithAPlace() throws {
        var fixture = try fixture(links: 2)
        let effects = received(try walk(.seek, MeshLimit.seekWalkSteps), on: 1, by: &fixture)
        #expect(effects == [.dial(DialID(rawValue: 1), Fixture.address(50))])
    }

    @Test func aSeekPassesAFullPeerAndIsForgotten() throws {
        var fixture = try fixture(links: 2, activeMax: 2)
        let effects = received(try walk(.seek, 9), on: 1, by: &fixture)
        #expect(effects == [.send(.walk(try walk(.seek, 8)), to: 2)])
        #expect(received(try walk(.seek, 0), on: 1, by: &fixture).isEmpty)
        #expect(fixture.handle(.linkClosed(2, .goodbye(Goodbye(.leaving, "")))).dials.isEmpty)
    }

    @Test func aPeerThatMayNotLinkWithTheOriginPassesItsWalkOn() throws {
        var fixture = try Fixture(policy: .contacts, contacts: [1, 2])
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        #expect(received(try walk(.seek, 9), on: 1, by: &fixture) == [.send(.walk(try walk(.seek, 8)), to: 2)])
        #expect(received(try walk(.join, 3), on: 1, by: &fixture) == [.send(.walk(try walk(.join, 2)), to: 2)])
    }

    // MARK: - What is believed

    @Test func theGiversOwnCardBecomesWhatIsSeenOfIt() throws {
        var fixture = try fixture(links: 2)
        let own = Walk(kind: .join, timeToLive: 6, origin: .own(Fixture.peer(1)))
        #expect(received(own, on: 1, by: &fixture) == [.send(.walk(try walk(.join, 5, of: 1)), to: 2)])
        let liar = Walk(kind: .join, timeToLive: 6, origin: try Fixture.card(1, host: "192.0.2.1"))
        #expect(received(liar, on: 1, by: &fixture) == [.send(.walk(try walk(.join, 5, of: 1)), to: 2)])
    }

    @Test func cardsThatNobodyCanVouchForAreIgnored() throws {
        var fixture = try fixture(links: 2)
        var cards: [PeerCard] = [.own(Fixture.peer(50)), try Fixture.card(100)]
        let hosts = [
            "127.0.0.1", "127.9.9.9", "::1", "0:0:0:0:0:0:0:1", "::0.0.0.1", "::ffff:127.0.0.1", "::FFFF:7f00:1",
            "0.0.0.0", "::", "0:0::0", "::ffff:0.0.0.0", "224.0.0.251", "239.1.1.1", "255.255.255.255",
            "::ffff:224.0.0.251", "ff02::fb", "FF05::1", "fe80::1", "FE80::1", "fe90::1", "febf::1",
        ]
        for host in hosts { cards.append(try Fixture.card(50, host: host)) }
        for card in cards {
            for kind in [Walk.Kind.join, .seek, .offer] {
                let effects = received(Walk(kind: kind, timeToLive: 0, origin: card), on: 1, by: &fixture)
                #expect(effects.isEmpty, "\(card.address)")
            }
        }
    }

    @Test func addressesOfOneMachineAreBelieved() throws {
        for host in ["10.1.2.3", "223.255.255.255", "fd00::1", "2001:db8::7", "::ffff:10.0.0.1", "fec0::1", "f::1"] {
            var fixture = try fixture(links: 1)
            let walk = Walk(kind: .offer, timeToLive: 0, origin: try Fixture.card(50, host: host))
            #expect(received(walk, on: 1, by: &fixture).dials.map(\.host) == [host])
        }
    }

    @Test func aNeighbourOnThisMachineMayTellOfOthersOnIt() throws {
        for host in ["127.0.0.1", "::1", "0:0:0:0:0:0:0:1"] {
            var fixture = try Fixture()
            let opened = OpenedLink(
                peer: Fixture.peer(1), name: try PeerName("p1"), instance: 1,
                address: PeerAddress(host: host, port: 4_001), dial: nil)
            _ = fixture.handle(.linkOpened(1, opened))
            _ = fixture.handle(.received(1, .invitation(try fixture.invitation())))
            let card = try Fixture.card(50, host: "127.0.0.1")
            let effects = received(Walk(kind: .offer, timeToLive: 0, origin: card), on: 1, by: &fixture)
            #expect(effects.dials.map(\.host) == ["127.0.0.1"])
        }
    }
}
