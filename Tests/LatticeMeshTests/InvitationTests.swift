import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@Suite struct InvitationTests {
    @Test func theSmallerPeerDialsAtOnce() throws {
        var fixture = try Fixture(rank: 10)
        let effects = fixture.handle(.sighted(Fixture.sighting(20)))
        #expect(effects == [.dial(DialID(rawValue: 1), Fixture.address(20))])
    }

    @Test func theLargerPeerLeavesTwoSecondsToTheSmaller() throws {
        var fixture = try Fixture(rank: 20)
        #expect(fixture.handle(.sighted(Fixture.sighting(10))).isEmpty)
        #expect(fixture.mesh.nextDeadline == Instant.zero.advanced(by: .seconds(2)))
        #expect(fixture.handle(.woke, after: .milliseconds(1_999)).isEmpty)
        #expect(fixture.handle(.woke, after: .milliseconds(1)).dials == [Fixture.address(10)])
    }

    @Test func whoCannotBeSightedYetLeavesNobodyTime() throws {
        var fixture = try Fixture(rank: 20)
        #expect(fixture.handle(.visibilityChanged(false)).isEmpty)
        #expect(fixture.handle(.sighted(Fixture.sighting(10))).dials == [Fixture.address(10)])
        // Who is sighted once the announcement is out may have sighted us as well.
        #expect(fixture.handle(.visibilityChanged(true)).isEmpty)
        #expect(fixture.handle(.sighted(Fixture.sighting(11))).isEmpty)
        #expect(fixture.pass(MeshLimit.courtesyDelay).dials == [Fixture.address(11)])
    }

    @Test func whomANewcomerDialledIsNotDialledBackWhenItsAnnouncementIsOut() throws {
        // The one that was there has the smaller id, and would dial at once.
        var fixture = try Fixture(rank: 10)
        try fixture.connect(20, on: 1)
        #expect(fixture.handle(.sighted(Fixture.sighting(20))).isEmpty)
        #expect(fixture.pass(.seconds(60)).dials.isEmpty)
        #expect(fixture.mesh.register.neighbourCount == 1)
    }

    @Test func nobodyDialsItselfNorAnotherMesh() throws {
        var fixture = try Fixture(rank: 10)
        #expect(fixture.handle(.sighted(Fixture.sighting(10))).isEmpty)
        #expect(fixture.handle(.sighted(Fixture.sighting(20, tag: 8))).isEmpty)
        #expect(fixture.mesh.nextDeadline == nil)
    }

    @Test func theDiallerInvitesAndIsConnectedOnAcceptance() throws {
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        let name = try PeerName("p20")
        let room = UInt8(fixture.mesh.options.activeMax)
        let opened = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: 1)))
        #expect(
            opened == [
                .send(.invitation(try fixture.invitation(isUrgent: true, room: room)), to: 1),
                .stateChanged(Fixture.peer(20), name, .connecting, nil),
            ])
        let accepted = fixture.handle(.received(1, .accept(room: 0)))
        #expect(accepted == [.stateChanged(Fixture.peer(20), name, .connected, nil)])
    }

    @Test func theInvitedAcceptsAndIsConnected() throws {
        var fixture = try Fixture(rank: 20)
        _ = fixture.handle(.linkOpened(1, try fixture.opened(10)))
        let effects = fixture.handle(.received(1, .invitation(try fixture.invitation())))
        let name = try PeerName("p10")
        #expect(
            effects == [
                .send(fixture.accept(), to: 1), .stateChanged(Fixture.peer(10), name, .connected, nil),
            ])
    }

    @Test func anotherMeshIsRefusedWithItsReason() throws {
        var fixture = try Fixture(rank: 20)
        _ = fixture.handle(.linkOpened(1, try fixture.opened(10)))
        let effects = fixture.handle(.received(1, .invitation(try fixture.invitation(mesh: "other"))))
        #expect(effects.refusals == [.otherMesh])
        #expect(effects.contains(.close(1, Goodbye(.refused, ""))))
    }

    @Test func anUnansweredInvitationEndsAfterTenSeconds() throws {
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        _ = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: 1)))
        #expect(fixture.handle(.woke, after: .milliseconds(9_999)).isEmpty)
        let effects = fixture.handle(.woke, after: .milliseconds(1))
        let name = try PeerName("p20")
        #expect(effects.contains(.stateChanged(Fixture.peer(20), name, .notConnected, .silent)))
    }

    @Test func aSilentStrangerThatDialledIsDroppedAfterTenSeconds() throws {
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.linkOpened(1, try fixture.opened(20)))
        let effects = fixture.handle(.woke, after: .seconds(10))
        #expect(effects.contains { if case .close(1, let goodbye) = $0 { goodbye.code == .timeout } else { false } })
    }

    @Test func strangersThatInviteNobodyTakeNoPlaceFromOthers() throws {
        var fixture = try Fixture(rank: 10)
        for link in UInt64(1)...100 {
            _ = fixture.handle(.linkOpened(LinkID(rawValue: link), try fixture.opened(UInt8(20 + link))))
        }
        #expect(try fixture.connect(15, on: 200).contains(.send(fixture.accept(), to: 200)))
    }

    @Test func failuresBackOffExponentiallyUpToAMinute() throws {
        var fixture = try Fixture(rank: 10)
        var effects = fixture.handle(.sighted(Fixture.sighting(20)))
        var waits: [Duration] = []
        for _ in 0..<12 {
            _ = fixture.handle(.dialFailed(try #require(effects.dialIDs.first), .noConnection(reason: "refused")))
            let deadline = try #require(fixture.mesh.nextDeadline)
            waits.append(fixture.now.duration(to: deadline))
            effects = fixture.handle(.woke, after: fixture.now.duration(to: deadline))
        }
        for (round, wait) in waits.enumerated() {
            let longest = min(Duration.milliseconds(500 << round), .seconds(60))
            #expect(wait <= longest && wait >= longest / 2, "round \(round): \(wait)")
        }
    }

    @Test func aNewSightingStartsAfresh() throws {
        var fixture = try Fixture(rank: 10)
        var effects = fixture.handle(.sighted(Fixture.sighting(20)))
        for _ in 0..<6 {
            _ = fixture.handle(.dialFailed(try #require(effects.dialIDs.first), .noConnection(reason: "refused")))
            effects = fixture.handle(.woke, after: .seconds(60))
        }
        _ = fixture.handle(.dialFailed(try #require(effects.dialIDs.first), .noConnection(reason: "refused")))
        #expect(fixture.handle(.sighted(Fixture.sighting(20))).dials == [Fixture.address(20)])
    }

    @Test func linksThatDieAtOnceBackOffLikeFailures() throws {
        var fixture = try Fixture(rank: 10)
        var effects = fixture.handle(.sighted(Fixture.sighting(20)))
        for round in UInt64(1)...10 {
            let dial = try #require(effects.dialIDs.first).rawValue
            _ = fixture.handle(.linkOpened(LinkID(rawValue: round), try fixture.opened(20, dial: dial)))
            _ = fixture.handle(.received(LinkID(rawValue: round), .accept(room: 0)))
            _ = fixture.handle(.linkClosed(LinkID(rawValue: round), .goodbye(Goodbye(.tooSlow, ""))))
            let ended = fixture.now
            repeat {
                let deadline = try #require(fixture.mesh.nextDeadline)
                effects = fixture.handle(.woke, after: fixture.now.duration(to: deadline))
            } while effects.isEmpty
            if round == 10 { #expect(ended.duration(to: fixture.now) >= .seconds(30)) }
        }
    }

    @Test func everyAddressIsTriedBeforeItRests() throws {
        var fixture = try Fixture(rank: 20)
        _ = fixture.handle(.sighted(Fixture.sighting(10, host: "10.0.0.1")))
        _ = fixture.handle(.sighted(Fixture.sighting(10, host: "10.0.1.1")))
        let first = fixture.handle(.woke, after: .seconds(2))
        let second = fixture.handle(.dialFailed(try #require(first.dialIDs.first), .noConnection(reason: "no route")))
        #expect(Set((first.dials + second.dials).map(\.host)) == ["10.0.0.1", "10.0.1.1"])
        let third = fixture.handle(.dialFailed(try #require(second.dialIDs.first), .noConnection(reason: "no route")))
        #expect(third.dials.isEmpty)
        #expect(third.contains { if case .unreachable = $0 { true } else { false } })
    }

    /// The announcement of somebody who has just gone is there for a second more, and nothing is in the way of anybody.
    @Test func whoHasJustBeenSightedMayBeGoneBeforeAnybodyIsTold() throws {
        func isTold(_ effects: [MeshEffect]) -> Bool {
            effects.contains { if case .unreachable = $0 { true } else { false } }
        }
        var fixture = try Fixture(rank: 10)
        let gone = Fixture.sighting(20, host: "10.0.0.1")
        let dial = try #require(fixture.handle(.sighted(gone)).dialIDs.first)
        #expect(!isTold(fixture.handle(.dialFailed(dial, .noConnection(reason: "refused")), after: .milliseconds(1))))
        _ = fixture.handle(.lost(gone))
        #expect(!isTold(fixture.pass(.seconds(60))))

        // It stays and refuses: that is reported once.
        var effects = fixture.handle(.sighted(gone))
        let start = fixture.now
        var toldAt: [Instant] = []
        while start.duration(to: fixture.now) < .seconds(30) {
            for dial in effects.dialIDs
            where isTold(fixture.handle(.dialFailed(dial, .noConnection(reason: "refused")))) {
                toldAt.append(fixture.now)
            }
            let deadline = try #require(fixture.mesh.nextDeadline)
            effects = fixture.handle(.woke, after: fixture.now.duration(to: deadline))
        }
        #expect(toldAt.count == 1)
        let delay = start.duration(to: try #require(toldAt.first))
        #expect((.seconds(1)...(.seconds(3))).contains(delay), "\(delay)")

        // For an address that a person gave, it is reported at once.
        let given = Sighting(source: .given, peer: nil, name: nil, meshTag: nil, address: Fixture.address(30))
        let asked = try #require(fixture.handle(.sighted(given)).dialIDs.first)
        #expect(isTold(fixture.handle(.dialFailed(asked, .noConnection(reason: "refused")))))
    }

    @Test func aPeerThatLeftIsNotDialledUntilItIsSightedAgain() throws {
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.sighted(Fixture.sighting(20)))
        _ = fixture.handle(.linkOpened(1, try fixture.opened(20, dial: 1)))
        _ = fixture.handle(.received(1, .accept(room: 0)))
        _ = fixture.handle(.linkClosed(1, .goodbye(Goodbye(.leaving, ""))))
        #expect(fixture.handle(.woke, after: .seconds(600)).dials.isEmpty)
        #expect(fixture.handle(.sighted(Fixture.sighting(20))).dials == [Fixture.address(20)])
    }

    @Test func aGivenAddressIsTriedForEver() throws {
        var fixture = try Fixture(rank: 20, policy: .none)
        let given = Sighting(source: .given, peer: nil, name: nil, meshTag: nil, address: Fixture.address(10))
        var effects = fixture.handle(.sighted(given))
        for _ in 0..<50 {
            #expect(effects.dials == [Fixture.address(10)])
            _ = fixture.handle(.dialFailed(try #require(effects.dialIDs.first), .noConnection(reason: "refused")))
            effects = fixture.handle(.woke, after: .seconds(60))
        }
    }

    @Test func aGivenAddressIsInsistedOnUntilItWasConnectedOnceThoughThereIsNoPlace() throws {
        var fixture = try Fixture(rank: 20, activeMax: 1)
        try fixture.connect(1, on: 1)
        let given = Sighting(source: .given, peer: nil, name: nil, meshTag: nil, address: Fixture.address(10))
        var dial = try #require(fixture.handle(.sighted(given)).dialIDs.first)
        for round in UInt64(0)..<4 {
            // It does not answer, then it has no room.
            _ = fixture.handle(.dialFailed(dial, .noConnection(reason: "refused")))
            dial = try #require(fixture.pass(.seconds(60)).dialIDs.first, "round \(round)")
            let link = LinkID(rawValue: 10 + round)
            let opened = fixture.handle(.linkOpened(link, try fixture.opened(10, dial: dial.rawValue)))
            #expect(opened.contains(.send(.invitation(try fixture.invitation(isUrgent: true, room: 0)), to: link)))
            _ = fixture.handle(.received(link, .refuse(.full)))
            _ = fixture.handle(.linkClosed(link, .left))
            dial = try #require(fixture.pass(.seconds(60)).dialIDs.first, "round \(round)")
        }
        _ = fixture.handle(.linkOpened(9, try fixture.opened(10, dial: dial.rawValue)))
        _ = fixture.handle(.received(9, .accept(room: 1)))
        _ = fixture.handle(.linkClosed(1, .goodbye(Goodbye(.full, ""))))
        // From now on it is a peer like others: one that finds no room is not dialled without a place.
        #expect(try fixture.connect(2, on: 2, isUrgent: true).closed == [9])
        #expect(fixture.pass(.seconds(200)).dials.isEmpty)
    }

    @Test func aGivenAddressIsInsistedOnAgainIfItsLinkBreaks() throws {
        var fixture = try Fixture(rank: 20, activeMax: 1)
        let given = Sighting(source: .given, peer: nil, name: nil, meshTag: nil, address: Fixture.address(10))
        let dial = try #require(fixture.handle(.sighted(given)).dialIDs.first)
        _ = fixture.handle(.linkOpened(9, try fixture.opened(10, dial: dial.rawValue)))
        _ = fixture.handle(.received(9, .accept(room: 1)))
        _ = fixture.handle(.linkClosed(9, .broken("reset")))
        try fixture.connect(1, on: 1)
        #expect(fixture.pass(.seconds(60)).dials.contains(Fixture.address(10)))
    }

    @Test func dialsAtOnceAreLimited() throws {
        var fixture = try Fixture(rank: 1, activeMax: MeshLimit.dialsMax + 1)
        for rank in UInt8(2)..<100 { _ = fixture.handle(.sighted(Fixture.sighting(rank))) }
        let started = MeshLimit.dialsMax
        let effects = fixture.handle(.dialFailed(DialID(rawValue: 1), .noConnection(reason: "refused")))
        #expect(effects.dialIDs == [DialID(rawValue: UInt64(started + 1))])
    }

    @Test func noMoreIsDialledThanThereAreFreePlaces() throws {
        var fixture = try Fixture(rank: 1, activeMax: 3)
        try fixture.connect(100, on: 1)
        var dials = 0
        for rank in UInt8(2)..<10 { dials += fixture.handle(.sighted(Fixture.sighting(rank))).dials.count }
        #expect(dials == 2)
        #expect(fixture.handle(.dialFailed(DialID(rawValue: 1), .noConnection(reason: "refused"))).dials.count == 1)
    }

    @Test func candidatesAreLimited() throws {
        var fixture = try Fixture(rank: 1, policy: .none)
        for index in 0..<3_000 {
            let sighting = Sighting(
                source: .system, peer: PeerPrefix(UInt64(index)), name: "x", meshTag: 7, address: Fixture.address(9))
            _ = fixture.handle(.sighted(sighting))
        }
        #expect(fixture.mesh.peers().count == MeshLimit.candidatesMax)
    }
}
