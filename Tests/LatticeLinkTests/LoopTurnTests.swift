import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import LatticeLink

/// What an event loop does at the end of what it is at.
struct LoopTurnTests {
    private final class Diary: Sendable {
        private let entries = Mutex<[Int]>([])

        var all: [Int] { entries.withLock { $0 } }

        func note(_ entry: Int) { entries.withLock { $0.append(entry) } }
    }

    @Test func linksWriteBehindAllThatGivesThemSomethingToWrite() async throws {
        let (eventLoop, diary) = (MultiThreadedEventLoopGroup.singleton.next(), Diary())
        let turn = LoopTurn(eventLoop)
        try await eventLoop.submit {
            turn.write { diary.note(4) }
            turn.perform {
                diary.note(2)
                turn.write { diary.note(5) }
                turn.perform { diary.note(3) }
            }
            diary.note(1)
        }.get()
        // It is one task, and this one is behind it.
        try await eventLoop.submit {}.get()
        #expect(diary.all == [1, 2, 3, 4, 5])
    }

    private func onLoop(_ turn: LoopTurn, _ work: @escaping @Sendable () async -> Void) async {
        await withDiscardingTaskGroup { $0.addTask(executorPreference: LoopTaskExecutor(turn), operation: work) }
    }

    /// Otherwise a busy task that yields now and then would fill the queues of links.
    @Test func aTaskThatGivesWayGoesOnBehindTheWritingOfWhatItGave() async throws {
        let (eventLoop, diary) = (MultiThreadedEventLoopGroup.singleton.next(), Diary())
        let turn = LoopTurn(eventLoop)
        await onLoop(turn) {
            for round in 0..<3 {
                diary.note(3 * round)
                turn.perform {
                    diary.note(3 * round + 1)
                    turn.write { diary.note(3 * round + 2) }
                }
                await Task.yield()
            }
        }
        #expect(diary.all == Array(0..<9))
    }

    @Test func theLoopGoesOnBetweenTwoTurnsOfATaskThatNeverWaits() async throws {
        let (eventLoop, diary) = (MultiThreadedEventLoopGroup.singleton.next(), Diary())
        let turn = LoopTurn(eventLoop)
        await onLoop(turn) {
            eventLoop.execute { diary.note(1) }
            while diary.all.isEmpty { await Task.yield() }
        }
        #expect(diary.all == [1])
    }

    @Test func nothingIsLostThatOtherThreadsGiveIt() async throws {
        let (eventLoop, diary) = (MultiThreadedEventLoopGroup.singleton.next(), Diary())
        let turn = LoopTurn(eventLoop)
        await withDiscardingTaskGroup { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<1_000 {
                        let entry = thread * 1_000 + number
                        if number.isMultiple(of: 2) {
                            turn.perform { diary.note(entry) }
                        } else {
                            turn.write { diary.note(entry) }
                        }
                    }
                }
            }
        }
        try await eventLoop.submit {}.get()
        #expect(Set(diary.all).count == 8_000 && diary.all.count == 8_000)
    }
}
