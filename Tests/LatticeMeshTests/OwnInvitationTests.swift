import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Invitations that a program sends, and members under `ask`.
@Suite struct OwnInvitationTests {
    private let target = AnnouncedPeer.peer(Fixture.peer(20).prefix)

    private func fixture(
        policy: MeshOptions.Policy = .ask, dialsSighted: Bool = false, rank: UInt8 = 10
    ) throws -> Fixture {
        var options = MeshOptions(mesh: try MeshName("test"), meshTag: 7)
        options.policy = policy
        options.dialsSighted = dialsSighted
        options.vouched = true
        options.answerTime = .seconds(30)
        var fixture = try Fixture(rank: rank)
        fixture.mesh = Mesh(
            me: fixture.me, presence: Presence(isHere: true, name: try PeerName("me"), rooms: []), options: options,
            seed: 1)
        return fixture
    }

    private func inviting(_ fixture: inout Fixture) throws -> [MeshEffect] {
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        let effects = fixture.handle(.inviting(target, context: [1, 2], patience: .seconds(30)))
        let dial = try #require(effects.dialIDs.first)
        return fixture.handle(.linkOpened(1, try fixture.opened(20, dial: dial.rawValue)))
    }

    @Test(arguments: MeshOptions.Policy.allCases)
    func nobodyIsDialledBecauseItWasSighted(_ policy: MeshOptions.Policy) throws {
        var fixture = try fixture(policy: policy)
        #expect(fixture.handle(.sighted(Fixture.sighting(20))).isEmpty)
        #expect(fixture.pass(.seconds(300)).dials.isEmpty)
    }

    @Test func theContextGoesWithTheInvitationAndTheAnswerIsReported() throws {
        var fixture = try fixture()
        let sent = try inviting(&fixture).compactMap { effect -> [UInt8]? in
            if case .send(.invitation(let invitation), _) = effect { invitation.context } else { nil }
        }
        #expect(sent == [[1, 2]])
        #expect(!fixture.handle(.woke, after: .seconds(29)).contains { $0.isEnd(of: 1) })
        let effects = fixture.handle(.received(1, .accept(room: 1)))
        #expect(effects.contains(.invitationEnded(target, .accepted(Fixture.peer(20), try PeerName("p20")))))
    }

    @Test func aRefusalIsReportedOnceAndNobodyDialsAgain() throws {
        var fixture = try fixture()
        _ = try inviting(&fixture)
        let effects = fixture.handle(.received(1, .refuse(.busy)))
        #expect(effects.contains(.invitationEnded(target, .refused(Fixture.peer(20), .busy))))
        _ = fixture.handle(.linkClosed(1, .left))
        #expect(fixture.pass(.seconds(600)).dials.isEmpty)
    }

    @Test func aWithdrawnInvitationEndsItsLink() throws {
        var fixture = try fixture()
        _ = try inviting(&fixture)
        #expect(fixture.handle(.withdrawn(target)).contains { $0.isEnd(of: 1) })
        _ = fixture.handle(.linkClosed(1, .left))
        #expect(fixture.pass(.seconds(600)).dials.isEmpty)
        // It can be invited again.
        #expect(fixture.handle(.inviting(target, context: [], patience: .seconds(1))).dials == [Fixture.address(20)])
    }

