import Dispatch
import Glibc
import LatticeConcurrency
import Synchronization

/// Runs jobs on files one after another, on a thread of its own.
final class BlobThread: Sendable {
    typealias Job = @Sendable (BlobFolder) -> Void

    private struct State {
        var jobs: [Job] = []
        var isEnding = false
        var hasEnded = false
        /// Wait for the end.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The callers bound the bytes: at most 8 pieces each, and 128 pieces on all links.
    private static let jobsMax = 1_024
    /// Below the thread that talks to neighbours.
    private static let niceness: Int32 = 5

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameter lock: held until the thread ends.
    func start(_ lock: DiskFile, _ makeFolder: @escaping @Sendable () -> BlobFolder) {
        DedicatedThread.start { [self] in
            // On Linux it concerns the calling thread alone. Without it the thread works as well.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            withExtendedLifetime(lock) { work(on: makeFolder()) }
            close(lock)
        }
    }

    private func work(on folder: BlobFolder) {
        while true {
            let (jobs, isEnding) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.isEnding)
            }
            for job in jobs { job(folder) }
            if jobs.isEmpty {
                if isEnding { return }
                wake.wait()
            }
        }
    }

    /// Everybody else may take the folder now.
    private func close(_ lock: DiskFile) {
        _ = flock(lock.descriptor, LOCK_UN)
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    // MARK: Others

    /// - Parameter endsSomething: such a job is taken even if the queue is full; there are as many as things that began.
    /// - Returns: why the job was not taken.
    func add(endsSomething: Bool = false, _ job: @escaping Job) -> BlobFault? {
        let fault: BlobFault? = state.withLock { state in
            if state.isEnding { return .closed }
            if state.jobs.count >= Self.jobsMax, !endsSomething { return .queueFull }
            state.jobs.append(job)
            return nil
        }
        if fault == nil { wake.signal() }
        return fault
    }

    /// Takes no more jobs; those that wait are done.
    func end() {
        state.withLock { $0.isEnding = true }
        wake.signal()
    }

    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiters.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }
}
