import DequeModule
package import NIOCore
import Synchronization

/// What the thread of an event loop does once it is through with what it is at: first tasks that can go on, then all by which links get
/// something to write, then the writing, so that what is sent together goes out together. All of it is one task of the loop, each of
/// which takes as long as sealing a message does.
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
        /// Nothing is left to do before the next turn.
        case over(again: Bool)
    }

    private struct Waiting {
        var jobs: Deque<Job> = []
        var works: Deque<@Sendable () -> Void> = []
        var writings: Deque<@Sendable () -> Void> = []
        /// Or at it: what comes meanwhile is done with the rest.
        var isScheduled = false
        /// Jobs of this turn. One that comes meanwhile waits for the next: what goes on at once has its turn behind what it gave links
        /// to write, and behind what they have read.
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
    private let waiting = Mutex(Waiting())

    package init(_ eventLoop: any EventLoop) {
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
