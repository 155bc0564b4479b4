import DequeModule
package import NIOCore
import Synchronization

/// The order of work on an event loop's thread after its current task: first tasks that can continue, then work that
/// gives links something to write, then the writes, so that frames sent together are written together. All of it is one
/// task of the loop, because each task costs as much as encrypting a message.
package final class LoopTurn: Sendable {
    private struct Job {
        enum Executor {
            case serial(UnownedSerialExecutor)
            case task(UnownedTaskExecutor)
        }

        let job: UnownedJob
        let executor: Executor

        func run() {
            switch executor {
            case .serial(let executor): job.runSynchronously(on: executor)
            case .task(let executor): job.runSynchronously(on: executor)
            }
        }
    }

    private enum Step {
        case job(Job)
        case work(@Sendable () -> Void)
        /// Nothing is left to do in this turn.
        case over(again: Bool)
    }

    private struct Waiting {
        var jobs: Deque<Job> = []
        var works: Deque<@Sendable () -> Void> = []
        var writings: Deque<@Sendable () -> Void> = []
        /// A turn is scheduled or running; what is added meanwhile belongs to it.
        var isScheduled = false
        /// Jobs of this turn. A job added meanwhile waits for the next turn, so that a job that continues at once runs
        /// after the writes that it caused, and after what the links have read.
        private var jobsLeft = 0

        mutating func begin() -> Step {
            jobsLeft = jobs.count
            return next()
        }

        mutating func next() -> Step {
            if jobsLeft > 0 {
                jobsLeft -= 1
                return .job(jobs.removeFirst())
            }
            if let work = works.popFirst() ?? writings.popFirst() { return .work(work) }
            isScheduled = !jobs.isEmpty
            return .over(again: isScheduled)
        }
    }

    package let eventLoop: any EventLoop
    /// Pieces of all links of this event loop.
    let bulk: BulkTurn
    private let waiting = Mutex(Waiting())

    package init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        bulk = BulkTurn(eventLoop)
    }

    /// Does this soon, on the thread of the loop.
    package func perform(_ work: @escaping @Sendable () -> Void) {
        add { $0.works.append(work) }
    }

    /// Does this after all work that `perform` was given before, and after what that work led to.
    func write(_ writing: @escaping @Sendable () -> Void) {
        add { $0.writings.append(writing) }
    }

    func run(_ job: UnownedJob, on executor: UnownedSerialExecutor) {
        add { $0.jobs.append(Job(job: job, executor: .serial(executor))) }
    }

    func run(_ job: UnownedJob, on executor: UnownedTaskExecutor) {
        add { $0.jobs.append(Job(job: job, executor: .task(executor))) }
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
        var step = waiting.withLock { $0.begin() }
        while true {
            switch step {
            case .job(let job): job.run()
            case .work(let work): work()
            case .over(let again):
                if again { eventLoop.execute { self.run() } }
                return
            }
            step = waiting.withLock { $0.next() }
        }
    }
}
