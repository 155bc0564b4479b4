import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@testable import LatticeNode

/// Private files that neighbours keep for somebody who is away.
@Suite struct FileOffersTests {
    private static let limits = FileOffers.Limits(
        fileBytes: 1 << 20, neighbours: 2, ownMax: 2, neighbourBytes: 2 << 20, bytes: 3 << 20)
    private static let start = Clocks.now

    private static func name(_ number: UInt64, bytes: Int64 = 1 << 20) throws -> BlobName {
        try #require(BlobName(root: Bytes32(words: (number, 0, 0, 1)), size: bytes))
    }

    private static func peer(_ number: UInt64) -> PeerID { PeerID(Bytes32(words: (0, 0, 0, number))) }

    private static func link(_ number: UInt64) -> (link: LinkID, peer: PeerID) {
        (LinkID(rawValue: number), peer(number))
    }

    @Test func aFewNeighboursAreAskedOnceEach() throws {
        var offers = FileOffers(Self.limits)
        let file = try Self.name(1)
        let isAdded = offers.add(file, for: Self.peer(9))
        #expect(isAdded)
        let first = offers.ask([Self.link(1)])
        #expect(first.map(\.name) == [file] && first.flatMap(\.links) == [Self.link(1).link])
        let second = offers.ask([Self.link(1), Self.link(2), Self.link(3)])
        #expect(second.flatMap(\.links) == [Self.link(2).link])
        let third = offers.ask([Self.link(4)])
        #expect(third.isEmpty)
    }

    @Test func nobodyKeepsWhatTheRecipientCanFetch() throws {
        var offers = FileOffers(Self.limits)
        let isAdded = offers.add(try Self.name(1), for: Self.peer(9))
        let asked = offers.ask([Self.link(1), Self.link(9)])
        #expect(isAdded && asked.isEmpty && !offers.areAny)
    }

    @Test func whatIsTooLargeOrTooMuchIsNotOffered() throws {
        var offers = FileOffers(Self.limits)
        let added = try [
            Self.name(1, bytes: 1 << 20 + 1), Self.name(2), Self.name(2), Self.name(3), Self.name(4),
        ].map { offers.add($0, for: Self.peer(9)) }
        #expect(added == [false, true, true, true, false])
    }

    @Test func aDayHasLimits() throws {
        var offers = FileOffers(Self.limits)
        func takes(_ number: UInt64, of peer: UInt64, at now: Instant = Self.start) throws -> Bool {
            offers.take(try Self.name(number), from: Self.peer(peer), at: now)
        }
        #expect(try takes(1, of: 1) && takes(2, of: 1) && !takes(3, of: 1))
        #expect(try takes(4, of: 2) && !takes(5, of: 2) && !takes(5, of: 3))
        #expect(try takes(5, of: 1, at: Self.start.advanced(by: .seconds(86_400))))
    }

    /// A flood of offers of nothing fills no table.
    @Test func smallFilesCountToo() throws {
        var offers = FileOffers(Self.limits)
        var count = 0
        for number in 0..<1_000 {
            let name = try Self.name(UInt64(number), bytes: 1)
            if offers.take(name, from: Self.peer(UInt64(number)), at: Self.start) { count += 1 }
        }
        #expect(count == 48)
    }
}
