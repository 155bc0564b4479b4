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
    private func sent(seconds: Int, portion: Int, _ supplies: inout Serving, to peer: PeerID) -> Int {
        var (now, kib) = (Instant.zero, 0)
        let end = now.advanced(by: .seconds(seconds))
        while now < end {
            if let time = supplies.waitsUntil(peer, at: now) {
                now = time
            } else {
                supplies.sent(10, bytes: portion << 10, to: LinkID(rawValue: 1), of: peer, at: now)
                kib += portion
            }
        }
        return kib
    }

    @Test func whoFetchesEverythingAgainAndAgainGetsNoMoreThanTheRate() throws {
        var supplies = Serving()
        let peer = try Self.peer(1)
        let kib = sent(seconds: 10, portion: 128, &supplies, to: peer)
        let most = Int(MeshLimit.supplies.burst) + 10 * 8_192 + 128
        #expect(kib <= most && kib >= most * 9 / 10)
        #expect(supplies.waitsUntil(peer, at: .zero) != nil)
        #expect(supplies.waitsUntil(try Self.peer(2), at: .zero) == nil)
    }

    @Test func whoComesBackOnAnotherLinkFindsItsAccountAsItWas() throws {
        var supplies = Serving()
        let peer = try Self.peer(1)
        supplies.sent(1, bytes: Int(MeshLimit.supplies.burst) << 10, to: LinkID(rawValue: 1), of: peer, at: .zero)
        supplies[LinkID(rawValue: 1)] = nil
        #expect(supplies.waitsUntil(peer, at: .zero) != nil)
    }

    @Test func howeverManyNeighboursThereWereFewAccountsAreKept() throws {
        var supplies = Serving()
        let first = try Self.peer(0)
        supplies.sent(1, bytes: Int(MeshLimit.supplies.burst) << 10, to: LinkID(rawValue: 1), of: first, at: .zero)
        for number in 0..<Serving.accountsMax {
            var bytes = [UInt8](repeating: 7, count: 32)
            (bytes[0], bytes[1]) = (UInt8(number & 255), UInt8(number >> 8))
            supplies.sent(1, bytes: 1, to: LinkID(rawValue: 2), of: PeerID(try #require(Bytes32(bytes))), at: .zero)
        }
        #expect(supplies.waitsUntil(first, at: .zero) == nil)
    }
}
