import Dispatch
import GRDB
import Glibc
import LatticeConcurrency
import LatticeCore
import LatticeWire
import Synchronization

/// All writing to a store: a thread of its own takes all queued jobs and runs them in one transaction.
///
/// Jobs that arrive during a commit form the next one: under load commits grow by themselves, and no job waits for a timer. If
/// a job throws, the transaction is rolled back, and each of its jobs runs by itself.
final class StoreWriter: Sendable {
    private let line: WriterLine
    private let path: String

    /// - Parameter pool: a failure if nothing can be written; every job then fails with it.
    init(_ pool: Result<DatabasePool, StoreError>, _ file: OpenFile, _ terms: StoreTerms) {
        let line = WriterLine(WriterLine.Tools(pool: pool, file: file, terms: terms))
        (self.line, path) = (line, file.path)
        DedicatedThread.start { line.run() }
    }

    /// Releases the file with the last reference.
    deinit {
        close()
    }

    /// Runs the queued jobs and no others. Returns when the thread has closed the file.
    func close() {
        line.end()
    }

    // MARK: Jobs

    /// - Parameter startsCommit: `false` if another job follows at once, so that both share a commit.
    /// - Returns: `false` if the lane is full or the store is closed; then nothing is taken.
    func submit(_ job: WriterJob, on lane: WriterLanes.Lane, startsCommit: Bool = true) -> Bool {
        line.add(job, to: lane, wakes: startsCommit)
    }

    func onCommit(_ deliver: @escaping @Sendable (Committed) -> Void) {
        line.onCommit(deliver)
    }

    /// Writes all or nothing; after it returns, the changes survive the process. It completes even if the calling task is
    /// cancelled: a caller that leaves has still said what to store.
    ///
    /// - Parameters:
    ///   - lane: where it waits for its turn.
    ///   - body: runs again if another job in its transaction throws.
    func commit<Value: Sendable>(
        on lane: WriterLanes.Lane = .drafts, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await answer(on: lane) { answer in
            .step(
                WriterJob.Step { transaction in
                    let value = try body(transaction)
                    return { answer(.success(value)) }
                } failed: {
                    answer(.failure($0))
                })
        }
    }

    /// Runs on the writing connection, outside any transaction, while nothing else is written.
    func alone<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(StoreError)
        -> Value
    {
        try await answer { answer in
            .alone(
                WriterJob.Alone { database in
                    let value = try body(database)
                    return { answer(.success(value)) }
                } failed: {
                    answer(.failure($0))
                })
        }
    }

    /// Waits for the result of a job.
    func answer<Value: Sendable>(
        on lane: WriterLanes.Lane = .drafts,
        _ job: (@escaping @Sendable (Result<Value, StoreError>) -> Void) -> WriterJob
    ) async throws(StoreError) -> Value {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                guard !submit(job { continuation.resume(with: $0) }, on: lane) else { return }
                continuation.resume(
                    throwing: StoreError.failed(path: path, reason: "it is closed, or too much waits to be written"))
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }
}

/// The queue, and the thread that waits for it.
private final class WriterLine: Sendable {
    struct Tools {
        let pool: Result<DatabasePool, StoreError>
        let file: OpenFile
        let terms: StoreTerms
    }

    private struct State {
        var lanes = WriterLanes()
        var isAsleep = false
        var isEnding = false
        var deliver: (@Sendable (Committed) -> Void)?
        /// `nil` once the thread has taken them: only the thread releases them.
        var tools: Tools?
        var thread: pthread_t?
    }

    /// About as long as merging a long log takes: more often than not, no line comes meanwhile.
    private static let quiet = DispatchTimeInterval.milliseconds(50)

    private let state: Mutex<State>
    private let wake = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ tools: Tools) {
        state = Mutex(State(tools: tools))
    }

    func run() {
        state.withLock { $0.thread = pthread_self() }
        work()
        hasEnded.signal()
    }

    private func work() {
        guard let tools = state.withLock({ $0.tools.take() }) else { return }
        let work = WriterWork(tools.pool, file: tools.file, terms: tools.terms)
        while let jobs = next(merging: work) {
            work.run(jobs) { committed in state.withLock { $0.deliver }?(committed) }
        }
        work.end()
    }

    /// - Returns: the next jobs; `nil` once all are done and no more can come.
    private func next(merging work: WriterWork) -> [WriterJob]? {
        while true {
            let (jobs, isEnding) = state.withLock { state in
                let jobs = state.lanes.take()
                state.isAsleep = jobs.isEmpty
                return (jobs, state.isEnding)
            }
            if !jobs.isEmpty { return jobs }
            if isEnding { return nil }
            if !work.hasLongLog {
                wake.wait()
            } else if wake.wait(timeout: .now() + Self.quiet) == .timedOut {
                work.mergeLog()
            }
        }
    }

    // MARK: Others

    func add(_ job: WriterJob, to lane: WriterLanes.Lane, wakes: Bool) -> Bool {
        let (isTaken, mustWake) = state.withLock { state in
            guard !state.isEnding, state.lanes.add(job, to: lane) else { return (false, false) }
            guard wakes, state.isAsleep else { return (true, false) }
            state.isAsleep = false
            return (true, true)
        }
        if mustWake { wake.signal() }
        return isTaken
    }

    func onCommit(_ deliver: @escaping @Sendable (Committed) -> Void) {
        state.withLock { $0.deliver = deliver }
    }

    func end() {
        let thread = state.withLock { state in
            state.isEnding = true
            return state.thread
        }
        wake.signal()
        // A job that holds the store may be the last to release it.
        if let thread, pthread_equal(thread, pthread_self()) != 0 { return }
        hasEnded.wait()
        // Lets other waiting callers return.
        hasEnded.signal()
    }
}
