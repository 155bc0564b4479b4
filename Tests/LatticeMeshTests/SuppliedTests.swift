import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// Records that a program of this person brings from another network.
@Suite struct SuppliedTests {
    private func fixture() throws -> Fixture {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    private static func body() throws -> [UInt8] {
        ChatLine(style: .says, name: try PeerName("ann"), text: "hi").body
    }

    @Test func aLiveOneIsDeliveredAndRelayedLikeANeighbours() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: 9, body: try Self.body())
        let effects = fixture.handle(.supplied(record, .live))
        #expect(effects.prefix(2) == [.supplied(record, .isRelayed), .deliver(record, hops: 1)])
        let links = effects.reduce(into: Set<LinkID>()) { links, effect in
            if case .forward(record, _, 2, _, _, let targets) = effect { links.formUnion(targets) }
        }
        #expect(links == [1, 2])
        // A neighbour's copy is not new.
        let again = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(!again.contains(.deliver(record, hops: 2)))
    }

    @Test func whatIsLateOrOursOrSeenIsKeptAlone() throws {
        var fixture = try fixture()
        let late = try fixture.record(by: 9, body: try Self.body())
        #expect(fixture.handle(.supplied(late, .late)) == [.supplied(late, .isKept(isUrgent: false))])
        let heard = try fixture.record(by: 9, body: try Self.body())
        _ = fixture.handle(.heard(1, heard, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(fixture.handle(.supplied(heard, .live)) == [.supplied(heard, .isKept(isUrgent: false))])
    }

    @Test func aBlockedAuthorIsTurnedAway() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: 9, body: try Self.body())
        _ = fixture.handle(.blockedChanged([record.author]))
        for age in [SuppliedAge.live, .late, .old] {
            #expect(fixture.handle(.supplied(record, age)) == [.supplied(record, .isBlocked)])
        }
    }

    @Test func whatIsTooMuchIsRefusedAndCanComeAgain() throws {
        var fixture = try fixture()
        let large = [UInt8](repeating: 7, count: 50_000)
        var refused: VerifiedRecord?
        for _ in 0..<4_000 where refused == nil {
            let record = try fixture.record(by: 9, body: large)
            if fixture.handle(.supplied(record, .late)) == [.supplied(record, .isTooMuch)] { refused = record }
        }
        let record = try #require(refused)
        fixture.now = fixture.now.advanced(by: .seconds(1))
        #expect(fixture.handle(.supplied(record, .late)).first == .supplied(record, .isKept(isUrgent: false)))
    }
}
