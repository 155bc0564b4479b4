import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Two parts of a mesh that are both full find each other: who is in sight and not in the mesh is linked with all the same.
@Suite struct MergeTests {
    /// Two places, both taken, by peers whose presences are known; and stranger 150 in sight, dialled and refused for want
    /// of room before.
    private func fixture(policy: MeshOptions.Policy = .auto) throws -> Fixture {
        var fixture = try Fixture(policy: policy, contacts: [1, 2, 150], activeMax: 2)
        for rank in UInt8(1)...2 {
            try fixture.connect(rank, on: UInt64(rank))
            try hear(rank, on: LinkID(rawValue: UInt64(rank)), by: &fixture)
        }
        #expect(fixture.handle(.sighted(Fixture.sighting(150))).isEmpty)
        return fixture
    }

    @discardableResult
    private func hear(_ rank: UInt8, on link: LinkID, by fixture: inout Fixture) throws -> [MeshEffect] {
        let presence = Presence(isHere: true, name: try PeerName("p\(rank)"), rooms: [])
        let record = try fixture.record(by: rank, kind: .presence, body: presence.body)
        return fixture.handle(.heard(link, record, RecordArrival(timeToLive: 5, hops: 3)))
    }

    @Test func aStrangerInSightWhoIsNotInTheMeshIsLinkedWithThoughBothAreFull() throws {
        var fixture = try fixture()
        #expect(fixture.pass(MeshLimit.mergeInterval / 2 - .nanoseconds(1)).dials.isEmpty)
        let dial = try #require(fixture.pass(MeshLimit.mergeInterval * 3).dialIDs.first)
        let opened = fixture.handle(.linkOpened(150, try fixture.opened(150, dial: dial.rawValue)))
        #expect(opened.contains(.send(.invitation(try fixture.invitation(isUrgent: true, room: 0)), to: 150)))
        #expect(fixture.handle(.received(150, .accept(room: 0))).closed.count == 1)
        #expect(fixture.mesh.register.neighbourCount == 2)
    }

    /// It may be a liar who brings its presence; so it is dialled all the same, but seldom.
    @Test func whoIsInTheMeshIsSeldomDialledWithoutAPlace() throws {
        var fixture = try fixture()
        var dials = 0
        let looks = MeshLimit.mergeAnybodyOneIn * 10
        for _ in 0..<looks {
            try hear(150, on: 1, by: &fixture)
            let effects = fixture.pass(MeshLimit.mergeInterval)
            dials += effects.dials.count
            for dial in effects.dialIDs { _ = fixture.handle(.dialFailed(dial, .noConnection(reason: "refused"))) }
        }
        #expect((1...looks / 8).contains(dials))
    }

    @Test func theSameStrangerIsTriedAgainOnlyAfterAWhile() throws {
        var fixture = try fixture()
        let dial = try #require(fixture.pass(MeshLimit.mergeInterval * 3).dialIDs.first)
        _ = fixture.handle(.linkOpened(150, try fixture.opened(150, dial: dial.rawValue)))
        _ = fixture.handle(.received(150, .refuse(.full)))
        _ = fixture.handle(.linkClosed(150, .left))
        for rank in UInt8(1)...2 { try hear(rank, on: LinkID(rawValue: UInt64(rank)), by: &fixture) }
        let before = MeshLimit.mergeAgainAfter - MeshLimit.mergeInterval * 3
        var dials = 0
        for _ in 0..<8 {
            dials += fixture.pass(before / 8).dials.count
            for rank in UInt8(1)...2 { try hear(rank, on: LinkID(rawValue: UInt64(rank)), by: &fixture) }
        }
        #expect(dials == 0)
        for _ in 0..<4 {
            dials += fixture.pass(MeshLimit.mergeInterval * 2).dials.count
            for rank in UInt8(1)...2 { try hear(rank, on: LinkID(rawValue: UInt64(rank)), by: &fixture) }
        }
        #expect(dials == 1)
    }

    @Test func whomOnlyNeighboursToldOfIsNoStrangerInSight() throws {
        var fixture = try Fixture(activeMax: 2)
        for rank in UInt8(1)...2 {
            try fixture.connect(rank, on: UInt64(rank))
            try hear(rank, on: LinkID(rawValue: UInt64(rank)), by: &fixture)
        }
        let walk = Walk(kind: .offer, timeToLive: 0, origin: try Fixture.card(150))
        _ = fixture.handle(.received(1, .walk(walk)))
        #expect(fixture.pass(.seconds(60)).dials.isEmpty)
    }

    @Test func whoChoosesItsPeersMergesWithNobodyUnasked() throws {
        for policy in [MeshOptions.Policy.ask, .contacts] {
            var fixture = try fixture(policy: policy)
            #expect(fixture.pass(.seconds(60)).dials.isEmpty)
        }
    }
}
