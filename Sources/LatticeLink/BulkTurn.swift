import DequeModule
import NIOCore
import Synchronization

/// Lets the links of an event loop write a piece each in turn, and pauses after some: NIO looks at its sockets only when no
/// task is left, so links that always have a next piece would keep it from reading.
final class BulkTurn: Sendable {
    /// Pieces between two pauses: 256 KiB, which take about 0.3 ms.
    private static let burst = 8
    /// Long enough for NIO to run out of tasks.
    private static let pause: TimeAmount = .microseconds(50)

    private struct State {
        var waiting: Deque<@Sendable () -> Void> = []
        /// A run is scheduled or under way.
        var isScheduled = false
        var countSincePause = 0
    }

    private let eventLoop: any EventLoop
    private let state = Mutex(State())

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Does this later, on the thread of the loop: after what was added before.
    func add(_ work: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            state.waiting.append(work)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { goOn() }
    }

    private func goOn() {
        let isPausing = state.withLock { state in
            guard state.countSincePause >= Self.burst else { return false }
            state.countSincePause = 0
            return true
        }
        if isPausing {
            eventLoop.scheduleTask(in: Self.pause) { self.run() }
        } else {
            eventLoop.execute { self.run() }
        }
    }

    private func run() {
        let work = state.withLock { state in
            state.countSincePause += 1
            return state.waiting.popFirst()
        }
        work?()
        let isMore = state.withLock { state in
            state.isScheduled = !state.waiting.isEmpty
            return state.isScheduled
        }
        if isMore { goOn() }
    }
}
