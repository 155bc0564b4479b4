import Dispatch
import GRDB
import Glibc
import LatticeConcurrency
import LatticeCore
import LatticeWire
import Synchronization

/// Everything that is written to a store: one thread of its own takes all that waits and does it in one transaction.
///
/// While a commit runs, what comes gathers for the next one: so commits fill by themselves when much is written, and nobody waits for
/// a timer. A job that throws does not spoil what shares its transaction: that is rolled back, and each job is done by itself.
final class StoreWriter: Sendable {
    private let line: WriterLine
    private let path: String

    /// - Parameter pool: or why nothing can be written; then every job fails so.
    init(_ pool: Result<DatabasePool, StoreError>, _ file: OpenFile, _ terms: StoreTerms) {
        let line = WriterLine(WriterLine.Tools(pool: pool, file: file, terms: terms))
        (self.line, path) = (line, file.path)
        DedicatedThread.start { line.run() }
    }

    /// The file is let go when this is gone.
    deinit {
        close()
    }

    /// Does what waits, and nothing more. Returns when the thread has let go of the file.
    func close() {
        line.end()
    }

    // MARK: Jobs

    /// - Returns: `false` if the lane is full or the store is closed; then nothing was taken.
    func submit(_ job: WriterJob, on lane: WriterLanes.Lane) -> Bool {
        line.add(job, to: lane)
    }

    func onCommit(_ deliver: @escaping @Sendable (Committed) -> Void) {
        line.onCommit(deliver)
    }

    /// Writes all of it or nothing; what is written when this returns outlives the process. It is done to the end even if the
    /// task that asks is cancelled meanwhile: who leaves has said what is to be kept.
    ///
    /// - Parameter body: runs again if another job that shares its transaction throws.
    func commit<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws(StoreError)
        -> Value
    {
        try await answer { answer in
            .step(
                WriterJob.Step { transaction in
                    let value = try body(transaction)
                    return { answer(.success(value)) }
                } failed: {
                    answer(.failure($0))
                })
        }
    }

    /// On the connection that writes, outside any transaction, while nothing else is written.
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

    /// Waits for what comes of a job.
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

/// What waits, and the thread that waits for it.
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
        /// `nil` once the thread has them: it alone lets go of them.
        var tools: Tools?
        var thread: pthread_t?
    }

    private let state: Mutex<State>
    private let wake = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ tools: Tools) {
        state = Mutex(State(tools: tools))
    }

    // MARK: The thread

    func run() {
        state.withLock { $0.thread = pthread_self() }
        work()
        hasEnded.signal()
    }

    private func work() {
        guard let tools = state.withLock({ $0.tools.take() }) else { return }
        let work = WriterWork(tools.pool, file: tools.file, terms: tools.terms)
        while let jobs = next() { work.run(jobs) { committed in state.withLock { $0.deliver }?(committed) } }
        work.end()
    }

    /// - Returns: what is done next; `nil` once all is done and nothing more comes.
    private func next() -> [WriterJob]? {
        while true {
            let (jobs, isEnding) = state.withLock { state in
                let jobs = state.lanes.take()
                state.isAsleep = jobs.isEmpty
                return (jobs, state.isEnding)
            }
            if !jobs.isEmpty { return jobs }
            if isEnding { return nil }
            wake.wait()
        }
    }

    // MARK: Others

    func add(_ job: WriterJob, to lane: WriterLanes.Lane) -> Bool {
        let (isTaken, wakes) = state.withLock { state in
            guard !state.isEnding, state.lanes.add(job, to: lane) else { return (false, false) }
            defer { state.isAsleep = false }
            return (true, state.isAsleep)
        }
        if wakes { wake.signal() }
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
        // A job that holds the store may be the last to let go of it.
        if let thread, pthread_equal(thread, pthread_self()) != 0 { return }
        hasEnded.wait()
        // For whoever else waits.
        hasEnded.signal()
    }
}
