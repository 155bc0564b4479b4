import LatticeCore
import LatticeWire
import Synchronization
import Testing

@testable import LatticeLink

/// Pieces beside lines, over real sockets.
@Suite(.timeLimit(.minutes(10)))
struct BulkTests {
    /// Records of the length of a piece.
    private func pieces(_ count: Int) -> [Frame] { (0..<count).map { line($0, bytes: 32_600) } }

    private static func isPiece(_ frame: Frame) -> Bool { frame.bytes.count > 32_000 }

    private static func small() -> LinkLimits {
        var limits = LinkLimits()
        limits.queueBytesMax = 64 << 10
        limits.batchBytesMax = 4 << 10
        limits.rekeyInterval = .zero
        return limits
    }

    @Test(arguments: [LinkLimits(), small()])
    func piecesAndLinesArriveInOrderAtASlowReader(_ limits: LinkLimits) async throws {
        let (alice, bob) = (try await Station("alice", limits), try await Station("bob"))
        let (pieces, lines) = (pieces(300), (0..<3_000).map { line($0, bytes: $0 % 10 == 0 ? 20_000 : 100) })
        alice.owner.offer(pieces)
        try await serving(alice, bob) {
            bob.owner.hold()
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            async let isSent = mine.sendAll(lines)
            try await until("all arrive") {
                // It takes one delivery at a time.
                bob.owner.release()
                bob.owner.hold()
                return bob.owner.frames(theirs).filter { $0 != .rekey }.count == pieces.count + lines.count
            }
            #expect(await isSent)
            let heard = bob.owner.frames(theirs).filter { $0 != .rekey }
            let isSame = heard.filter(Self.isPiece) == pieces && heard.filter { !Self.isPiece($0) } == lines
            #expect(isSame)
        }
    }

    @Test func piecesFlowBothWaysAtOnce() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        let pieces = pieces(500)
        for station in [alice, bob] { station.owner.offer(pieces) }
        try await serving(alice, bob) {
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            try await until("all arrive") {
                alice.owner.frames(mine).count == pieces.count && bob.owner.frames(theirs).count == pieces.count
            }
            let isSame = alice.owner.frames(mine) == pieces && bob.owner.frames(theirs) == pieces
            #expect(isSame)
        }
    }

    @Test func piecesArriveThoughDatagramsNeverEnd() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        let pieces = pieces(40)
        alice.owner.offer(pieces)
        let datagram = DatagramFrame(
            route: nil, sequence: 0, ageMilliseconds: 0, octets: [UInt8](repeating: 0, count: 8_192))
        let source = DatagramSource(giver: nil, origin: alice.peer)
        // The queue is never empty: there is a new one for each that is taken.
        alice.owner.onDatagrams { link in
            for _ in 0..<3 { _ = link.sendDatagram(datagram, from: source) }
        }
        try await serving(alice, bob) {
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            #expect(mine.sendDatagram(datagram, from: source) == 0)
            func came(_ isPiece: Bool) -> [Frame] {
                bob.owner.frames(theirs).filter { if case .record = $0 { isPiece } else { !isPiece } }
            }
            try await until("all pieces arrive") { came(true).count == pieces.count }
            alice.owner.onDatagrams { _ in }
            let isSame = came(true) == pieces
            #expect(isSame && !came(false).isEmpty)
        }
    }

    @Test func theOwnerLearnsOfRoomBelowFourPieces() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        // The link opens on the event loop, so all are queued before the first goes.
        alice.owner.offer(pieces(8))
        try await serving(alice, bob) {
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            try await until("all arrive") { bob.owner.frames(theirs).count == 8 }
            try await until("the last is reported") { alice.owner.bulkRooms >= 4 }
            #expect(mine.sendBulk(pieces(9)[8].bytes))
            try await until("one more arrives and is reported") {
                bob.owner.frames(theirs).count == 9 && alice.owner.bulkRooms > 4
            }
            #expect(alice.owner.bulkRooms == 5)
        }
    }

    @Test func piecesMakeNoLinkBusyAndAGoodbyeDropsThem() async throws {
        var limits = LinkLimits()
        limits.farewellTimeout = .seconds(86_400)
        let (alice, bob) = (try await Station("alice", limits), try await Station("bob"))
        // More than the sockets hold.
        let pieces = pieces(2_000)
        alice.owner.offer(pieces)
        try await serving(alice, bob) {
            bob.owner.hold()
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            try await until("some arrive") { bob.owner.heldCount == 1 }
            #expect(mine.waitingBytes == 0)
            await mine.drained(below: 0)
            #expect(mine.send(line(1).bytes))
            mine.close(Goodbye(.leaving, "off to lunch"))
            #expect(!mine.sendBulk(pieces[0].bytes))
            bob.owner.release()
            try await until("both ends are closed") {
                !bob.owner.closures(theirs).isEmpty && !alice.owner.closures(mine).isEmpty
            }
            #expect(bob.owner.closures(theirs) == [.goodbye(Goodbye(.leaving, "off to lunch"))])
            let heard = bob.owner.frames(theirs)
            let heardPieces = heard.filter(Self.isPiece)
            let isPrefix = heardPieces == Array(pieces.prefix(heardPieces.count))
            #expect(isPrefix && heard.filter { !Self.isPiece($0) } == [line(1)])
            // The pieces that were still queued were dropped.
            #expect(heardPieces.count < pieces.count - alice.owner.pieceCount)
        }
    }

    /// NIO would go on with tasks for ever.
    @Test func theLoopReadsWhilePiecesNeverEnd() async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob"))
        let isOver = Atomic(false)
        try await serving(alice, bob) {
            let mine = try await alice.link(with: bob)
            let theirs = try await alice.end(of: mine, at: bob)
            defer { isOver.store(true, ordering: .relaxed) }
            @Sendable func takeTurn() {
                guard !isOver.load(ordering: .relaxed) else { return }
                alice.turn.bulk.add(takeTurn)
            }
            takeTurn()
            #expect(theirs.send(line(1).bytes))
            try await until("it arrives") { alice.owner.frames(mine) == [line(1)] }
        }
    }
}
