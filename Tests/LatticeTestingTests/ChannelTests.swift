import NIOCore
import NIOEmbedded
import Testing

@testable import LatticeTesting

/// One connection: what is read, what becomes of each write, and how it ends.
@Suite struct ChannelTests {
    private static let full = OutgoingBytes.unreadBytesMax

    private func latency(_ milliseconds: Int) -> InMemoryNetwork.Conditions {
        InMemoryNetwork.Conditions(latency: .milliseconds(milliseconds) ... .milliseconds(milliseconds))
    }

    // MARK: - Reading

    @Test func whatIsWrittenIsReadAtTheOtherEnd() throws {
        try Ends.with { ends in
            try ends.read()
            let fates = [ends.write(3, from: ends.near, flushes: false), ends.write(4, from: ends.near)]
            ends.loop.run()
            #expect(ends.farLog.take() == [.bytes(3), .bytes(4), .complete])
            #expect(fates.map(\.hasSucceeded) == [true, true])
            ends.write(5, from: ends.far)
            ends.loop.run()
            #expect(ends.nearLog.take() == [.bytes(5), .complete])
        }
    }

    @Test func withoutAutoReadEachReadDeliversOneItem() throws {
        try Ends.with { ends in
            for count in 1...3 { ends.write(count, from: ends.near) }
            ends.loop.run()
            #expect(ends.farLog.take().isEmpty)
            for count in 1...2 {
                ends.far.read()
                ends.loop.run()
                #expect(ends.farLog.take() == [.bytes(count), .complete])
            }
            try ends.far.syncOptions?.setOption(.autoRead, value: true)
            ends.loop.run()
            #expect(ends.farLog.take() == [.bytes(3), .complete])
        }
    }

    @Test func writabilityFallsAndRises() throws {
        try Ends.with { ends in
            ends.write(Self.full, from: ends.near)
            try ends.near.syncOptions?.setOption(.writeBufferWaterMark, value: .init(low: 10, high: 20))
            ends.write(20, from: ends.near)
            _ = ends.nearLog.take()
            #expect(ends.near.isWritable)
            let last = ends.write(1, from: ends.near)
            #expect(!ends.near.isWritable && ends.nearLog.take() == [.writable(false)])
            try ends.read()
            ends.loop.run()
            #expect(ends.near.isWritable && ends.nearLog.take() == [.writable(true)])
            #expect(last.hasSucceeded && ends.farLog.readBytes == Self.full + 21)
        }
    }

    // MARK: - Ends

