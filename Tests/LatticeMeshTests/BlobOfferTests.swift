import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// Blobs that neighbours are asked to keep for others.
@Suite struct BlobOfferTests {
    private static func seconds(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    private static func peer(_ number: UInt64) -> PeerID { PeerID(Bytes32(words: (number, 0, 0, 0))) }

    private func exchange(links: Int) -> BlobExchange {
        var exchange = BlobExchange(seed: 1)
        for number in 1...UInt64(links) {
            _ = exchange.handle(.linkOpened(LinkID(rawValue: number), Self.peer(number)), at: .zero)
        }
        return exchange
    }

    private static func nothing(of name: BlobName) -> PieceSet { PieceSet(of: BlobShape(name).pieceCount) }

    @Test func anOfferIsSentOnceOnEachLinkAndRemembered() throws {
        var exchange = exchange(links: 3)
        let name = try BlobWorld.blob(1, size: 1_000)
        let frame = Frame.holds(.offer(name))
        #expect(exchange.handle(.offer(name, to: [1, 3, 7]), at: .zero) == [.send(frame, to: 1), .send(frame, to: 3)])
        #expect(exchange.handle(.offer(name, to: [1, 2]), at: .zero) == [.send(frame, to: 2)])
        #expect(exchange.wasOffered(name, on: 1) && !exchange.wasOffered(name, on: 7))
        _ = exchange.handle(.linkClosed(1), at: .zero)
        #expect(!exchange.wasOffered(name, on: 1))
    }

    /// Those of one sender are never too fast for an honest neighbour.
    @Test func manyOffersAreSentOneASecondAndAllAreHeard() throws {
        var (sender, receiver) = (exchange(links: 1), exchange(links: 1))
        let names = try (1...40).map { try BlobWorld.blob(UInt64($0), size: 1_000) }
        var heard: [BlobName] = []
        func hear(_ effects: [BlobExchange.Effect], at now: Instant) {
            for case .send(let frame, _) in effects {
                for case .offered(let name, 1) in receiver.handle(.received(frame, on: 1), at: now) {
                    heard.append(name)
                }
            }
        }
        for name in names { hear(sender.handle(.offer(name, to: [1]), at: .zero), at: .zero) }
        #expect(heard.count == 8)
        while let deadline = sender.nextDeadline { hear(sender.handle(.tick, at: deadline), at: deadline) }
        #expect(heard == names)
    }

    @Test func whatIsOfferedTooFastIsDroppedAndBlamesNobody() throws {
        var exchange = exchange(links: 1)
        var heardCount = 0
        for number in 1...100 {
            let frame = Frame.holds(.offer(try BlobWorld.blob(UInt64(number), size: 1_000)))
            heardCount += exchange.handle(.received(frame, on: 1), at: .zero).count
        }
        #expect(heardCount == 16)
        #expect(!exchange.isShunned(Self.peer(1), at: .zero))
        let late = try BlobWorld.blob(200, size: 1_000)
        let effects = exchange.handle(.received(.holds(.offer(late)), on: 1), at: Self.seconds(2))
        #expect(effects == [.offered(late, from: 1)])
    }

    @Test func onlyWhoOfferedItIsAskedForIt() throws {
        var world = BlobWorld(4)
        let name = try BlobWorld.blob(1, size: 5_000_000)
        for (rank, link) in [(0, 1), (2, 2), (3, 3)] { world.link(rank, 1, as: LinkID(rawValue: UInt64(link))) }
        for rank in [0, 2] { world.keep(name, at: rank) }
        world.change(1) { $0.takesOffers = true }
        world.offer(name, at: 0, to: [1])
        world.run(until: Self.seconds(30))
        #expect(world.peers[1].completed == [name])
        #expect(world.opens == 1)
    }

    /// The recipient comes when its sender is gone.
    @Test func whatWasOfferedIsGivenToOthersLater() throws {
        var world = BlobWorld(3)
        let name = try BlobWorld.blob(1, size: 5_000_000)
        world.keep(name, at: 0)
        world.link(0, 1, as: 1)
        world.change(1) { $0.takesOffers = true }
        world.offer(name, at: 0, to: [1])
        world.run(until: Self.seconds(30))
        world.cut(1)
        world.link(1, 2, as: 2)
        world.want(name, at: 2)
        world.run(until: Self.seconds(60))
        #expect(world.peers[2].completed == [name])
    }

    @Test func whatIsNotGivenAfterAnOfferIsDropped() throws {
        var exchange = exchange(links: 2)
        let name = try BlobWorld.blob(1, size: 5_000_000)
        _ = exchange.handle(.taken(name, have: Self.nothing(of: name), from: 1), at: .zero)
        _ = exchange.handle(.received(.holds(.have(ask: 1, away: 0, pieces: nil)), on: 1), at: .zero)
        _ = exchange.handle(.linkClosed(1), at: .zero)
        var effects: [BlobExchange.Effect] = []
        while let deadline = exchange.nextDeadline, deadline <= Self.seconds(200) {
            effects += exchange.handle(.tick, at: deadline)
        }
        #expect(effects == [.dropped(name)])
        #expect(exchange.isIdle)
    }

    /// Two neighbours think that the other one has it; what a third one has is found all the same.
    @Test func anOfferOfWhatIsNotThereKeepsNothingFromBeingFound() throws {
        var world = BlobWorld(3)
        let name = try BlobWorld.blob(1, size: 500_000)
        world.keep(name, at: 0)
        world.link(0, 1, as: 1)
        world.link(1, 2, as: 2)
        world.change(1) { $0.takesOffers = true }
        world.want(name, at: 2)
        world.send(.holds(.offer(name)), to: 1, on: 2)
        world.run(until: Self.seconds(30))
        #expect(world.peers[2].completed == [name])
    }

    @Test func anOfferThatNeverComesIsDropped() throws {
        var exchange = exchange(links: 1)
        let name = try BlobWorld.blob(1, size: 5_000_000)
        _ = exchange.handle(.taken(name, have: Self.nothing(of: name), from: 1), at: .zero)
        _ = exchange.handle(.received(.holds(.have(ask: 1, away: 0, pieces: PieceRanges.none)), on: 1), at: .zero)
        var effects: [BlobExchange.Effect] = []
        while let deadline = exchange.nextDeadline, deadline <= Self.seconds(200) {
            effects += exchange.handle(.tick, at: deadline)
        }
        #expect(effects.last == .dropped(name))
    }

    @Test func aPersonMayWantWhatWasOffered() throws {
        var world = BlobWorld(3)
        let name = try BlobWorld.blob(1, size: 5_000_000)
        world.keep(name, at: 2)
        world.link(0, 1, as: 1)
        world.link(1, 2, as: 2)
        world.change(1) { $0.takesOffers = true }
        // The one that offers it does not have it.
        world.send(.holds(.offer(name)), to: 1, on: 1)
        world.run(until: Self.seconds(1))
        world.want(name, at: 1)
        world.run(until: Self.seconds(30))
        #expect(world.peers[1].completed == [name])
    }

    @Test func noMoreAreKeptAtOnceThanThereAreSlots() throws {
        var exchange = exchange(links: 1)
        for number in 1...BlobLimit.keepingMax {
            let name = try BlobWorld.blob(UInt64(number), size: 5_000_000)
            let effects = exchange.handle(.taken(name, have: Self.nothing(of: name), from: 1), at: .zero)
            #expect(effects.count == 1 && !effects.contains(.dropped(name)))
        }
        let name = try BlobWorld.blob(1_000, size: 5_000_000)
        let effects = exchange.handle(.taken(name, have: Self.nothing(of: name), from: 1), at: .zero)
        #expect(effects == [.dropped(name)])
    }
}
