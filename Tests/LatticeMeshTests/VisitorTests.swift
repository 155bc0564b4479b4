import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// People who speak through this peer with keys of their own.
struct VisitorTests {
    private static let bob: UInt8 = 50
    private static let carol: UInt8 = 60

    private func presence(_ name: String, isHere: Bool = true) throws -> Presence {
        Presence(isHere: isHere, name: try PeerName(name), rooms: [])
    }

    /// Linked with 10 on link 1 and 20 on link 2.
    private func fixture() throws -> Fixture {
        var fixture = try Fixture()
        try fixture.connect(10, on: 1)
        try fixture.connect(20, on: 2)
        #expect(fixture.handle(.visitorsChanged([Fixture.peer(Self.bob)])).isEmpty)
        return fixture
    }

    @Test func whatTheySayIsShownHereAndGoesToEveryLink() throws {
        var fixture = try fixture()
        let line = try fixture.record(by: Self.bob)
        #expect(
            fixture.handle(.submitted(line)) == [
                .deliver(line, hops: 0), .forward(line, timeToLive: 32, hops: 1, to: [1, 2]),
            ])
        #expect(fixture.mesh.broadcast.outbox.linesCount == 1)
        // Once.
        #expect(fixture.handle(.submitted(line)).isEmpty)
    }

    @Test func nobodyElseIsSubmittedFor() throws {
        var fixture = try fixture()
        let line = try fixture.record(by: Self.carol)
        #expect(fixture.handle(.submitted(line)).isEmpty)
        _ = fixture.handle(.visitorsChanged([]))
        #expect(fixture.handle(.submitted(try fixture.record(by: Self.bob))).isEmpty)
    }

    @Test func whatTheySaidAndComesBackIsNotShownAgain() throws {
        var fixture = try fixture()
        // Said before this process began.
        let line = try fixture.record(by: Self.bob)
        let effects = fixture.handle(.heard(1, line, RecordArrival(timeToLive: 8, hops: 2)))
        #expect(effects.deliveredCount == 0 && effects.forwarded.isEmpty)
        // Of somebody who is not here it is news.
        let other = try fixture.record(by: Self.carol)
        #expect(fixture.handle(.heard(1, other, RecordArrival(timeToLive: 8, hops: 2))).deliveredCount == 1)
    }

    @Test func whoeverLooksHereSeesThemComeAndGo() throws {
        var fixture = try fixture()
        let (here, gone) = (try presence("bob"), try presence("bob", isHere: false))
        let record = try fixture.record(by: Self.bob, kind: .presence, body: here.body)
        #expect(
            fixture.handle(.submitted(record)) == [
                .presenceChanged(Fixture.peer(Self.bob), here, hops: 0),
                .forward(record, timeToLive: 32, hops: 1, to: [1, 2]),
            ])
        let view = try #require(fixture.mesh.peers().first { $0.peer == Fixture.peer(Self.bob) })
        #expect(view.isHere && view.hops == 0 && view.via == nil && view.state == .notConnected)
        let last = try fixture.record(by: Self.bob, kind: .presence, body: gone.body)
        #expect(
            fixture.handle(.submitted(last)).contains(.presenceChanged(Fixture.peer(Self.bob), gone, hops: 0)))
        _ = fixture.handle(.visitorsChanged([]))
        #expect(!fixture.mesh.peers().contains { $0.peer == Fixture.peer(Self.bob) })
    }

    @Test func theyAreHereThoughNobodyIsLinkedWith() throws {
        var fixture = try Fixture()
        _ = fixture.handle(.visitorsChanged([Fixture.peer(Self.bob)]))
        let record = try fixture.record(by: Self.bob, kind: .presence, body: try presence("bob").body)
        _ = fixture.handle(.submitted(record))
        #expect(fixture.mesh.peers().first { $0.peer == Fixture.peer(Self.bob) }?.isHere == true)
        // A newcomer gets them.
        #expect(try fixture.connect(10, on: 1).contains(.forward(record, timeToLive: 32, hops: 1, to: [1])))
    }

    @Test func ofEverybodyElseTheyTakeThePlaceWhereThereIsNone() throws {
        var fixture = try Fixture()
        try fixture.connect(10, on: 1)
        let body = try presence("somebody").body
        for number in 0..<MeshLimit.peopleMax {
            _ = fixture.handle(
                .heard(1, try Self.stranger(number, body), RecordArrival(timeToLive: 8, hops: 2)),
                after: .milliseconds(2))
        }
        _ = fixture.handle(.visitorsChanged([Fixture.peer(Self.bob)]))
        let record = try fixture.record(by: Self.bob, kind: .presence, body: try presence("bob").body)
        _ = fixture.handle(.submitted(record))
        #expect(fixture.mesh.peers().contains { $0.peer == Fixture.peer(Self.bob) })
    }

    private static func stranger(_ number: Int, _ body: [UInt8]) throws -> VerifiedRecord {
        var key = [UInt8](repeating: 7, count: 32)
        (key[0], key[1], key[2]) = (200, UInt8(number >> 8), UInt8(number & 255))
        let name = try #require(Bytes32(key))
        let record = Record(
            kind: .presence, author: PeerID(name), created: HybridTime(rawValue: 1 << 16), lifetimeSeconds: 600,
            topic: [], body: body)
        let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: 64))
        return VerifiedRecord(assumingVerified: signed, id: RecordID(name))
    }

    @Test func theyAreNobodyToLookForAsANeighbour() throws {
        var fixture = try Fixture()
        try fixture.connect(10, on: 1)
        _ = fixture.handle(.visitorsChanged([Fixture.peer(Self.bob)]))
        _ = fixture.handle(
            .submitted(try fixture.record(by: Self.bob, kind: .presence, body: try presence("bob").body)))
        _ = fixture.handle(
            .heard(
                1, try fixture.record(by: 10, kind: .presence, body: try presence("ten").body),
                RecordArrival(timeToLive: 8, hops: 1)))
        let effects = fixture.pass(.seconds(100))
        #expect(effects.dials.isEmpty && effects.walks.isEmpty)
    }

    @Test func theySpeakOnABusyLinkAsWeDo() throws {
        var fixture = try fixture()
        _ = fixture.handle(.linkBusy(1))
        let line = try fixture.record(by: Self.bob)
        #expect(fixture.handle(.submitted(line)).forwarded.map(\.links) == [[1, 2]])
        #expect(fixture.mesh.fairness.backlogCount == 0)
    }
}
