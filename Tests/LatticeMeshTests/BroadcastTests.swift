import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Records along the tree, their announcements on other links, and what newcomers get.
@Suite struct BroadcastTests {
    /// A peer whose neighbours take every place, so that it looks for no others.
    private func fixture(links: UInt8, timeToLive: UInt8 = 32) throws -> Fixture {
        var fixture = try Fixture(timeToLive: timeToLive, activeMax: Int(links))
        for rank in 1...links { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    private func have(_ record: VerifiedRecord, hops: UInt8) -> Frame {
        .have(Have(entries: [Have.Entry(id: record.id, hops: hops)]))
    }

    // MARK: - Eager and lazy

    @Test func whoPrunedIsToldInsteadOfPushedTo() throws {
        var fixture = try fixture(links: 3)
        #expect(fixture.handle(.received(2, .prune(of: nil))).isEmpty)
        let record = try fixture.record(by: 9)
        #expect(
            fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2))) == [
                .deliver(record, hops: 2), .forward(record, timeToLive: 4, hops: 3, to: [3]),
            ])
        #expect(fixture.mesh.nextDeadline == fixture.now.advanced(by: fixture.mesh.options.haveDelay))
        #expect(
            fixture.handle(.woke, after: fixture.mesh.options.haveDelay) == [.send(have(record, hops: 3), to: 2)])
        #expect(fixture.handle(.woke, after: fixture.mesh.options.haveDelay).haves.isEmpty)
    }

    @Test func whatComesTogetherIsToldTogether() throws {
        var fixture = try fixture(links: 2)
        _ = fixture.handle(.received(2, .prune(of: nil)))
        let records = [try fixture.record(by: 9), try fixture.record(by: 8)]
        _ = fixture.handle(.heard(1, records[0], RecordArrival(timeToLive: 5, hops: 2)))
        _ = fixture.handle(
            .heard(1, records[1], RecordArrival(timeToLive: 5, hops: 4)), after: fixture.mesh.options.haveDelay / 2)
        let told = fixture.handle(.woke, after: fixture.mesh.options.haveDelay / 2).haves
        #expect(told.map(\.link) == [2])
        #expect(told.first?.entries.map(\.id) == records.map(\.id) && told.first?.entries.map(\.hops) == [3, 5])
    }

    @Test func whoSaysOrSendsItMeanwhileIsNotTold() throws {
        var fixture = try fixture(links: 3)
        for link in [LinkID(rawValue: 2), 3] { _ = fixture.handle(.received(link, .prune(of: nil))) }
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        _ = fixture.handle(.received(2, have(record, hops: 1)))
        _ = fixture.handle(.heard(3, record, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(fixture.handle(.woke, after: fixture.mesh.options.haveDelay).haves.isEmpty)
    }

    @Test func whatWeSayIsPushedToAllIfEveryLinkIsPruned() throws {
        var fixture = try fixture(links: 3)
        for link in UInt64(1)...3 { _ = fixture.handle(.received(LinkID(rawValue: link), .prune(of: nil))) }
        let record = try fixture.record(by: 100)
        #expect(fixture.handle(.submitted(record)).forwarded.map(\.links) == [[1, 2, 3]])
    }

    @Test func whatEndsHereIsNeitherToldNorGivenToWhoAsks() throws {
        var fixture = try fixture(links: 3)
        _ = fixture.handle(.received(2, .prune(of: nil)))
        for (timeToLive, hops) in [(UInt8(1), UInt8(2)), (9, RecordFrame.timeToLiveMax)] {
            let record = try fixture.record(by: 9)
            let effects = fixture.handle(.heard(1, record, RecordArrival(timeToLive: timeToLive, hops: hops)))
            #expect(effects == [.deliver(record, hops: hops)])
            #expect(fixture.handle(.woke, after: fixture.mesh.options.haveDelay).haves.isEmpty)
            #expect(fixture.handle(.received(3, .graft(Graft(ids: [record.id])))).isEmpty)
        }
    }

    // MARK: - Newcomers

    @Test func aNewNeighbourIsToldOfWhatWasSaidLately() throws {
        var fixture = try Fixture(activeMax: 2)
        try fixture.connect(1, on: 1)
        let records = [try fixture.record(by: 9), try fixture.record(by: 2), try fixture.record(by: 8)]
        for record in records { _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2))) }
        let effects = try fixture.connect(2, on: 2)
        #expect(effects.forwarded.isEmpty)
        let told = fixture.handle(.woke, after: fixture.mesh.options.haveDelay).haves
        #expect(told.map(\.link) == [2])
        // Its own record it has.
        #expect(told.first?.entries.map(\.id) == [records[0].id, records[2].id])
        #expect(told.first?.entries.map(\.hops) == [3, 3])
    }

    @Test func aNewNeighbourIsToldOfManyPresencesAndGivenThoseItAsksFor() throws {
        var fixture = try Fixture(activeMax: 2)
        try fixture.connect(1, on: 1)
        var presences: [VerifiedRecord] = []
        for rank in UInt8(120)...UInt8(120 + MeshLimit.introducedMax) {
            let presence = Presence(isHere: true, name: try PeerName("p\(rank)"), rooms: [])
            presences.append(try fixture.record(by: rank, kind: .presence, body: presence.body))
        }
        for record in presences.dropLast() {
            _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        }
        #expect(try fixture.connect(2, on: 2).forwarded.count == MeshLimit.introducedMax)
        _ = fixture.handle(.linkClosed(2, .broken("reset")))
        _ = fixture.handle(.heard(1, presences[presences.count - 1], RecordArrival(timeToLive: 5, hops: 2)))
        #expect(try fixture.connect(2, on: 3).forwarded.isEmpty)
        let told = fixture.handle(.woke, after: fixture.mesh.options.haveDelay).haves
        #expect(told.first?.entries.map(\.id) == presences.map(\.id))
        let given = fixture.handle(.received(3, .graft(Graft(ids: [presences[5].id]))))
        #expect(
            given == [.handPresence(presences[5], timeToLive: 4, hops: 3, ageMilliseconds: 50, to: [3])])
    }
}
