import DequeModule
import NIOCore
import Synchronization

/// What the thread of an event loop does once it is through with what it is at: first all by which links get something to write, then
/// the writing, so that what is sent together goes out together. It is one task of the loop, each of which takes as long as sealing a
/// message does.
package final class LoopTurn: Sendable {
    private struct Waiting {
        var works: Deque<@Sendable () -> Void> = []
        var writings: Deque<@Sendable () -> Void> = []
        /// Or at it: what comes meanwhile is done with the rest.
        var isScheduled = false

        mutating func next() -> (@Sendable () -> Void)? {
            if let next = works.popFirst() ?? writings.popFirst() { return next }
            isScheduled = false
            return nil
        }
    }

    private let waiting = Mutex(Waiting())
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Does this soon, on the thread of the loop.
    package func perform(_ work: @escaping @Sendable () -> Void) {
        add { $0.works.append(work) }
    }

    /// Does this behind what `perform` was told of until then, and what that led to.
    func write(_ writing: @escaping @Sendable () -> Void) {
        add { $0.writings.append(writing) }
    }

    private func add(_ change: (inout Waiting) -> Void) {
        let isFirst = waiting.withLock { waiting in
            change(&waiting)
            defer { waiting.isScheduled = true }
            return !waiting.isScheduled
        }
        if isFirst { eventLoop.execute { self.run() } }
    }

    private func run() {
        while let work = waiting.withLock({ $0.next() }) { work() }
    }
}