    @Test func aCloseCompletesEachPromise() throws {
        try Ends.with { ends in
            let left = ends.write(Self.full, from: ends.near)
            let waiting = ends.write(1, from: ends.near)
            let unflushed = ends.write(1, from: ends.near, flushes: false)
            #expect(left.hasSucceeded && waiting.outcome == nil && unflushed.outcome == nil)
            #expect(ends.close(ends.near).hasSucceeded)
            #expect(waiting.error == .ioOnClosedChannel && unflushed.error == .ioOnClosedChannel)
            #expect(ends.write(1, from: ends.near).error == .ioOnClosedChannel)
            #expect(ends.close(ends.near).error == .alreadyClosed)
            #expect(throws: ChannelError.ioOnClosedChannel) {
                try ends.near.syncOptions?.setOption(.autoRead, value: true)
            }
            #expect(throws: ChannelError.ioOnClosedChannel) { try ends.near.syncOptions?.getOption(.autoRead) }
        }
    }

    @Test func theOtherEndReadsAllAndThenTheEnd() throws {
        try Ends.with { ends in
            try ends.read(halves: false)
            ends.write(3, from: ends.near)
            #expect(ends.close(ends.near).hasSucceeded)
            ends.loop.run()
            #expect(ends.farLog.take() == [.bytes(3), .complete, .inactive])
            #expect(!ends.far.isActive)
        }
    }

    @Test func aHalfClosesAfterWhatWasWritten() throws {
        try Ends.with { ends in
            ends.write(Self.full, from: ends.near)
            let waiting = ends.write(2, from: ends.near)
            let closing = ends.close(ends.near, .output)
            #expect(closing.outcome == nil)
            _ = ends.nearLog.take()
            #expect(ends.write(1, from: ends.near).error == .outputClosed)
            try ends.read()
            ends.loop.run()
            #expect(waiting.hasSucceeded && closing.hasSucceeded)
            #expect(ends.farLog.take() == [.bytes(Self.full), .complete, .bytes(2), .complete, .event(.inputClosed)])
            #expect(ends.nearLog.take() == [.event(.outputClosed)])
            #expect(ends.write(1, from: ends.near).error == .outputClosed)
            #expect(ends.close(ends.near, .output).error == .outputClosed)
            // The other half is open.
            ends.write(4, from: ends.far)
            ends.loop.run()
            #expect(ends.nearLog.take() == [.bytes(4), .complete])
        }
    }

    @Test func twoClosedHalvesAreAClosedConnection() throws {
        try Ends.with { ends in
            try ends.read()
            #expect(ends.close(ends.near, .output).hasSucceeded)
            ends.loop.run()
            #expect(ends.farLog.take() == [.event(.inputClosed)])
            #expect(ends.near.isActive && ends.far.isActive)
            #expect(ends.close(ends.far, .output).hasSucceeded)
            #expect(!ends.far.isActive && ends.farLog.take() == [.inactive])
            ends.loop.run()
            #expect(!ends.near.isActive && ends.nearLog.take() == [.event(.outputClosed), .inactive])
        }
    }

    @Test func aPeerThatClosesWithoutReadingHoldsNoWriteBack() throws {
        try Ends.with { ends in
            try ends.near.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
            ends.write(Self.full, from: ends.near)
            let waiting = ends.write(1, from: ends.near)
            #expect(waiting.outcome == nil)
            #expect(ends.close(ends.far).hasSucceeded)
            ends.loop.run()
            #expect(waiting.hasSucceeded && ends.near.isActive)
        }
    }

    @Test func aClosedConnectionLeavesNoTimer() throws {
        weak var network: InMemoryNetwork?
        // The event loop stops the program if a timer is left.
        try Ends.with(
            InMemoryNetwork.Conditions(latency: .seconds(3_600) ... .seconds(3_600), bytesPerSecond: 1)
        ) { ends in
            network = ends.network
            try ends.read()
            for _ in 0..<2 {
                ends.write(60, from: ends.near)
                ends.write(60, from: ends.far)
            }
            ends.loop.run()
            #expect(ends.farLog.take().isEmpty)
        }
        #expect(network == nil)
    }

    // MARK: - Time

    @Test func theEndOfAnIdleConnectionTakesItsLatency() throws {
        try Ends.with(latency(30)) { ends in
            try ends.read()
            #expect(ends.close(ends.near, .output).hasSucceeded)
            ends.loop.advanceTime(by: .milliseconds(29))
            #expect(ends.farLog.take().isEmpty)
            ends.loop.advanceTime(by: .milliseconds(1))
            #expect(ends.farLog.take() == [.event(.inputClosed)])
        }
    }

    // MARK: - Trouble

    @Test func aCutThatHealsAtOnceBreaksWhatItCut() throws {
        try Ends.with { ends in
            try ends.read()
            ends.write(1, from: ends.near)
            ends.loop.run()
            ends.network.cut(ends.ids.near, ends.ids.far)
            ends.write(2, from: ends.near)
            ends.network.heal()
            ends.write(3, from: ends.near)
            ends.loop.run()
            // What follows a hole is never read.
            #expect(ends.farLog.take() == [.bytes(1), .complete, .error, .inactive])
            #expect(ends.nearLog.take() == [.error, .inactive])
        }
    }

    @Test func noBytesAreReadOnceThePartitionIsMade() throws {
        try Ends.with { ends in
            try ends.read()
            ends.write(1, from: ends.near)
            // Their arrival is the next thing that the event loop does.
            ends.network.partition([[ends.ids.near]])
            ends.loop.run()
            #expect(ends.farLog.take() == [.error, .inactive])
        }
    }

    @Test func whatAClosedEndHasSentDoesNotCrossAPartition() throws {
        try Ends.with(latency(10)) { ends in
            try ends.read()
            ends.write(1, from: ends.near)
            #expect(ends.close(ends.near).hasSucceeded)
            ends.loop.run()
            ends.network.partition([[ends.ids.near]])
            ends.loop.advanceTime(by: .seconds(1))
            #expect(ends.farLog.take() == [.error, .inactive])
        }
    }

    @Test func aConnectionIsForgottenOnceBothEndsHaveClosed() throws {
        try Ends.with { ends in
            #expect(ends.close(ends.near).hasSucceeded)
            ends.loop.run()
            #expect(ends.network.read { $0.connections.count } == 1)
            #expect(ends.close(ends.far).hasSucceeded)
            ends.loop.run()
            #expect(ends.network.read { $0.connections.isEmpty })
        }
    }
}
