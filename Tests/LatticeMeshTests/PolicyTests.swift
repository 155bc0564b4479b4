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
        #expect(try invite(&fixture).contains(.send(fixture.accept(), to: 1)))
        _ = fixture.handle(.linkOpened(2, try fixture.opened(30)))
        #expect(fixture.handle(.received(2, .invitation(try fixture.invitation()))).refusals == [.notAContact])
    }

    @Test func askAsksAndObeysAYes() throws {
        var fixture = try Fixture(rank: 10, policy: .ask)
        let name = try PeerName("p20")
        #expect(try invite(&fixture) == [.ask(Fixture.peer(20), name, context: [], on: 1)])
        let effects = fixture.handle(.answered(Fixture.peer(20), accept: true))
        #expect(effects.contains(.send(fixture.accept(), to: 1)))
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

    @Test func whoeverAnswersInAContactsPlaceIsTurnedAway() throws {
        for policy in MeshOptions.Policy.allCases {
            var fixture = try Fixture(rank: 10, policy: policy, contacts: [20])
            guard !fixture.handle(.sighted(Fixture.sighting(20))).dials.isEmpty else { continue }
            let effects = fixture.handle(.linkOpened(1, try fixture.opened(30, dial: 1)))
            #expect(effects == [.close(1, Goodbye(.refused, "somebody else was expected"))], "\(policy)")
        }
    }

    @Test func theTruePeerIsDialledAgainAfterSomebodyElseAnswered() throws {
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        _ = fixture.handle(.linkOpened(1, try fixture.opened(30, dial: 1)))
        #expect(fixture.handle(.sighted(Fixture.sighting(20, host: "10.9.9.9"))).dials.map(\.host) == ["10.9.9.9"])
    }

    @Test func aGivenAddressMayChangeHands() throws {
        var fixture = try Fixture(rank: 10, policy: .contacts)
        let given = Sighting(source: .given, peer: nil, name: nil, meshTag: nil, address: Fixture.address(20))
        _ = fixture.handle(.sighted(given))
        _ = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: 1)))
        _ = fixture.handle(.linkClosed(1, .broken("reset")))
        let dial = try #require(fixture.handle(.woke, after: .seconds(60)).dialIDs.first)
        let effects = fixture.handle(.linkOpened(2, try fixture.opened(30, dial: dial.rawValue)))
        let room = UInt8(fixture.mesh.options.activeMax)
        #expect(effects.contains(.send(.invitation(try fixture.invitation(isUrgent: true, room: room)), to: 2)))
    }

    @Test func aPersonsWishGoesBeforeThePolicy() throws {
        var fixture = try Fixture(rank: 10, policy: .none)
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        #expect(fixture.handle(.wanted(Fixture.peer(20).prefix)).dials == [Fixture.address(20)])
    }
}
