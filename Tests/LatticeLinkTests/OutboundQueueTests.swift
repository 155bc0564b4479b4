import Synchronization
import Testing

@testable import LatticeLink

/// What waits for one link's writer.
@Suite(.timeLimit(.minutes(10)))
struct OutboundQueueTests {
    /// What a frame is counted for beyond its bytes.
    private static let header = 48

    /// A frame that counts for 50 bytes, or as many more as it is longer.
    private func frame(_ number: Int, bytes: Int = 2) -> [UInt8] {
        [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 0, count: bytes - 2)
    }

    private func queue(bytesMax: Int, framesMax: Int = 100, batchBytesMax: Int = 10_000) -> OutboundQueue {
        OutboundQueue(bytesMax: bytesMax, framesMax: framesMax, batchBytesMax: batchBytesMax, piecesMax: 8)
    }

    @Test func aFullQueueAnswersAndKeepsNothing() {
        let queue = queue(bytesMax: 149)
        #expect(queue.push(frame(1)) && queue.push(frame(2)))
        #expect(!queue.push(frame(3)))
        #expect(queue.push([9]))
        #expect(!queue.push([]))
        #expect(queue.waitingBytes == 149)
        #expect(queue.take() == .speech([frame(1), frame(2), [9]]))
        #expect(queue.waitingBytes == 0)
        let whole = frame(4, bytes: 149 - Self.header)
        #expect(!queue.push(whole + [0]))
        #expect(queue.push(whole) && !queue.push([1]))
    }

