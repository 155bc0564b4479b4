import Dispatch

/// Runs the work of an actor outside of the Swift concurrency pool, one piece after the other: work that reads, writes or hashes
/// for long, and would hold up the tasks of the whole program there.
package final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    package init(_ label: String) {
        queue = DispatchQueue(label: label, qos: .utility)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
