import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// A presence ends two and a half renewals after it was made, however it was relayed.
@Suite struct PresenceAgeTests {
    /// - Parameter seconds: when it was made, on its author's clock.
    private func presence(
        by rank: UInt8 = 9, madeAt seconds: Int64, number: UInt8 = 0, renewalSeconds: UInt8 = 15
    ) throws -> VerifiedRecord {
        let presence = Presence(isHere: true, name: try PeerName("carol"), rooms: [], renewalSeconds: renewalSeconds)
        let record = Record(
            kind: .presence, author: Fixture.peer(rank),
            created: HybridTime(wallTime: WallTime(milliseconds: 1_700_000_000_000 + seconds * 1_000)),
            lifetimeSeconds: presence.lifetimeSeconds, topic: [], body: presence.body)
        var id = [UInt8](repeating: rank, count: 32)
        id[1] = UInt8(truncatingIfNeeded: seconds)
        id[2] = number
        let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: 64))
        return VerifiedRecord(assumingVerified: signed, id: RecordID(try #require(Bytes32(id))))
    }

    private func isGone(_ effects: [MeshEffect]) -> Bool {
        effects.contains {
            if case .presenceChanged(Fixture.peer(9), let presence, _) = $0 { !presence.isHere } else { false }
        }
    }

    private func isHere(_ fixture: Fixture) -> Bool {
        fixture.mesh.peers().contains { $0.peer == Fixture.peer(9) && $0.isHere }
    }

    @Test func whoIsSilentForTwoAndAHalfRenewalsIsGone() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.heard(1, try presence(madeAt: 0), RecordArrival(timeToLive: 5, hops: 2)))
        #expect(!isGone(fixture.pass(.seconds(37))))
        #expect(isGone(fixture.pass(.seconds(1))))
    }

    @Test func aNewNeighbourIsToldHowOldAPresenceIs() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let record = try presence(madeAt: 0)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        _ = fixture.pass(.seconds(10))
        let handed = MeshEffect.handPresence(record, timeToLive: 4, hops: 3, ageMilliseconds: 10_000, to: [2])
        #expect(try fixture.connect(2, on: 2).contains(handed))
        // After its end it is not relayed.
        _ = fixture.pass(.seconds(30))
        let told = try fixture.connect(3, on: 3)
        #expect(!told.contains { if case .handPresence(let other, _, _, _, _) = $0 { other == record } else { false } })
    }

    @Test func whatANeighbourHadForAWhileEndsSoonerHere() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let record = try presence(madeAt: 0)
        let effects = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2, ageMilliseconds: 30_000)))
        #expect(
            effects.contains(.handPresence(record, timeToLive: 4, hops: 3, ageMilliseconds: 30_000, to: [2])))
        #expect(!isGone(fixture.pass(.seconds(7))))
        #expect(isGone(fixture.pass(.seconds(1))))
        let late = try presence(by: 8, madeAt: 0)
        #expect(fixture.handle(.heard(1, late, RecordArrival(timeToLive: 5, hops: 2, ageMilliseconds: 37_500))).isEmpty)
    }

    @Test func aPresenceThatIsRequestedDoesNotBecomeYounger() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let record = try presence(madeAt: 0)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2, ageMilliseconds: 20_000)))
        _ = fixture.handle(.heard(1, try presence(madeAt: 15), RecordArrival(timeToLive: 5, hops: 2)))
        _ = fixture.pass(.seconds(3))
        let handed = MeshEffect.handPresence(record, timeToLive: 4, hops: 3, ageMilliseconds: 23_000, to: [2])
        #expect(fixture.handle(.received(2, .graft(Graft(ids: [record.id])))).contains(handed))
    }

    @Test func whoIsGoneIsNotBroughtBackByAnOlderPresence() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.heard(1, try presence(madeAt: 30), RecordArrival(timeToLive: 5, hops: 2)))
        _ = fixture.pass(.seconds(40))
        #expect(fixture.handle(.heard(1, try presence(madeAt: 15), RecordArrival(timeToLive: 5, hops: 2))).isEmpty)
        #expect(!isHere(fixture))
        // A peer that is back has a newer presence.
        _ = fixture.handle(.heard(1, try presence(madeAt: 75), RecordArrival(timeToLive: 5, hops: 2)))
        #expect(isHere(fixture))
    }

    @Test func aNeighbourThatCallsEveryPresenceOldMakesNobodyGo() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.heard(1, try presence(madeAt: 0), RecordArrival(timeToLive: 5, hops: 2)))
        for round in Int64(1)...10 {
            #expect(!isGone(fixture.pass(.seconds(15))))
            _ = fixture.handle(
                .heard(
                    1, try presence(madeAt: round * 15), RecordArrival(timeToLive: 5, hops: 2, ageMilliseconds: 37_000))
            )
            #expect(isHere(fixture))
        }
    }

    @Test func aPresenceThatWasHeldBackIsNoYoungerForIt() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.heard(1, try presence(madeAt: 0), RecordArrival(timeToLive: 5, hops: 2)))
        _ = fixture.pass(.seconds(35))
        // Made after 15 s, and said to be new after 35.
        _ = fixture.handle(.heard(1, try presence(madeAt: 15), RecordArrival(timeToLive: 5, hops: 2)))
        #expect(!isGone(fixture.pass(.seconds(17))))
        #expect(isGone(fixture.pass(.seconds(2))))
    }

    @Test func aClockThatWentBackMakesItsOwnerNoOlder() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.heard(1, try presence(madeAt: 0), RecordArrival(timeToLive: 5, hops: 2)))
        for round in UInt8(1)...10 {
            #expect(!isGone(fixture.pass(.seconds(15))))
            // Its dates stand still until its clock is where it was.
            let record = try presence(madeAt: 0, number: round)
            let later = Record(
                kind: .presence, author: record.author,
                created: HybridTime(rawValue: record.created.rawValue + UInt64(round)), lifetimeSeconds: 60, topic: [],
                body: record.record.body)
            let signed = SignedRecord(later, signature: [UInt8](repeating: 0, count: 64))
            _ = fixture.handle(
                .heard(
                    1, VerifiedRecord(assumingVerified: signed, id: record.id), RecordArrival(timeToLive: 5, hops: 2)))
            #expect(isHere(fixture))
        }
    }

    @Test func whatIsOverByAClockThatMayBeWrongIsPassedOnAndShowsNobody() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let record = try presence(madeAt: 0)
        let effects = fixture.handle(
            .heard(1, record, RecordArrival(timeToLive: 5, hops: 2, ageMilliseconds: 7_000, isOver: true)))
        #expect(effects == [.handPresence(record, timeToLive: 4, hops: 3, ageMilliseconds: 7_000, to: [2])])
        #expect(!isHere(fixture) && fixture.mesh.refusalCounts[.expired] == 1)
        // Not again, and not when its neighbour says itself that it is over.
        let again = fixture.handle(.heard(2, record, RecordArrival(timeToLive: 5, hops: 2, isOver: true)))
        #expect(!again.contains { if case .handPresence = $0 { true } else { false } } && !isHere(fixture))
        let late = try presence(madeAt: 1)
        #expect(
            fixture.handle(
                .heard(1, late, RecordArrival(timeToLive: 5, hops: 2, ageMilliseconds: 37_500, isOver: true))
            ).isEmpty)
        // From its author itself it counts.
        try fixture.connect(9, on: 9)
        let own = fixture.handle(.heard(9, record, RecordArrival(timeToLive: 5, hops: 1)))
        #expect(
            own.contains {
                if case .presenceChanged(Fixture.peer(9), let presence, _) = $0 { presence.isHere } else { false }
            })
        // And so does what others bring of a neighbour.
        _ = fixture.handle(.heard(1, try presence(madeAt: 3), RecordArrival(timeToLive: 5, hops: 2, isOver: true)))
        #expect(fixture.mesh.refusalCounts[.expired] == 2)
    }

    @Test func whoseLinkBrokeIsGoneUnlessAnotherPresenceComesInTime() throws {
        for comesBack in [true, false] {
            var fixture = try Fixture()
            try fixture.connect(1, on: 1)
            try fixture.connect(9, on: 2)
            _ = fixture.handle(.heard(2, try presence(madeAt: 0), RecordArrival(timeToLive: 5, hops: 1)))
            #expect(isHere(fixture))
            _ = fixture.handle(.linkClosed(2, .broken("reset")))
            #expect(!isHere(fixture))
            if comesBack {
                _ = fixture.handle(.heard(1, try presence(madeAt: 1), RecordArrival(timeToLive: 5, hops: 2)))
            }
            #expect(isHere(fixture) == comesBack)
            #expect(isGone(fixture.pass(.seconds(21))) != comesBack)
        }
    }
}
