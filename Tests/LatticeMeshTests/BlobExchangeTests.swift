import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// Blobs between neighbours and over relays, with peers that lie.
@Suite struct BlobExchangeTests {
    private static func link(_ number: Int) -> LinkID { LinkID(rawValue: UInt64(number)) }

    private static let minute = Instant(nanoseconds: 60_000_000_000)

    @Test(arguments: [0, 1, 32_768, 32_769, 3_000_000, 40_000_000] as [Int64])
    func aBlobOfEverySizeComesFromANeighbour(size: Int64) throws {
        var world = BlobWorld(2)
        let name = try BlobWorld.blob(1, size: size)
        world.keep(name, at: 0)
        world.link(0, 1, as: 1)
        world.want(name, at: 1, from: 1)
        world.run(until: Self.minute)
        #expect(world.peers[1].completed == [name])
        #expect(world.peers[1].bytesIn == BlobShape(name).pieceCount * BlobShape.leafBytes)
        #expect(world.peers.allSatisfy { $0.exchange.isIdle })
    }

    @Test func severalSourcesShareTheWork() throws {
        var world = BlobWorld(5)
        let name = try BlobWorld.blob(1, size: 64 << 20)
        for giver in 1...4 {
            world.keep(name, at: giver)
            world.link(0, giver, as: Self.link(giver))
        }
        world.want(name, at: 0)
        world.run(until: Self.minute)
        #expect(world.peers[0].completed == [name])
        // Near the end a few come twice.
        let pieces = BlobShape(name).pieceCount
        #expect(world.peers[0].bytesIn <= (pieces + 32) * BlobShape.leafBytes)
    }

    @Test func whatEachHasAPartOfIsPutTogether() throws {
        var world = BlobWorld(3)
        let name = try BlobWorld.blob(1, size: 20_000_000)
        let pieces = BlobShape(name).pieceCount
        world.keep(name, at: 1, 0..<pieces / 2)
        world.keep(name, at: 2, pieces / 2..<pieces)
        for giver in [1, 2] { world.link(0, giver, as: Self.link(giver)) }
        world.want(name, at: 0)
        world.run(until: Self.minute)
        #expect(world.peers[0].completed == [name])
    }

    @Test func aBlobComesOverTwoRelaysWhichKeepWhatPasses() throws {
        var world = BlobWorld(4)
        let name = try BlobWorld.blob(1, size: 5_000_000)
        world.keep(name, at: 0)
        for rank in 0..<3 { world.link(rank, rank + 1, as: Self.link(rank + 1)) }
        world.want(name, at: 3)
        world.run(until: Self.minute)
        #expect(world.peers[3].completed == [name])
        #expect(world.peers[1].kept[name]?.isComplete == true && world.peers[2].kept[name]?.isComplete == true)
        #expect(world.peers[2].bytesIn == BlobShape(name).pieceCount * BlobShape.leafBytes)
    }

    @Test func overMoreThanThreeLinksNobodyIsFound() throws {
        var world = BlobWorld(5)
        let name = try BlobWorld.blob(1, size: 5_000)
        world.keep(name, at: 0)
        for rank in 0..<4 { world.link(rank, rank + 1, as: Self.link(rank + 1)) }
        world.want(name, at: 4)
        world.run(until: Self.minute)
        #expect(world.peers[4].completed.isEmpty)
        #expect(world.peers[4].nobodyHas == [name])
    }

    /// In a mesh where all are linked, each forwards a question at most once in five seconds.
    @Test func aSeekIsForwardedOncePerPeer() throws {
        let count = 12
        var world = BlobWorld(count)
        let name = try BlobWorld.blob(1, size: 5_000)
        var linkCount = 0
        for first in 0..<count {
            for second in first + 1..<count {
                linkCount += 1
                world.link(first, second, as: Self.link(linkCount))
            }
        }
        world.want(name, at: 0)
        world.run(until: Instant(nanoseconds: 4_000_000_000))
        // Four rounds of my own, and one of each of the others.
        #expect(world.opens <= 4 * (count - 1) + (count - 1) * (count - 1))
        #expect(world.peers[0].nobodyHas == [name])
    }

