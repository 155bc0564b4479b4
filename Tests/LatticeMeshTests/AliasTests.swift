import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Peers of a closed mesh, whose announcements do not say who they are.
@Suite struct AliasTests {
    private static func sighting(_ alias: UInt64, _ rank: UInt8, host: String? = nil) -> Sighting {
        Sighting(
            source: .system, peer: nil, name: nil, meshTag: nil,
            address: host.map { PeerAddress(host: $0, port: 4_000) } ?? Fixture.address(rank),
            alias: PeerPrefix(alias))
    }

    @Test func whoIsKnownByAnAliasAloneIsDialledWithinTheCourtesyDelay() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var fixture = try Fixture(rank: 10, seed: seed)
            let effects = fixture.handle(.sighted(Self.sighting(7, 20))) + fixture.pass(MeshLimit.courtesyDelay)
            #expect(effects.dials == [Fixture.address(20)], "seed \(seed)")
        }
    }

    @Test func whoeverAnswersAtAnAliasIsLinkedWith() throws {
        var fixture = try linkedByAlias()
        #expect(fixture.mesh.register.neighbourCount == 1)
        #expect(fixture.mesh.peers().count == 1)
        #expect(fixture.mesh.peers().first?.peer == Fixture.peer(20))
        #expect(fixture.pass(.seconds(60)).dials.isEmpty)
    }

    @Test func anAliasWhoseAddressAlreadyLinkedWithUsIsNotDialled() throws {
        // Sighted first, linked then: the usual order of two that start together.
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.sighted(Self.sighting(7, 20)))
        try fixture.connect(20, on: 1)
        #expect(fixture.pass(.seconds(60)).dials.isEmpty)
        #expect(fixture.mesh.peers().count == 1)
    }

    @Test func aDuplicateLinkThatAnAliasLedToIsGivenUpAndNotTriedAgain() throws {
        var fixture = try Fixture(rank: 10)
        try fixture.connect(20, on: 1)
        // The same peer at an address that its link does not tell of.
        let dials =
            fixture.handle(.sighted(Self.sighting(7, 20, host: "fe80::20%eth0")))
            + fixture.pass(MeshLimit.courtesyDelay)
        let dial = try #require(dials.dialIDs.first)
        let effects = fixture.handle(.linkOpened(2, try fixture.opened(20, dial: dial.rawValue)))
        #expect(effects.closed == [2])
        _ = fixture.handle(.linkClosed(2, .broken("closed")))
        #expect(fixture.pass(.seconds(600)).dials.isEmpty)
        #expect(fixture.mesh.peers().count == 1)
    }

    @Test func afterTheLinkBreaksTheAliasIsDialledAgain() throws {
        var fixture = try linkedByAlias()
        _ = fixture.handle(.linkClosed(1, .broken("closed")))
        #expect(fixture.pass(.seconds(2)).dials == [Fixture.address(20)])
    }

    @Test func anAliasThatIsLostIsForgotten() throws {
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.sighted(Self.sighting(7, 20)))
        _ = fixture.handle(.lost(Self.sighting(7, 20)))
        #expect(fixture.pass(.seconds(60)).dials.isEmpty)
        #expect(fixture.mesh.peers().isEmpty)
    }

    /// Whether an alias is a contact's is known only when it is linked with.
    @Test func withThePolicyContactsAnAliasIsDialledAndAStrangerTurnedAway() throws {
        for (rank, isContact) in [(20, true), (30, false)] as [(UInt8, Bool)] {
            var fixture = try Fixture(rank: 10, policy: .contacts, contacts: [20])
            let dials = fixture.handle(.sighted(Self.sighting(7, rank))) + fixture.pass(MeshLimit.courtesyDelay)
            let dial = try #require(dials.dialIDs.first)
            let effects = fixture.handle(.linkOpened(1, try fixture.opened(rank, dial: dial.rawValue)))
            #expect(effects.closed == (isContact ? [] : [1]))
        }
    }

    private func linkedByAlias() throws -> Fixture {
        var fixture = try Fixture(rank: 10)
        let dials = fixture.handle(.sighted(Self.sighting(7, 20))) + fixture.pass(MeshLimit.courtesyDelay)
        let dial = try #require(dials.dialIDs.first)
        _ = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: dial.rawValue)))
        _ = fixture.handle(.received(1, .accept(room: 3)))
        return fixture
    }
}
