import LatticeCore
import LatticeWire
import Testing

@testable import LatticeLink

/// The datagrams of a link: which are dropped, and when they go.
struct DatagramQueueTests {
    private let start = ContinuousClock.now
    private let mine = DatagramSource(giver: nil, origin: peer(1))

    private static func peer(_ rank: UInt8) -> PeerID {
        guard let key = Bytes32([UInt8](repeating: rank, count: 32)) else { preconditionFailure("32 bytes") }
        return PeerID(key)
    }

    private func relayed(by giver: UInt8, from origin: UInt8) -> DatagramSource {
        DatagramSource(giver: Self.peer(giver), origin: Self.peer(origin))
    }

    private func datagram(_ number: UInt64, bytes: Int = 10, age: UInt32 = 0) -> DatagramFrame {
        DatagramFrame(
            route: nil, sequence: number, ageMilliseconds: age, octets: [UInt8](repeating: 0, count: bytes))
    }

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant {
        start.advanced(by: .milliseconds(milliseconds))
    }

    private func numbers(_ frames: [[UInt8]]) throws -> [UInt64] {
        try Frame.decode(message: Array(frames.joined())[...]).map { frame in
            guard case .datagram(let datagram) = frame else { throw WireError.truncated(field: "datagram") }
            return datagram.sequence
        }
    }

    private func queue() -> OutboundQueue {
        OutboundQueue(bytesMax: 100_000, framesMax: 1_000, batchBytesMax: 10_000, piecesMax: 8)
    }

    @Test func oneSourceHasHalfAndLosesItsOldest() throws {
        var queue = DatagramQueue()
        let dropped = (0..<40).map { queue.push(datagram($0), from: mine, at: start) }
        #expect(dropped == Array(repeating: 0, count: 32) + Array(repeating: 1, count: 8))
        #expect(try numbers(queue.take(at: start).frames) == Array(8..<40))
    }

    @Test func halfIs32KiBToo() throws {
        var queue = DatagramQueue()
        let dropped = (0..<5).map { queue.push(datagram($0, bytes: 8_192), from: mine, at: start) }
        // Three and their heads fit 32 KiB, four do not.
        #expect(dropped == [0, 0, 0, 1, 1])
        #expect(queue.count == 3)
    }