    @Test func urgentFramesOvertakeOthersButNotEachOther() {
        let queue = queue(bytesMax: 10_000, batchBytesMax: 120)
        for number in 1...4 { #expect(queue.push(frame(number))) }
        #expect(queue.push(frame(11), .urgent) && queue.push(frame(12), .urgent))
        #expect(queue.take() == .speech([frame(11), frame(12), frame(1)]))
        #expect(queue.push(frame(13), .urgent))
        #expect(queue.take() == .speech([frame(13), frame(2), frame(3)]))
        #expect(queue.take() == .speech([frame(4)]))
        #expect(queue.take() == nil && queue.waitingBytes == 0)
    }

    @Test func nothingOvertakesAFence() {
        let queue = queue(bytesMax: 10_000, batchBytesMax: 120)
        #expect(queue.push(frame(1)) && queue.push(frame(2), .fence) && queue.push(frame(3)))
        #expect(queue.push(frame(11), .urgent))
        #expect(queue.take() == .speech([frame(1), frame(2), frame(11)]))
        #expect(queue.push(frame(12), .urgent))
        queue.finish(last: frame(9))
        #expect(queue.take() == .speech([frame(12), frame(3), frame(9)]))
    }

    @Test func anUrgentFrameDoesNotFitAFullQueue() {
        let queue = queue(bytesMax: 149)
        #expect(queue.push(frame(1)) && queue.push(frame(2)) && !queue.push(frame(3), .urgent))
    }

    @Test func shortFramesAreCountedToo() {
        let queue = queue(bytesMax: 10_000, framesMax: 3, batchBytesMax: 2 * (Self.header + 1))
        for _ in 0..<3 { #expect(queue.push([1])) }
        #expect(!queue.push([1]))
        #expect(queue.take() == .speech([[1], [1]]))
        #expect(queue.push([2]) && queue.push([3]) && !queue.push([4]))
        queue.finish(last: [5])
        #expect(queue.take() == .speech([[1], [2]]))
        #expect(queue.take() == .speech([[3], [5]]))
        #expect(queue.take() == nil)
    }

    @Test func batchesAreAboutAsLongAsAsked() {
        let queue = queue(bytesMax: 10_000, batchBytesMax: 120)
        for number in 1...7 { #expect(queue.push(frame(number))) }
        #expect(queue.push(frame(8, bytes: 1_000)) && queue.push(frame(9)))
        #expect(queue.take() == .speech([frame(1), frame(2), frame(3)]))
        #expect(queue.waitingBytes == 5 * 50 + 1_048)
        #expect(queue.take() == .speech([frame(4), frame(5), frame(6)]))
        #expect(queue.take() == .speech([frame(7), frame(8, bytes: 1_000)]))
        #expect(queue.take() == .speech([frame(9)]))
        #expect(queue.waitingBytes == 0)
    }

    @Test func theLastGoesOutAfterEverythingHoweverFullItIs() {
        let queue = queue(bytesMax: 100)
        #expect(queue.push(frame(1)) && queue.push(frame(2)))
        queue.finish(last: frame(3))
        queue.finish(last: frame(4))
        #expect(queue.isFinished && !queue.push([1]))
        #expect(queue.take() == .speech([frame(1), frame(2), frame(3)]))
        #expect(queue.take() == nil)
        #expect(queue.take() == nil)
        #expect(queue.waitingBytes == 0)
    }

    @Test func anEmptyQueueThatIsFinishedHasNothing() async {
        let queue = queue(bytesMax: 100)
        queue.finish()
        #expect(queue.take() == nil)
        await queue.drained(below: 0)
    }

    @Test func whoeverTakesIsToldOfTheFirstFrameAndOfTheEnd() {
        let queue = queue(bytesMax: 1_000)
        let told = Atomic(0)
        queue.onFirst { told.add(1, ordering: .relaxed) }
        #expect(told.load(ordering: .relaxed) == 0)
        #expect(queue.push(frame(1)) && queue.push(frame(2)))
        #expect(told.load(ordering: .relaxed) == 1)
        #expect(queue.take() == .speech([frame(1), frame(2)]) && queue.take() == nil)
        #expect(queue.push(frame(3)))
        #expect(told.load(ordering: .relaxed) == 2)
        #expect(queue.rest != .over)
        queue.finish()
        #expect(told.load(ordering: .relaxed) == 3)
        #expect(queue.take() == .speech([frame(3)]) && queue.rest == .over)
    }

    @Test func whatWaitedBeforeAnybodyTookIsToldOf() {
        let queue = queue(bytesMax: 1_000)
        #expect(queue.push(frame(1)))
        let told = Atomic(0)
        queue.onFirst { told.add(1, ordering: .relaxed) }
        #expect(told.load(ordering: .relaxed) == 1)
    }

    @Test func whoeverWaitsForRoomIsWokenWhenThereIsSome() async {
        let queue = queue(bytesMax: 1_000, batchBytesMax: 100)
        for number in 1...6 { #expect(queue.push(frame(number))) }
        await queue.drained(below: 300)
        async let half: Void = queue.drained(below: 150)
        async let none: Void = queue.drained(below: 0)
        _ = queue.take()
        _ = queue.take()
        await half
        #expect(queue.waitingBytes == 100)
        _ = queue.take()
        await none
    }

    @Test func workIsDoneOnceWhenTheQueueHasDrained() {
        let queue = queue(bytesMax: 1_000, batchBytesMax: 100)
        let done = Atomic(0)
        let work: @Sendable () -> Void = { done.add(1, ordering: .relaxed) }
        queue.whenDrained(below: 0, work)
        #expect(done.load(ordering: .relaxed) == 1)
        for number in 1...4 { #expect(queue.push(frame(number))) }
        queue.whenDrained(below: 100, work)
        #expect(done.load(ordering: .relaxed) == 1)
        _ = queue.take()
        _ = queue.take()
        #expect(done.load(ordering: .relaxed) == 2)
        #expect(queue.push(frame(5)))
        queue.whenDrained(below: 0, work)
        queue.finish(last: frame(6))
        #expect(done.load(ordering: .relaxed) == 3)
    }

    @Test func whoeverWaitsForRoomIsWokenByTheEnd() async {
        let queue = queue(bytesMax: 1_000, batchBytesMax: 100)
        #expect(queue.push(frame(1)))
        async let first: Void = queue.drained(below: 0)
        async let second: Void = queue.drained(below: 2)
        queue.finish(last: frame(2))
        _ = await (first, second)
        #expect(queue.take() == .speech([frame(1), frame(2)]))
    }

    @Test func whoeverWaitsForRoomCanBeReleased() async throws {
        let queue = queue(bytesMax: 1_000, batchBytesMax: 100)
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
        #expect(queue.waitingBytes == 50)
    }

    @Test func manyPushAtOnceAndEachOnesOrderHolds() async {
        let (pushers, frames) = (8, 2_000)
        let queue = queue(bytesMax: 4_096, batchBytesMax: 512)
        let received = await withTaskGroup(of: Void.self) { group in
            for pusher in 0..<pushers {
                group.addTask {
                    for number in 0..<frames {
                        let frame = [UInt8(pusher), UInt8(number >> 8), UInt8(number & 255)]
                        while !queue.push(frame) { await queue.drained(below: 2_048) }
                    }
                }
            }
            var received: [[UInt8]] = []
            while received.count < pushers * frames {
                guard case .speech(let batch)? = queue.take() else {
                    await Task.yield()
                    continue
                }
                #expect(!batch.isEmpty && queue.waitingBytes <= 4_096)
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
