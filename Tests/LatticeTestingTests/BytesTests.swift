import NIOCore
import Testing

@testable import LatticeTesting

/// When bytes leave one end of a connection, and when they arrive at the other.
@Suite struct BytesTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func write(_ count: Int) -> OutgoingBytes.Write {
        OutgoingBytes.Write(bytes: ByteBuffer(repeating: 7, count: count), written: nil)
    }

    /// Takes all that leaves now.
    private func leaving(
        _ bytes: inout OutgoingBytes, at now: NIODeadline, latency: TimeAmount = .zero
    ) -> (arrivals: [NIODeadline], then: NIODeadline?) {
        var arrivals: [NIODeadline] = []
        while true {
            switch bytes.next(at: now, latency: { latency }) {
            case .leaves(_, let arrival): arrivals.append(arrival)
            case .waits(let time): return (arrivals, time)
            case .nothing: return (arrivals, nil)
            }
        }
    }

    @Test func nothingLeavesBeforeItIsFlushed() {
        var bytes = OutgoingBytes(bytesPerSecond: nil)
        bytes.add(write(3))
        #expect(leaving(&bytes, at: start).arrivals.isEmpty)
        #expect(bytes.waitingBytes == 3)
        bytes.flush()
        bytes.add(write(4))
        #expect(leaving(&bytes, at: start).arrivals == [start])
        #expect(bytes.waitingBytes == 4)
    }

    @Test func aShorterLatencyOvertakesNothing() {
        var bytes = OutgoingBytes(bytesPerSecond: nil)
        bytes.add(write(1))
        bytes.flush()
        #expect(leaving(&bytes, at: start, latency: .seconds(5)).arrivals == [start + .seconds(5)])
        bytes.add(write(1))
        bytes.flush()
        #expect(leaving(&bytes, at: start + .seconds(1)).arrivals == [start + .seconds(5)])
        #expect(bytes.end(at: start + .seconds(2), latency: { .seconds(1) }) == start + .seconds(5))
        #expect(bytes.end(at: start + .seconds(9), latency: { .seconds(1) }) == start + .seconds(10))
    }

    @Test func aFullLineMakesTheNextBytesWait() {
        var bytes = OutgoingBytes(bytesPerSecond: 1_000)
        for count in [500, 250, 0] {
            bytes.add(write(count))
            bytes.flush()
        }
        let first = leaving(&bytes, at: start, latency: .seconds(1))
        #expect(first.arrivals == [start + .milliseconds(1_500)] && first.then == start + .milliseconds(500))
        let second = leaving(&bytes, at: start + .milliseconds(500))
        #expect(second.arrivals == [start + .milliseconds(1_500)] && second.then == start + .milliseconds(750))
        let empty = leaving(&bytes, at: start + .milliseconds(750))
        #expect(empty.arrivals == [start + .milliseconds(750)] && empty.then == nil)
    }

    @Test func aReaderThatDoesNotReadStopsTheWriter() {
        var bytes = OutgoingBytes(bytesPerSecond: nil)
        let count = OutgoingBytes.unreadBytesMax / 4
        for _ in 0..<6 { bytes.add(write(count)) }
        bytes.flush()
        #expect(leaving(&bytes, at: start).arrivals.count == 4)
        #expect(bytes.waitingBytes == 2 * count)
        bytes.wereRead(count)
        #expect(leaving(&bytes, at: start).arrivals.count == 1)
        #expect(bytes.drop().count == 1)
        #expect(bytes.waitingBytes == 0)
    }

    @Test func whatIsOnItsWayIsTakenWhenItIsDue() {
        var bytes = IncomingBytes()
        bytes.add(.bytes(ByteBuffer(string: "a")), due: start)
        bytes.add(.end, due: start + .seconds(1))
        #expect(bytes.due == start)
        guard case .bytes? = bytes.take(at: start) else { return #expect(Bool(false), "the first is due") }
        #expect(bytes.take(at: start) == nil)
        #expect(bytes.due == start + .seconds(1))
        guard case .end? = bytes.take(at: start + .seconds(1)) else { return #expect(Bool(false), "so is the end") }
        #expect(bytes.due == nil)
    }

    @Test func optionsThatNoSocketNeedsAreAccepted() throws {
        var options = InMemoryOptions(autoRead: false)
        try options.set(.autoRead, true)
        try options.set(.allowRemoteHalfClosure, true)
        try options.set(.socketOption(.tcp_nodelay), 1)
        try options.set(.writeBufferWaterMark, .init(low: 1, high: 2))
        #expect(options.autoRead && options.allowsHalfClosure && options.waterMark.high == 2)
        #expect(try options.get(.bufferedWritableBytes, waitingBytes: 9) == 9)
        #expect(throws: ChannelError.self) { try options.set(.maxMessagesPerRead, 1) }
        #expect(throws: ChannelError.self) { try options.get(.maxMessagesPerRead, waitingBytes: 0) }
    }
}
