import Testing

@testable import LatticeLink

/// What waits for one link's writer.
@Suite(.timeLimit(.minutes(2)))
struct OutboundQueueTests {
    private func frame(_ number: Int, bytes: Int = 4) -> [UInt8] {
        [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 0, count: bytes - 2)
    }

    @Test func aFullQueueAnswersAndKeepsNothing() async {
        let queue = OutboundQueue(bytesMax: 10, framesMax: 100, batchBytesMax: 100)
        #expect(queue.push(frame(1)) && queue.push(frame(2)))
        #expect(!queue.push(frame(3)))
        #expect(queue.push([9, 9]))
        #expect(!queue.push([9]))
        #expect(queue.waitingBytes == 10)
        #expect(await queue.next() == [frame(1), frame(2), [9, 9]])
        #expect(queue.waitingBytes == 0)
        #expect(queue.push([UInt8](repeating: 1, count: 10)) && !queue.push([1]))
        #expect(!OutboundQueue(bytesMax: 10, framesMax: 100, batchBytesMax: 100).push([UInt8](repeating: 1, count: 11)))
    }

    @Test func shortFramesAreCountedToo() async {
        let queue = OutboundQueue(bytesMax: 100, framesMax: 3, batchBytesMax: 2)
        for _ in 0..<3 { #expect(queue.push([1])) }
        #expect(!queue.push([1]))
        #expect(await queue.next() == [[1], [1]])
        #expect(queue.push([2]) && queue.push([3]) && !queue.push([4]))
        queue.finish(last: [5])
        #expect(await queue.next() == [[1], [2]])
        #expect(await queue.next() == [[3], [5]])
        #expect(await queue.next() == nil)
    }

    @Test func batchesAreAboutAsLongAsAsked() async {
        let queue = OutboundQueue(bytesMax: 1_000, framesMax: 100, batchBytesMax: 10)
        for number in 1...7 { #expect(queue.push(frame(number))) }
        #expect(queue.push(frame(8, bytes: 100)) && queue.push(frame(9)))
        #expect(await queue.next() == [frame(1), frame(2), frame(3)])
        #expect(queue.waitingBytes == 120)
        #expect(await queue.next() == [frame(4), frame(5), frame(6)])
        #expect(await queue.next() == [frame(7), frame(8, bytes: 100)])
        #expect(await queue.next() == [frame(9)])
        #expect(queue.waitingBytes == 0)
    }

    @Test func theLastGoesOutAfterEverythingHoweverFullItIs() async {
        let queue = OutboundQueue(bytesMax: 8, framesMax: 100, batchBytesMax: 100)
        #expect(queue.push(frame(1)) && queue.push(frame(2)))
        queue.finish(last: frame(3))
        queue.finish(last: frame(4))
        #expect(queue.isFinished && !queue.push([1]))
        #expect(await queue.next() == [frame(1), frame(2), frame(3)])
        #expect(await queue.next() == nil)
        #expect(await queue.next() == nil)
        #expect(queue.waitingBytes == 0)
    }

    @Test func anEmptyQueueThatIsFinishedHasNothing() async {
        let queue = OutboundQueue(bytesMax: 8, framesMax: 100, batchBytesMax: 8)
        queue.finish()
        #expect(await queue.next() == nil)
        await queue.drained(below: 0)
    }

    @Test func aReaderWaitsForTheFirstFrameOrTheEnd() async {
        let queue = OutboundQueue(bytesMax: 8, framesMax: 100, batchBytesMax: 8)
        async let batch = queue.next()
        #expect(queue.push(frame(1)))
        #expect(await batch == [frame(1)])
        async let end = queue.next()
        queue.finish()
        #expect(await end == nil)
    }

    @Test func whoeverWaitsForRoomIsWokenWhenThereIsSome() async {
        let queue = OutboundQueue(bytesMax: 100, framesMax: 100, batchBytesMax: 8)
        for number in 1...6 { #expect(queue.push(frame(number))) }
        await queue.drained(below: 24)
        async let half: Void = queue.drained(below: 12)
        async let none: Void = queue.drained(below: 0)
        _ = await queue.next()
        _ = await queue.next()
        await half
        #expect(queue.waitingBytes == 8)
        _ = await queue.next()
        await none
    }

    @Test func whoeverWaitsForRoomIsWokenByTheEnd() async {
        let queue = OutboundQueue(bytesMax: 100, framesMax: 100, batchBytesMax: 8)
        #expect(queue.push(frame(1)))
        async let first: Void = queue.drained(below: 0)
        async let second: Void = queue.drained(below: 2)
        queue.finish(last: frame(2))
        _ = await (first, second)
        #expect(await queue.next() == [frame(1), frame(2)])
    }

    @Test func whoeverWaitsForRoomCanBeReleased() async throws {
        let queue = OutboundQueue(bytesMax: 100, framesMax: 100, batchBytesMax: 8)
        #expect(queue.push(frame(1)))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                await queue.drained(below: 0)
                return true
            }
            group.addTask {
                // It may not wait yet, so it is released until it has been.
                while !Task.isCancelled {
                    queue.releaseWriters()
                    await Task.yield()
                }
                return false
            }
            while let isReleased = try await group.next(), !isReleased {}
            group.cancelAll()
        }
        #expect(queue.waitingBytes == 4)
    }

    @Test func manyPushAtOnceAndEachOnesOrderHolds() async {
        let (pushers, frames) = (8, 2_000)
        let queue = OutboundQueue(bytesMax: 512, framesMax: 1_000, batchBytesMax: 64)
        let received = await withTaskGroup(of: Void.self) { group in
            for pusher in 0..<pushers {
                group.addTask {
                    for number in 0..<frames {
                        let frame = [UInt8(pusher), UInt8(number >> 8), UInt8(number & 255)]
                        while !queue.push(frame) { await queue.drained(below: 256) }
                    }
                }
            }
            var received: [[UInt8]] = []
            while received.count < pushers * frames, let batch = await queue.next() {
                #expect(!batch.isEmpty && queue.waitingBytes <= 512)
                received += batch
            }
            return received
        }
        #expect(received.count == pushers * frames)
        for pusher in 0..<pushers {
            let numbers = received.filter { $0[0] == UInt8(pusher) }.map { Int($0[1]) << 8 | Int($0[2]) }
            #expect(numbers == Array(0..<frames))
        }
    }
}