    @Test func ofAFullQueueTheLoudestLosesItsOldest() throws {
        var queue = DatagramQueue()
        for number in 0..<32 { #expect(queue.push(datagram(UInt64(number)), from: mine, at: start) == 0) }
        for number in 100..<131 {
            #expect(queue.push(datagram(UInt64(number), bytes: 2), from: relayed(by: 2, from: 3), at: start) == 0)
        }
        #expect(queue.push(datagram(200, bytes: 1), from: relayed(by: 4, from: 5), at: start) == 0)
        // The 65th.
        #expect(queue.push(datagram(201, bytes: 1), from: relayed(by: 4, from: 6), at: start) == 1)
        #expect(try numbers(queue.take(at: start).frames) == Array(1..<32) + Array(100..<131) + [200, 201])
    }

    @Test func manyShortOnesAreAsLoudAsAFewLongOnes() throws {
        var queue = DatagramQueue()
        // Two neighbours hold all places with little.
        for number in 0..<64 as Range<UInt64> {
            #expect(queue.push(datagram(number), from: relayed(by: 2 + UInt8(number / 32), from: 9), at: start) == 0)
        }
        for number in 100..<104 as Range<UInt64> {
            #expect(queue.push(datagram(number, bytes: 4_096), from: mine, at: start) == 1)
        }
        let left = try numbers(queue.take(at: start).frames) + numbers(queue.take(at: start).frames)
        #expect(Set(100..<104).isSubset(of: left))
    }

    @Test func aNeighbourThatNamesManyOriginsHasHalfOfAll() throws {
        var queue = DatagramQueue()
        for number in 0..<20 { #expect(queue.push(datagram(UInt64(number)), from: mine, at: start) == 0) }
        var dropped = 0
        for number in 100..<200 as Range<UInt8> {
            dropped += queue.push(datagram(UInt64(number)), from: relayed(by: 2, from: number), at: start)
        }
        #expect(dropped == 68)
        #expect(try numbers(queue.take(at: start).frames).filter { $0 < 20 } == Array(0..<20))
    }

    @Test func whatWaitedForTooLongIsDroppedAndTheRestIsOlder() throws {
        var queue = DatagramQueue()
        _ = queue.push(datagram(1), from: mine, at: start)
        _ = queue.push(datagram(2, age: 200), from: relayed(by: 2, from: 3), at: time(201))
        _ = queue.push(datagram(3), from: mine, at: time(300))
        let (frames, tally) = queue.take(at: time(501))
        #expect(tally == DatagramTally(sent: 1, relayed: 1, old: 1))
        let ages = try Frame.decode(message: Array(frames.joined())[...]).map { frame -> UInt32? in
            if case .datagram(let datagram) = frame { datagram.ageMilliseconds } else { nil }
        }
        #expect(ages == [500, 201])
        #expect(queue.isEmpty)
    }

    @Test func aTurnIsAbout16KiB() {
        var queue = DatagramQueue()
        for number in 0..<3 as Range<UInt64> { _ = queue.push(datagram(number, bytes: 8_100), from: mine, at: start) }
        #expect(queue.take(at: start).frames.count == 3)
        for number in 0..<3 as Range<UInt64> { _ = queue.push(datagram(number, bytes: 8_192), from: mine, at: start) }
        #expect(queue.take(at: start).frames.count == 2)
        #expect(queue.take(at: start).frames.count == 1)
    }

    @Test func nothingOvertakesAFence() {
        let queue = queue()
        #expect(queue.push([1], .fence) && queue.push([2], .urgent))
        #expect(queue.pushDatagram(datagram(1), from: mine, at: start) == 0)
        #expect(!queue.hasDatagrams)
        #expect(queue.take() == .speech([[1], [2]]))
        #expect(queue.hasDatagrams)
        #expect(queue.push([3], .urgent))
        #expect(queue.hasDatagrams)
        #expect(queue.takeDatagrams(at: start).frames.count == 1)
        #expect(!queue.hasDatagrams && queue.take() == .speech([[3]]))
    }

    @Test func aPieceGoesAfterFourTurnsOfDatagramsWithoutSpeech() {
        let queue = queue()
        #expect(queue.pushPiece([1]) && queue.pushPiece([2]))
        var order: [Int] = []
        for number in 0..<24 as Range<UInt64> {
            #expect(queue.pushDatagram(datagram(number, bytes: 8_192), from: mine, at: start) == 0)
            order.append(queue.takeDatagrams(at: start).frames.count)
            if case .piece(let piece) = queue.take() { order.append(-Int(piece.frame[0])) }
        }
        // Eight of 8 KiB are four turns of 16 KiB.
        let turn = Array(repeating: 1, count: 8)
        #expect(order == turn + [-1] + turn + [-2] + turn)
        // Those without pieces behind them count for none.
        #expect(queue.pushPiece([3]))
        #expect(queue.take() == nil)
    }

    @Test func theyTakeNoneOfTheLimitsOfSpeechAndEndWithTheLink() {
        let queue = queue()
        #expect(queue.pushDatagram(datagram(1), from: mine, at: start) == 0)
        #expect(queue.waitingBytes == 0 && queue.take() == nil)
        queue.finish(last: [9])
        #expect(queue.takeEndedDatagrams() == 1 && queue.takeEndedDatagrams() == 0)
        #expect(queue.pushDatagram(datagram(2), from: mine, at: start) == nil)
        #expect(!queue.hasDatagrams && queue.takeDatagrams(at: start).frames.isEmpty)
        #expect(queue.take() == .speech([[9]]))
    }
}
