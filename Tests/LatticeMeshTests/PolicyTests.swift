import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@Suite struct PolicyTests {
    private func invite(_ fixture: inout Fixture) throws -> [MeshEffect] {
        _ = fixture.handle(.linkOpened(1, try fixture.opened(20)))
        return fixture.handle(.received(1, .invitation(try fixture.invitation())))
    }

    @Test func noneRefusesEverybodyAndDialsNobodyInSight() throws {
        var fixture = try Fixture(rank: 10, policy: .none)
        #expect(fixture.handle(.sighted(Fixture.sighting(20))).isEmpty)
        #expect(try invite(&fixture).refusals == [.closed])
    }

    @Test func contactsLetsInOnlyContacts() throws {
        var fixture = try Fixture(rank: 10, policy: .contacts, contacts: [20])
        #expect(fixture.handle(.sighted(Fixture.sighting(30))).isEmpty)
        #expect(fixture.handle(.sighted(Fixture.sighting(20))).dials == [Fixture.address(20)])
        #expect(try invite(&fixture).contains(.send(.accept, to: 1)))
        _ = fixture.handle(.linkOpened(2, try fixture.opened(30)))
        #expect(fixture.handle(.received(2, .invitation(try fixture.invitation()))).refusals == [.notAContact])
    }

    @Test func askAsksAndObeysAYes() throws {
        var fixture = try Fixture(rank: 10, policy: .ask)
        let name = try PeerName("p20")
        #expect(try invite(&fixture) == [.ask(Fixture.peer(20), name, context: [])])
        let effects = fixture.handle(.answered(Fixture.peer(20), accept: true))
        #expect(effects.contains(.send(.accept, to: 1)))
    }

    @Test func askObeysANo() throws {
        var fixture = try Fixture(rank: 10, policy: .ask)
        _ = try invite(&fixture)
        #expect(fixture.handle(.answered(Fixture.peer(20), accept: false)).refusals == [.declined])
    }

    @Test func askRefusesWhenNobodyAnswersInTime() throws {
        var fixture = try Fixture(rank: 10, policy: .ask)
        _ = try invite(&fixture)
        #expect(fixture.handle(.woke, after: .seconds(10)).refusals == [.unanswered])
    }

    @Test func aLateYesLinksWithWhoeverWasRefusedMeanwhile() throws {
        var fixture = try Fixture(rank: 10, policy: .ask)
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        _ = try invite(&fixture)
        _ = fixture.handle(.woke, after: .seconds(10))
        #expect(fixture.handle(.answered(Fixture.peer(20), accept: true)).dials == [Fixture.address(20)])
    }

    @Test func aPersonsWishGoesBeforeThePolicy() throws {
        var fixture = try Fixture(rank: 10, policy: .none)
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        #expect(fixture.handle(.wanted(Fixture.peer(20).prefix)).dials == [Fixture.address(20)])
    }
}