    @Test func whatComesLaterIsFoundByAskingAgain() throws {
        var world = BlobWorld(2)
        let name = try BlobWorld.blob(1, size: 100_000)
        world.link(0, 1, as: 1)
        world.want(name, at: 1)
        world.run(until: Instant(nanoseconds: 5_000_000_000))
        #expect(world.peers[1].nobodyHas == [name])
        world.keep(name, at: 0)
        world.run(until: Self.minute)
        #expect(world.peers[1].completed == [name])
    }

    @Test func aNewLinkIsAskedAtOnce() throws {
        var world = BlobWorld(2)
        let name = try BlobWorld.blob(1, size: 100_000)
        world.keep(name, at: 0)
        world.want(name, at: 1)
        world.run(until: Instant(nanoseconds: 5_000_000_000))
        world.link(0, 1, as: 1)
        world.run(until: Instant(nanoseconds: 6_000_000_000))
        #expect(world.peers[1].completed == [name])
    }

    @Test func whatWasFetchedBeforeALinkBrokeIsNotFetchedAgain() throws {
        var world = BlobWorld(2)
        let name = try BlobWorld.blob(1, size: 30_000_000)
        world.keep(name, at: 0)
        world.link(0, 1, as: 1)
        world.want(name, at: 1)
        world.run(until: Instant(nanoseconds: 200_000_000))
        let half = world.peers[1].kept[name]?.count ?? 0
        let pieces = BlobShape(name).pieceCount
        #expect(half > 0 && half < pieces)
        world.cut(1)
        world.link(0, 1, as: 2)
        world.run(until: Self.minute)
        #expect(world.peers[1].completed == [name])
        #expect(world.peers[1].bytesIn <= (pieces + BlobPace().window * 32) * BlobShape.leafBytes)
    }

    @Test func severalBlobsComeOverOneLink() throws {
        var world = BlobWorld(2)
        let names = try (1...5).map { try BlobWorld.blob(UInt64($0), size: 20_000_000) }
        for name in names { world.keep(name, at: 0) }
        world.link(0, 1, as: 1)
        for name in names { world.want(name, at: 1) }
        world.run(until: Self.minute)
        #expect(Set(world.peers[1].completed) == Set(names))
    }

    /// A neighbour with a part of it does not keep the one behind another neighbour from being found.
    @Test func theRestIsFoundBehindARelay() throws {
        var world = BlobWorld(4)
        let name = try BlobWorld.blob(1, size: 3_000_000)
        world.keep(name, at: 1, 0..<40)
        world.keep(name, at: 3)
        world.link(0, 1, as: 1)
        world.link(0, 2, as: 2)
        world.link(2, 3, as: 3)
        world.want(name, at: 0)
        world.run(until: Self.minute)
        #expect(world.peers[0].completed == [name])
    }

    @Test func whenTheOnlySourceLeavesItIsLookedForAgain() throws {
        var world = BlobWorld(4)
        let name = try BlobWorld.blob(1, size: 30_000_000)
        for giver in [1, 3] { world.keep(name, at: giver) }
        world.link(0, 1, as: 1)
        world.link(0, 2, as: 2)
        world.link(2, 3, as: 3)
        world.want(name, at: 0)
        world.run(until: Instant(nanoseconds: 100_000_000))
        #expect(world.peers[0].completed.isEmpty)
        world.cut(1)
        world.run(until: Self.minute)
        #expect(world.peers[0].completed == [name])
    }

