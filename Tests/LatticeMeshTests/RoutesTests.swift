import LatticeCore
import Testing

@testable import LatticeMesh

@Suite struct RoutesTests {
    private var routes = Routes()

    private func at(_ seconds: Int64) -> Instant {
        .zero.advanced(by: .seconds(seconds))
    }

    private func peer(_ number: Int) throws -> PeerID {
        var bytes = [UInt8](repeating: 7, count: 32)
        bytes[0] = UInt8(truncatingIfNeeded: number)
        bytes[1] = UInt8(truncatingIfNeeded: number >> 8)
        return PeerID(try #require(Bytes32(bytes)))
    }

    @Test mutating func theWayIsWhereTheNewestCameFromFirst() throws {
        let bob = try peer(1)
        #expect(routes.next(to: bob, at: at(0)) == nil)
        routes.learn(bob, via: 1, at: at(0))
        #expect(routes.next(to: bob, at: at(0)) == 1)
        routes.learn(bob, via: 2, at: at(1))
        #expect(routes.next(to: bob, at: at(1)) == 2)
        #expect(routes.count == 1)
    }

    @Test mutating func aWayAgesUnlessItIsLearnedAgain() throws {
        let bob = try peer(1)
        routes.learn(bob, via: 1, at: at(0))
        #expect(routes.next(to: bob, at: at(149)) == 1)
        #expect(routes.next(to: bob, at: at(150)) == nil)
        routes.learn(bob, via: 1, at: at(100))
        #expect(routes.next(to: bob, at: at(249)) == 1)
        #expect(routes.next(to: bob, at: at(250)) == nil)
    }

    @Test mutating func withALinkGoItsWays() throws {
        routes.learn(try peer(1), via: 1, at: at(0))
        routes.learn(try peer(2), via: 2, at: at(0))
        routes.lost(1)
        routes.lost(3)
        #expect(routes.next(to: try peer(1), at: at(0)) == nil)
        #expect(routes.next(to: try peer(2), at: at(0)) == 2)
        #expect(routes.count == 1)
    }

    @Test mutating func whatAProbeFoundOutStandsForAMinute() throws {
        let bob = try peer(1)
        routes.prove(bob, via: 1, at: at(0))
        routes.learn(bob, via: 2, at: at(59))
        #expect(routes.next(to: bob, at: at(59)) == 1)
        routes.learn(bob, via: 2, at: at(60))
        #expect(routes.next(to: bob, at: at(60)) == 2)
        routes.doubt(bob, at: at(61))
        routes.learn(bob, via: 2, at: at(120))
        #expect(routes.next(to: bob, at: at(120)) == nil)
        routes.prove(bob, via: 3, at: at(120))
        #expect(routes.next(to: bob, at: at(120)) == 3)
    }

    @Test mutating func whatWasNotKnownIsNotDoubted() throws {
        routes.doubt(try peer(1), at: at(0))
        #expect(routes.count == 0)
    }

    @Test mutating func aNeighbourThatMakesPeersUpCannotTakeEveryPlace() throws {
        for number in 0..<MeshLimit.routesMax + 10 { routes.learn(try peer(number), via: 1, at: at(0)) }
        #expect(routes.count == MeshLimit.routesMax)
        #expect(routes.next(to: try peer(MeshLimit.routesMax), at: at(0)) == nil)
        for number in 5_000..<5_003 { routes.learn(try peer(number), via: 2, at: at(0)) }
        #expect(routes.count == MeshLimit.routesMax)
        for number in 5_000..<5_003 { #expect(routes.next(to: try peer(number), at: at(0)) == 2) }
        // The newest of the many gave way.
        for number in [0, MeshLimit.routesMax - 4] { #expect(routes.next(to: try peer(number), at: at(0)) == 1) }
        for number in MeshLimit.routesMax - 3..<MeshLimit.routesMax {
            #expect(routes.next(to: try peer(number), at: at(0)) == nil)
        }
    }

    @Test mutating func whatHasAgedGivesWayFirst() throws {
        for number in 0..<MeshLimit.routesMax { routes.learn(try peer(number), via: 1, at: at(0)) }
        routes.learn(try peer(0), via: 1, at: at(100))
        routes.learn(try peer(9_000), via: 1, at: at(150))
        #expect(routes.count == 2)
        #expect(routes.next(to: try peer(0), at: at(150)) == 1)
        #expect(routes.next(to: try peer(9_000), at: at(150)) == 1)
        routes.lost(1)
        #expect(routes.count == 0)
    }
}
