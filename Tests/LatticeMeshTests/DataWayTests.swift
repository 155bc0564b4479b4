import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// Which way data goes.
struct DataWayTests {
    private func messages() -> DataMessages {
        var messages = DataMessages()
        messages.append([1, 2, 3])
        return messages
    }

    private func data(_ route: DataRoute?) -> Frame {
        .data(DataFrame(route: route, flow: 7, offset: 0, messages: messages()))
    }

    @Test func dataForANeighbourGoesOverItsLink() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let peer = Fixture.peer(1)
        #expect(fixture.mesh.dataRoom(to: peer, at: fixture.now) == 65_536)
        let effects = fixture.handle(.data(.submitted(peer, messages())))
        guard case .data(.carry(.data(let frame), to: 1)) = try #require(effects.first) else {
            Issue.record("\(effects)")
            return
        }
        #expect(effects.count == 1 && frame.route == nil && frame.offset == 0 && frame.messages == messages())
    }

    @Test func dataForSomebodyFurtherOffGoesTheWayTheirWordsCame() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        try fixture.connect(2, on: 2)
        let far = Fixture.peer(9)
        #expect(fixture.mesh.dataRoom(to: far, at: fixture.now) == nil)
        #expect(fixture.handle(.data(.wayless(far))) == [.data(.ended(far, .noRoute))])
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(2, record, RecordArrival(timeToLive: 31, hops: 2)))
        let effects = fixture.handle(.data(.submitted(far, messages())))
        guard case .data(.carry(.data(let frame), to: 2)) = try #require(effects.first) else {
            Issue.record("\(effects)")
            return
        }
        #expect(frame.route == DataRoute(timeToLive: 32, from: fixture.me, to: far))
    }

    @Test func aRelayPassesItOnWithOneLinkLessAndKeepsNothing() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        try fixture.connect(2, on: 2)
        let route = DataRoute(timeToLive: 5, from: Fixture.peer(8), to: Fixture.peer(2))
        let onward = DataRoute(timeToLive: 4, from: Fixture.peer(8), to: Fixture.peer(2))
        #expect(fixture.handle(.received(1, data(route))) == [.data(.carry(data(onward), to: 2))])
        // Not back over the link it came by, and no further than its TTL.
        #expect(fixture.handle(.received(2, data(route))).isEmpty)
        let last = DataRoute(timeToLive: 1, from: Fixture.peer(8), to: Fixture.peer(2))
        #expect(fixture.handle(.received(1, data(last))).isEmpty)
        let unknown = DataRoute(timeToLive: 5, from: Fixture.peer(8), to: Fixture.peer(77))
        #expect(fixture.handle(.received(1, data(unknown))).isEmpty)
        #expect(fixture.mesh.refusalCounts[.data] == 3)
    }

    @Test func whatComesOverOthersIsNotTakenForTheNeighboursOwn() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.data(.readingChanged(true)))
        let direct = fixture.handle(.received(1, data(nil)))
        #expect(
            direct == [.data(.received(DataOrigin(peer: Fixture.peer(1), isRouted: false), messages()))])
        let route = DataRoute(timeToLive: 5, from: Fixture.peer(1), to: fixture.me)
        let routed = fixture.handle(.received(1, data(route)))
        #expect(routed == [.data(.received(DataOrigin(peer: Fixture.peer(1), isRouted: true), messages()))])
    }

    @Test func whoeverDoesNotTakeDataSaysSo() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let answer = DataAnswer(route: nil, flow: 7, received: 0, limit: 0, state: .unwanted)
        #expect(fixture.handle(.received(1, data(nil))) == [.data(.carry(.dataAnswer(answer), to: 1))])
        let route = DataRoute(timeToLive: 5, from: Fixture.peer(8), to: fixture.me)
        let back = DataRoute(timeToLive: 32, from: fixture.me, to: Fixture.peer(8))
        let routed = DataAnswer(route: back, flow: 7, received: 0, limit: 0, state: .unwanted)
        #expect(fixture.handle(.received(1, data(route))) == [.data(.carry(.dataAnswer(routed), to: 1))])
    }

    @Test func dataOfWhoIsBlockedIsNeitherTakenNorPassedOn() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        try fixture.connect(2, on: 2)
        _ = fixture.handle(.data(.readingChanged(true)))
        _ = fixture.handle(.blockedChanged([Fixture.peer(8)]))
        for target in [fixture.me, Fixture.peer(2)] {
            let route = DataRoute(timeToLive: 5, from: Fixture.peer(8), to: target)
            #expect(fixture.handle(.received(1, data(route))).isEmpty)
        }
        #expect(fixture.mesh.refusalCounts[.blocked] == 2)
        for unwanted in [Fixture.peer(8), fixture.me] {
            #expect(fixture.mesh.dataRoom(to: unwanted, at: fixture.now) == nil)
            let effects = fixture.handle(.data(.submitted(unwanted, messages())))
            #expect(effects == [.data(.ended(unwanted, .noRoute))])
        }
    }

    @Test func dataBeforeAnInvitationIsAFault() throws {
        var fixture = try Fixture()
        _ = fixture.handle(.linkOpened(1, try fixture.opened(1)))
        let effects = fixture.handle(.received(1, data(nil)))
        #expect(effects.contains(.close(1, Goodbye(.protocolFault, "data before an invitation"))))
    }

    @Test func whoeverIsNoNeighbourAnyMoreEndsTheFlow() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        try fixture.connect(2, on: 2)
        let peer = Fixture.peer(1)
        _ = fixture.handle(.data(.submitted(peer, messages())))
        _ = fixture.handle(.linkClosed(1, .broken("gone")))
        _ = fixture.handle(.heard(2, try fixture.record(by: 1), RecordArrival(timeToLive: 31, hops: 2)))
        #expect(fixture.handle(.data(.submitted(peer, messages()))) == [.data(.ended(peer, .interrupted))])
    }
}