    @Test func aDialThatOutlivesItsInvitationIsClosed() throws {
        var fixture = try fixture()
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        let dial = try #require(
            fixture.handle(.inviting(target, context: [], patience: .seconds(1))).dialIDs.first)
        _ = fixture.handle(.withdrawn(target))
        let effects = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: dial.rawValue)))
        #expect(effects == [.close(1, Goodbye(.refused, "somebody else was expected"))])
        _ = fixture.handle(.linkClosed(1, .left))
        #expect(fixture.handle(.inviting(target, context: [], patience: .seconds(1))).dials == [Fixture.address(20)])
    }

    @Test func whoIsNotSightedOrIsBlockedIsUnknown() throws {
        var fixture = try fixture()
        #expect(
            fixture.handle(.inviting(target, context: [], patience: .seconds(1))) == [
                .invitationEnded(target, .unknown)
            ])
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        _ = fixture.handle(.blockedChanged([Fixture.peer(20)]))
        #expect(
            fixture.handle(.inviting(target, context: [], patience: .seconds(1))) == [
                .invitationEnded(target, .unknown)
            ])
    }

    @Test func aMemberWhoseLinkBreaksIsDialledAgainAndComesBackUnasked() throws {
        var fixture = try fixture()
        #expect(try fixture.connect(20, on: 1).contains { if case .ask = $0 { true } else { false } })
        _ = fixture.handle(.answered(Fixture.peer(20), accept: true))
        #expect(fixture.handle(.linkClosed(1, .broken("reset"))).dials == [Fixture.address(20)])
        let effects = try fixture.connect(20, on: 2, instance: 2)
        #expect(effects.contains { if case .send(.accept, _) = $0 { true } else { false } })
    }

    @Test func whoAMemberHasLetInIsAMember() throws {
        var fixture = try fixture()
        try fixture.connect(20, on: 1)
        _ = fixture.handle(.answered(Fixture.peer(20), accept: true))
        let card = try Fixture.card(30)
        let effects = fixture.handle(.received(1, .walk(Walk(kind: .offer, timeToLive: 0, origin: card))))
        #expect(effects.dials == [Fixture.address(30)])
    }

    /// Records are taken from a link that is being closed, also those of a refused peer.
    @Test func whoWasRefusedIsNoMemberByTheirPresence() throws {
        var fixture = try fixture()
        try fixture.connect(20, on: 1)
        #expect(fixture.handle(.declined(Fixture.peer(20), .declined)).refusals == [.declined])
        let presence = Presence(isHere: true, name: try PeerName("p20"), rooms: [])
        let record = try fixture.record(by: 20, kind: .presence, body: presence.body)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 8, hops: 1)))
        _ = fixture.handle(.linkClosed(1, .left))
        #expect(try fixture.connect(20, on: 2, instance: 2).contains { if case .ask = $0 { true } else { false } })
    }

    @Test func aPersonHasTheTimeThatTheOptionsGive() throws {
        var fixture = try fixture()
        try fixture.connect(20, on: 1)
        #expect(fixture.mesh.isAsked(about: Fixture.peer(20), on: 1))
        #expect(fixture.handle(.woke, after: .seconds(29)).refusals.isEmpty)
        #expect(fixture.handle(.woke, after: .seconds(1)).refusals == [.unanswered])
        #expect(!fixture.mesh.isAsked(about: Fixture.peer(20), on: 1))
    }

    @Test func anAnswerIsForTheInvitationOfItsLink() throws {
        var fixture = try fixture()
        try fixture.connect(20, on: 1)
        _ = fixture.handle(.linkClosed(1, .left))
        try fixture.connect(20, on: 2, instance: 2)
        #expect(fixture.handle(.declined(Fixture.peer(20), .declined, on: 1)).isEmpty)
        #expect(fixture.handle(.answered(Fixture.peer(20), accept: false, on: 1)).isEmpty)
        #expect(fixture.mesh.isAsked(about: Fixture.peer(20), on: 2))
        #expect(fixture.handle(.declined(Fixture.peer(20), .busy, on: 2)).refusals == [.busy])
    }

    /// Our own dial has sent an invitation without this context, and waits for its answer.
    @Test func anInvitationOfOursGivesWayToOneWithAContext() throws {
        var fixture = try fixture(policy: .auto, dialsSighted: true)
        let dials = fixture.handle(.sighted(Fixture.sighting(20))) + fixture.pass(.seconds(5))
        let dial = try #require(dials.dialIDs.first)
        _ = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: dial.rawValue)))
        var ended = fixture.handle(.inviting(target, context: [1, 2], patience: .seconds(30)))
        #expect(ended.contains { $0.isEnd(of: 1) })
        ended += fixture.handle(.linkClosed(1, .left)) + fixture.pass(.seconds(5))
        let next = try #require(ended.dialIDs.first)
        let opened = fixture.handle(.linkOpened(2, try fixture.opened(20, dial: next.rawValue)))
        let sent = opened.compactMap { effect -> [UInt8]? in
            if case .send(.invitation(let invitation), _) = effect { invitation.context } else { nil }
        }
        #expect(sent == [[1, 2]])
        let effects = fixture.handle(.received(2, .refuse(.declined)))
        #expect(effects.contains(.invitationEnded(target, .refused(Fixture.peer(20), .declined))))
    }

    @Test func aNoGivesItsReason() throws {
        var fixture = try fixture()
        try fixture.connect(20, on: 1)
        #expect(fixture.handle(.declined(Fixture.peer(20), .busy)).refusals == [.busy])
    }
}

extension MeshEffect {
    fileprivate func isEnd(of link: LinkID) -> Bool {
        if case .close(link, _) = self { true } else { false }
    }
}