    @Test func whatPassesByIsFetchedWholeIfAPersonWantsIt() throws {
        var world = BlobWorld(3)
        let name = try BlobWorld.blob(1, size: 30_000_000)
        world.keep(name, at: 0)
        world.link(0, 1, as: 1)
        world.link(1, 2, as: 2)
        world.want(name, at: 2)
        world.run(until: Instant(nanoseconds: 200_000_000))
        world.want(name, at: 1)
        world.cut(2)
        world.run(until: Self.minute)
        #expect(world.peers[1].completed == [name])
        #expect(world.peers.allSatisfy { $0.exchange.nextDeadline == nil || $0.exchange.isIdle == false })
    }

    /// A relay with a part of it looks for the rest.
    @Test func aRelayThatWasRestartedFetchesOn() throws {
        var world = BlobWorld(3)
        let name = try BlobWorld.blob(1, size: 10_000_000)
        world.keep(name, at: 0)
        world.keep(name, at: 1, 0..<100)
        world.link(0, 1, as: 1)
        world.link(1, 2, as: 2)
        world.want(name, at: 2)
        world.run(until: Self.minute)
        #expect(world.peers[2].completed == [name])
        #expect(world.peers[1].bytesIn == (BlobShape(name).pieceCount - 100) * BlobShape.leafBytes)
    }

    /// Pieces that could not be read are named in any order.
    @Test func piecesThatCannotBeReadAreDeclined() throws {
        var exchange = BlobExchange(seed: 1)
        let name = try BlobWorld.blob(1, size: 3_000_000)
        _ = exchange.handle(.linkOpened(1, PeerID(Bytes32(words: (1, 0, 0, 0)))), at: .zero)
        let open = Frame.want(Want(ask: 1, .open(name, hops: 0, .none)))
        _ = exchange.handle(.received(open, on: 1), at: .zero)
        let effects = exchange.handle(.gave(name, ask: 1, count: 0, missing: [9, 3, 3], to: 1), at: .zero)
        let declined = Frame.absent(Absent(ask: 1, .notHere, pieces: PieceRanges(asking: [3, 9])))
        #expect(effects == [.send(declined, to: 1)])
        #expect(try Frame.decode(message: declined.bytes[...]) == [declined])
    }

    // MARK: - Peers that lie

    @Test func aWrongPieceIsNeitherKeptNorPassedOn() throws {
        var world = BlobWorld(3)
        let name = try BlobWorld.blob(1, size: 10_000_000)
        for giver in [1, 2] {
            world.keep(name, at: giver)
            world.link(0, giver, as: Self.link(giver))
        }
        world.change(1) { $0.lie = .wrongPieces }
        world.want(name, at: 0, from: 1)
        world.run(until: Self.minute)
        #expect(world.peers[0].completed == [name])
        #expect(world.peers[0].falseIn > 0 && world.peers[0].falseIn <= 100)
        #expect(!world.peers[1].rechecked.isEmpty)
    }

    @Test func aLiarIsShunnedAfterThreeWrongPieces() throws {
        var world = BlobWorld(2)
        world.change(0) { $0.lie = .wrongPieces }
        world.link(0, 1, as: 1)
        let names = try (1...50).map { try BlobWorld.blob(UInt64($0), size: 1_000) }
        for name in names {
            world.keep(name, at: 0)
            world.want(name, at: 1)
            world.run(until: world.now.advanced(by: .seconds(1)))
        }
        #expect(world.peers[1].falseIn == BlobLimit.wrongMax)
        #expect(world.peers[1].exchange.isShunned(world.id(0), at: world.now))
    }

    @Test func aFalseHolderHoldsUpNothingThatAnotherHas() throws {
        var world = BlobWorld(3)
        let name = try BlobWorld.blob(1, size: 10_000_000)
        world.change(1) { $0.lie = .silent }
        world.keep(name, at: 2)
        for giver in [1, 2] { world.link(0, giver, as: Self.link(giver)) }
        world.want(name, at: 0, from: 1)
        world.run(until: Instant(nanoseconds: 12_000_000_000))
        #expect(world.peers[0].completed == [name])
    }

