import LatticeCore
import LatticeMesh
import Testing

@testable import LatticeNode

/// What is sent to a neighbour because it asks for it is measured in bytes.
@Suite struct ServingTests {
    private static func peer(_ byte: UInt8) throws -> PeerID {
        PeerID(try #require(Bytes32([UInt8](repeating: byte, count: 32))))
    }

    /// KiB sent within this time if the asker wants as much as it gets.
    private func sent(seconds: Int, portion: Int, _ served: inout Serving, to peer: PeerID) -> Int {
        var (now, kib) = (Instant.zero, 0)
        let end = now.advanced(by: .seconds(seconds))
        while now < end {
            if let time = served.waitsUntil(peer, at: now) {
                now = time
            } else {
                served.sent(10, bytes: portion << 10, to: LinkID(rawValue: 1), of: peer, at: now)
                kib += portion
            }
        }
        return kib
    }

    @Test func whoFetchesEverythingAgainAndAgainGetsNoMoreThanTheRate() throws {
        var served = Serving()
        let peer = try Self.peer(1)
        let kib = sent(seconds: 10, portion: 128, &served, to: peer)
        let most = Int(MeshLimit.served.burst) + 10 * 8_192 + 128
        #expect(kib <= most && kib >= most * 9 / 10)
        #expect(served.waitsUntil(peer, at: .zero) != nil)
        #expect(served.waitsUntil(try Self.peer(2), at: .zero) == nil)
    }

    @Test func whoComesBackOnAnotherLinkFindsItsAccountAsItWas() throws {
        var served = Serving()
        let peer = try Self.peer(1)
        served.sent(1, bytes: Int(MeshLimit.served.burst) << 10, to: LinkID(rawValue: 1), of: peer, at: .zero)
        served[LinkID(rawValue: 1)] = nil
        #expect(served.waitsUntil(peer, at: .zero) != nil)
    }

    @Test func howeverManyNeighboursThereWereFewAccountsAreKept() throws {
        var served = Serving()
        let first = try Self.peer(0)
        served.sent(1, bytes: Int(MeshLimit.served.burst) << 10, to: LinkID(rawValue: 1), of: first, at: .zero)
        for number in 0..<Serving.accountsMax {
            var bytes = [UInt8](repeating: 7, count: 32)
            (bytes[0], bytes[1]) = (UInt8(number & 255), UInt8(number >> 8))
            served.sent(1, bytes: 1, to: LinkID(rawValue: 2), of: PeerID(try #require(Bytes32(bytes))), at: .zero)
        }
        #expect(served.waitsUntil(first, at: .zero) == nil)
    }
}
