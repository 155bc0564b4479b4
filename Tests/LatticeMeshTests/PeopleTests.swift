import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@Suite struct PeopleTests {
    private func presence(_ name: String, isHere: Bool = true) throws -> Presence {
        Presence(isHere: isHere, name: try PeerName(name), rooms: [])
    }

    @Test func aPresenceIsToldAndPassedOn() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let carol = try presence("carol")
        let record = try fixture.record(by: 9, kind: .presence, body: carol.body)
        let effects = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(
            effects == [
                .presenceChanged(Fixture.peer(9), carol, hops: 2), .forward(record, timeToLive: 4, hops: 3, to: [2]),
            ])
    }

    @Test func anOlderPresenceThanTheKnownOneIsDropped() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let old = try fixture.record(by: 9, kind: .presence, body: try presence("old").body)
        let new = try fixture.record(by: 9, kind: .presence, body: try presence("new").body)
        _ = fixture.handle(.heard(1, new, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(fixture.handle(.heard(1, old, RecordArrival(timeToLive: 5, hops: 2))).isEmpty)
    }

    @Test func aNewNeighbourIsToldOfEverybody() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let record = try fixture.record(by: 9, kind: .presence, body: try presence("carol").body)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(try fixture.connect(2, on: 2).contains(.forward(record, timeToLive: 4, hops: 3, to: [2])))
    }

    @Test func whoIsSilentForTwoAndAHalfMinutesIsGone() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let record = try fixture.record(by: 9, kind: .presence, body: try presence("carol").body)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        let gone = MeshEffect.presenceChanged(Fixture.peer(9), try presence("carol", isHere: false), hops: 2)
        #expect(!fixture.handle(.woke, after: .seconds(149)).contains(gone))
        #expect(fixture.handle(.woke, after: .seconds(11)).contains(gone))
    }

    @Test func ourPresenceIsAnnouncedAtOnceAndEveryFifteenSeconds() throws {
        var fixture = try Fixture()
        let mine = Presence(isHere: true, name: try PeerName("me"), rooms: [], renewalSeconds: 15)
        #expect(fixture.handle(.presenceChanged(mine)) == [.announce(mine)])
        #expect(fixture.handle(.woke, after: .seconds(14)).isEmpty)
        #expect(fixture.handle(.woke, after: .seconds(1)) == [.announce(mine)])
        let renamed = Presence(isHere: true, name: try PeerName("other"), rooms: [], renewalSeconds: 15)
        #expect(fixture.handle(.presenceChanged(renamed)) == [.announce(renamed)])
    }

    private func presence(of number: Int, date: UInt64 = 1) throws -> VerifiedRecord {
        var key = [UInt8](repeating: 7, count: 32)
        key[0] = UInt8(number & 0xFF)
        key[1] = UInt8(number >> 8)
        let author = PeerID(try #require(Bytes32(key)))
        key[2] = UInt8(date)
        let record = Record(
            kind: .presence, author: author, created: HybridTime(rawValue: date),
            lifetimeSeconds: 600, topic: [], body: try self.presence("x").body)
        let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: 64))
        return VerifiedRecord(assumingVerified: signed, id: RecordID(try #require(Bytes32(key))))
    }

    /// Counts the presences that the fixture takes.
    private func taken(
        _ numbers: Range<Int>, _ fixture: inout Fixture, by link: UInt64 = 1, date: UInt64 = 1
    ) throws -> Int {
        try numbers.count { number in
            let record = try presence(of: number, date: date)
            let effects = fixture.handle(.heard(LinkID(rawValue: link), record, RecordArrival(timeToLive: 5, hops: 2)))
            return effects.contains { if case .forward = $0 { true } else { false } }
        }
    }

    @Test func presencesOfUnknownKeysAreLimitedByLinkAndInAllAndCounted() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...4 { try fixture.connect(rank, on: UInt64(rank)) }
        #expect(try taken(0..<6_000, &fixture) == 2_048)
        #expect(fixture.mesh.refusalCounts[.newcomers] == 6_000 - 2_048)
        // People who are here are heard again, whatever the limit.
        #expect(try taken(0..<2_048, &fixture, date: 2) == 2_048)
        _ = fixture.handle(.woke, after: .seconds(1))
        #expect(try taken(20_000..<20_100, &fixture) == 32)
        // What one link leaves is for the others, and a link that brought much waits for the sum of all.
        #expect(try taken(10_000..<10_500, &fixture, by: 2) == 500)
        _ = fixture.handle(.woke, after: .seconds(1))
        #expect(try taken(21_000..<21_100, &fixture) == 0)
    }

    @Test func knownPeopleAndNeighboursAreHeardWhateverStrangersSend() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        let known = try presence(of: 30_000)
        _ = fixture.handle(.trustedChanged([known.author]))
        _ = try taken(0..<6_000, &fixture)
        #expect(try taken(20_000..<20_001, &fixture) == 0)
        #expect(try taken(30_000..<30_001, &fixture) == 1)
        let neighbour = try fixture.record(by: 2, kind: .presence, body: try presence("p2").body)
        let effects = fixture.handle(.heard(1, neighbour, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(effects.contains { if case .forward = $0 { true } else { false } })
    }

    @Test func aPresenceThatWasRefusedIsNotSeenAndAnotherLinkBringsIt() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        _ = try taken(0..<6_000, &fixture)
        #expect(try taken(20_000..<20_001, &fixture) == 0)
        #expect(try taken(20_000..<20_001, &fixture, by: 2) == 1)
    }

    @Test func oneNeighbourThatMakesPeopleUpCannotTakeEveryPlace() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        // However known they are.
        _ = fixture.handle(.trustedChanged(Set(try (0..<5_000).map { try presence(of: $0).author })))
        for number in 0..<5_000 {
            _ = fixture.handle(.heard(1, try presence(of: number), RecordArrival(timeToLive: 5, hops: 2)))
        }
        let honest = try presence(of: 9_999)
        let effects = fixture.handle(.heard(2, honest, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(effects.contains(.forward(honest, timeToLive: 4, hops: 3, to: [1])))
    }

    @Test func whoeverGivesTheirSlotToAnotherIsGone() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        _ = fixture.handle(.trustedChanged(Set(try (0..<5_000).map { try presence(of: $0).author })))
        var here: Set<PeerID> = []
        func hear(_ number: Int, by link: UInt64) throws {
            let record = try presence(of: number)
            for effect in fixture.handle(.heard(LinkID(rawValue: link), record, RecordArrival(timeToLive: 5, hops: 2)))
            {
                guard case .presenceChanged(let peer, let presence, _) = effect else { continue }
                if presence.isHere { here.insert(peer) } else { here.remove(peer) }
            }
        }
        for number in 0..<4_200 { try hear(number, by: 1) }
        for number in 4_200..<4_500 { try hear(number, by: 2) }
        // A front lists as many people as there are here, and no more.
        #expect(here == Set(fixture.mesh.peers().lazy.filter(\.isHere).compactMap(\.peer)).subtracting(neighbours))
        let last = try presence(of: 4_499).author
        #expect(here.count == MeshLimit.peopleMax && here.contains(last))
    }

    private var neighbours: Set<PeerID> { [Fixture.peer(1), Fixture.peer(2)] }

    @Test func aNewestPresenceIsGivenToANeighbourThatAsksUntilItExpires() throws {
        var fixture = try Fixture(activeMax: 2)
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let old = try fixture.record(by: 9, kind: .presence, body: try presence("old").body)
        let new = try fixture.record(by: 9, kind: .presence, body: try presence("new").body)
        _ = fixture.handle(.heard(1, old, RecordArrival(timeToLive: 5, hops: 2)))
        _ = fixture.handle(.heard(1, new, RecordArrival(timeToLive: 5, hops: 2)))
        _ = fixture.handle(.woke, after: .seconds(40))
        func given(_ record: VerifiedRecord) -> [MeshEffect] {
            fixture.handle(.received(2, .graft(Graft(ids: [record.id])))).filter {
                if case .handPresence = $0 { true } else { false }
            }
        }
        #expect(
            given(new) == [.handPresence(new, timeToLive: 4, hops: 3, ageMilliseconds: 40_000, to: [2])])
        _ = fixture.handle(.woke, after: .seconds(600))
        #expect(given(new).isEmpty)
    }

    @Test func aPresenceOfMoreThanAKilobyteIsDropped() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let rooms = try (0..<64).map { try RoomName("#" + String(repeating: "x", count: 20) + "\($0)") }
        let body = Presence(isHere: true, name: try PeerName("x"), rooms: rooms).body
        let record = try fixture.record(by: 9, kind: .presence, body: body)
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2))).isEmpty)
    }

    @Test func aPresenceThatIsNoneIsNeitherToldNorPassedOn() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let record = try fixture.record(by: 9, kind: .presence, body: [9, 9])
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2))).isEmpty)
    }
}