    @Test func aFalseSizeBlamesNobody() throws {
        var world = BlobWorld(2)
        world.keep(try BlobWorld.blob(1, size: 5_000), at: 0)
        world.link(0, 1, as: 1)
        let name = try BlobWorld.blob(1, size: 6_000)
        world.want(name, at: 1)
        world.run(until: Instant(nanoseconds: 5_000_000_000))
        #expect(world.peers[1].nobodyHas == [name])
        #expect(!world.peers[1].exchange.isShunned(world.id(0), at: world.now))
    }

    @Test func aFullDiskPausesAndLosesNothing() throws {
        var world = BlobWorld(2)
        let name = try BlobWorld.blob(1, size: 1_000_000)
        world.keep(name, at: 0)
        world.link(0, 1, as: 1)
        world.change(1) { $0.isDiskFull = true }
        world.want(name, at: 1)
        world.run(until: Self.minute)
        #expect(world.peers[1].completed.isEmpty)
        // A few seconds at first, then half a minute between attempts.
        #expect(world.peers[1].bytesIn <= 20 * 31 * BlobShape.leafBytes)
        world.change(1) { $0.isDiskFull = false }
        world.run(until: Instant(nanoseconds: 120_000_000_000))
        #expect(world.peers[1].completed == [name])
    }

    // MARK: - Limits

    @Test func tooManyAsksAndPiecesAreDeclined() throws {
        var exchange = BlobExchange(seed: 1)
        _ = exchange.handle(.linkOpened(1, PeerID(Bytes32(words: (1, 0, 0, 0)))), at: .zero)
        for number in 1...UInt32(BlobLimit.asksMax) {
            let name = try BlobWorld.blob(UInt64(number), size: 40_000_000)
            let want = Want(ask: number, .open(name, hops: 0, PieceRanges(asking: 0..<256)))
            let effects = exchange.handle(.received(.want(want), on: 1), at: .zero)
            let declined = effects.contains { if case .send(.absent, _) = $0 { true } else { false } }
            #expect(declined == (number > 4), "1,024 pieces wait at most")
        }
        let name = try BlobWorld.blob(99, size: 1)
        let more = Frame.want(Want(ask: 65, .open(name, hops: 0, .none)))
        #expect(
            exchange.handle(.received(more, on: 1), at: .zero) == [.send(.absent(Absent(ask: 65, .tooManyAsks)), to: 1)]
        )
        // An old number is ignored. A `more` for an unknown ask is declined.
        #expect(exchange.handle(.received(more, on: 1), at: .zero) == [])
        let unknown = Frame.want(Want(ask: 700, .more(PieceRanges(asking: [1]))))
        #expect(
            exchange.handle(.received(unknown, on: 1), at: .zero) == [
                .send(.absent(Absent(ask: 700, .noSuchAsk)), to: 1)
            ])
    }

    @Test func piecesThatNobodyAskedForAreNotChecked() throws {
        var exchange = BlobExchange(seed: 1)
        let peer = PeerID(Bytes32(words: (1, 0, 0, 0)))
        _ = exchange.handle(.linkOpened(1, peer), at: .zero)
        for number in 0..<100 {
            #expect(exchange.handle(.pieceCame(ask: 1, number: number, on: 1), at: .zero) == [])
        }
        #expect(exchange.isShunned(peer, at: .zero))
    }

    @Test func accusationsAreLimited() throws {
        var world = BlobWorld(2)
        let name = try BlobWorld.blob(1, size: 1_000_000)
        world.keep(name, at: 0)
        world.link(0, 1, as: 1)
        world.send(.want(Want(ask: 1, .open(name, hops: 0, .none))), to: 0, on: 1)
        for number in 0..<30 { world.send(.want(Want(ask: 1, .wrong(number))), to: 0, on: 1) }
        world.send(.want(Want(ask: 1, .wrong(1_000))), to: 0, on: 1)
        world.run(until: Instant(nanoseconds: 1_000_000))
        #expect(world.peers[0].rechecked == Array(0..<8))
    }
}
