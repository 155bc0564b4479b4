import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Whom a person wants nothing of.
struct BlockingTests {
    private static let loud: UInt8 = 50

    /// Linked with 10 on link 1 and 20 on link 2; somebody else is blocked.
    private func fixture() throws -> Fixture {
        var fixture = try Fixture()
        try fixture.connect(10, on: 1)
        try fixture.connect(20, on: 2)
        _ = fixture.handle(.blockedChanged([Fixture.peer(Self.loud)]))
        return fixture
    }

    @Test func whatTheySayIsNeitherDeliveredNorPassedOnNorAskedFor() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: Self.loud)
        let effects = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 8, hops: 2)))
        #expect(effects.deliveredCount == 0 && effects.forwarded.isEmpty)
        #expect(fixture.mesh.refusalCounts[.blocked] == 1)
        // It is not requested from a peer that announces it.
        var later = fixture.handle(.received(2, .have(Have(entries: [Have.Entry(id: record.id, hops: 3)]))))
        later += fixture.pass(.seconds(3))
        #expect(later.grafts.isEmpty)
        // Others are heard as before.
        let other = try fixture.record(by: 60)
        #expect(fixture.handle(.heard(1, other, RecordArrival(timeToLive: 8, hops: 2))).deliveredCount == 1)
    }

    @Test func whatTheySaidJustNowIsGivenToNobodyAnyMore() throws {
        var fixture = try Fixture()
        try fixture.connect(10, on: 1)
        let record = try fixture.record(by: Self.loud)
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 8, hops: 2))).deliveredCount == 1)
        _ = fixture.handle(.blockedChanged([Fixture.peer(Self.loud)]))
        let joined = try fixture.connect(20, on: 2) + fixture.pass(.seconds(1))
        #expect(!joined.haves.contains { $0.entries.contains { $0.id == record.id } })
        let answer = fixture.handle(.received(2, .graft(Graft(ids: [record.id]))))
        #expect(answer.forwarded.isEmpty)
    }

    @Test func aLinkWithThemEndsAndIsRefusedFromThenOn() throws {
        var fixture = try Fixture()
        try fixture.connect(Self.loud, on: 1)
        let ended = fixture.handle(.blockedChanged([Fixture.peer(Self.loud)]))
        let goodbye = Goodbye(.refused, "it has blocked this peer")
        #expect(ended.contains(.close(1, goodbye)))
        #expect(
            ended.contains(
                .stateChanged(Fixture.peer(Self.loud), try PeerName("p50"), .notConnected, .blocked)))
        _ = fixture.handle(.linkClosed(1, .goodbye(goodbye)))
        #expect(fixture.handle(.linkOpened(2, try fixture.opened(Self.loud))) == [.close(2, goodbye)])
        // Nor are they dialled, however their address became known.
        var effects = fixture.handle(.sighted(Fixture.sighting(Self.loud)))
        effects += fixture.handle(.wanted(Fixture.peer(Self.loud).prefix))
        effects += fixture.handle(.answered(Fixture.peer(Self.loud), accept: true))
        effects += fixture.pass(.seconds(120))
        #expect(effects.dials.isEmpty)
    }

    @Test func whoIsHereIsGoneWhenBlocked() throws {
        var fixture = try Fixture()
        try fixture.connect(10, on: 1)
        let presence = Presence(isHere: true, name: try PeerName("loud"), rooms: [])
        let record = try fixture.record(by: Self.loud, kind: .presence, body: presence.body)
        #expect(!fixture.handle(.heard(1, record, RecordArrival(timeToLive: 8, hops: 2))).isEmpty)
        #expect(
            fixture.handle(.blockedChanged([Fixture.peer(Self.loud)])).contains(
                .presenceChanged(
                    Fixture.peer(Self.loud), Presence(isHere: false, name: try PeerName("loud"), rooms: []), hops: 2)))
        let next = try fixture.record(by: Self.loud, kind: .presence, body: presence.body)
        #expect(fixture.handle(.heard(1, next, RecordArrival(timeToLive: 8, hops: 2))).isEmpty)
        #expect(
            fixture.handle(.probeWanted(Fixture.peer(Self.loud), nonce: 7)).contains(.probed(nonce: 7, .noRoute)))
    }

    @Test func whoeverIsBlockedNoMoreIsHeardAgain() throws {
        var fixture = try fixture()
        _ = fixture.handle(.blockedChanged([]))
        let record = try fixture.record(by: Self.loud)
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 8, hops: 2))).deliveredCount == 1)
    }

    @Test func whatWasFetchedOfThemIsNotKeptAndNotFetchedAgain() throws {
        var fixture = try Fixture()
        let id = try Fixture.id(1)
        try fixture.dialSource(200, on: 1, of: [id])
        _ = fixture.handle(.blockedChanged([Fixture.record(id).author]))
        #expect(fixture.serve(id, on: 1).kept.isEmpty)
        #expect(fixture.mesh.antiEntropy.progress.missing == 0)
        // Every comparison finds it again, and for a day nobody is asked for it.
        for _ in 0..<3 {
            let again = fixture.compareAll(fixture.handle(.syncWanted).works, need: [id])
            #expect(again.fetches.isEmpty)
        }
        _ = fixture.handle(.blockedChanged([]))
        let fetched = fixture.compareAll(fixture.handle(.syncWanted).works, need: [id])
        #expect(fetched.isEmpty || fetched.fetches.map(\.ids) == [[id]])
    }

    @Test func nobodyBlocksThemselves() throws {
        var fixture = try Fixture()
        try fixture.connect(10, on: 1)
        _ = fixture.handle(.blockedChanged([fixture.me]))
        let record = try fixture.record(by: 100)
        #expect(fixture.handle(.submitted(record)).deliveredCount == 1)
    }
}
