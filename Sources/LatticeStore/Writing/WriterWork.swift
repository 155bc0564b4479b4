import GRDB
import LatticeCore
import LatticeWire

/// Runs jobs on the writer's thread.
final class WriterWork {
    private let pool: Result<DatabasePool, StoreError>
    private let file: OpenFile
    private let terms: StoreTerms
    private let state: CommitState
    private var checkedAt: ContinuousClock.Instant?
    /// The file lacks state that this process has committed rows for.
    private var isBehind = false
    /// Pages that this connection has written to the log, now and when it was last merged.
    private var pagesWritten = 0
    private var mergedAt = 0

    init(_ pool: Result<DatabasePool, StoreError>, file: OpenFile, terms: StoreTerms) {
        self.pool = pool
        self.file = file
        self.terms = terms
        state = CommitState(owner: terms.owner)
    }

    func run(_ jobs: [WriterJob], _ deliver: (Committed) -> Void) {
        do {
            if case .alone(let job) = jobs.first {
                try checkFile(after: .zero)
                let done = try pool.get().writeWithoutTransaction { try job.body($0) }
                return done()
            }
            try checkFile(after: file.interval)
            let done = try pool.get().writeWithoutTransaction { try commit(jobs, in: $0) }
            // First, so that callers find everything done that follows from the commit.
            if !done.committed.isNothing { deliver(done.committed) }
            for call in done.calls { call() }
        } catch {
            let fault = StoreError(error, path: file.path)
            guard jobs.count == 1 || fault.isOfTheFile else {
                for job in jobs { run([job], deliver) }
                return
            }
            fail(jobs, fault, deliver)
        }
    }

    private func checkFile(after interval: Duration) throws(StoreError) {
        let now = ContinuousClock.now
        if let checkedAt, now - checkedAt < interval { return }
        // A file that is gone is looked for again before each write.
        checkedAt = nil
        try file.checkStillThere()
        checkedAt = now
    }

    /// Files what is not filed yet.
    func end() {
        defer { state.releaseStatements() }
        guard isBehind else { return }
        do {
            _ = try pool.get().writeWithoutTransaction { try commit([.step(Self.filing)], in: $0) }
        } catch {
            // The rows are committed; the next writer files them.
        }
    }

    /// Half of SQLite's limit, at which the next commit would merge the log itself.
    private static let logPagesMax = 4_096

    /// Whether the log is long enough to merge it in a quiet moment, so that a line seldom pays for it.
    var hasLongLog: Bool { pagesWritten - mergedAt >= Self.logPagesMax }

    func mergeLog() {
        mergedAt = pagesWritten
        do {
            try pool.get().writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
        } catch {
            // On a full disk the log stays, and is merged later.
        }
    }

    private static let filing = WriterJob.Step { transaction in
        try transaction.file()
        return {}
    } failed: { _ in
    }

    /// What to report after the commit.
    private struct Done {
        var committed = Committed()
        var calls: [() -> Void] = []
    }

    /// The result of a job before the quota is applied to all of them.
    private enum Part {
        case drafts([Draft], [(record: VerifiedRecord, outcome: InsertOutcome)], WriterJob.Reply<[Published]>)
        case incoming([IncomingRecord], [InsertOutcome], WriterJob.Reply<[InsertOutcome]>)
        case step(() -> Void)
    }

    private func commit(_ jobs: [WriterJob], in database: Database) throws -> Done {
        do {
            let hot = try state.statements(in: database)
            try hot.begin.run()
            try state.catchUp(for: jobs.reduce(0) { $0 + $1.recordCount }, in: database)
            let transaction = try Transaction(database, state, terms)
            let parts = try jobs.map { try part($0, of: transaction) }
            try transaction.finish()
            var done = Done()
            for part in parts { try settle(part, of: transaction, into: &done) }
            done.committed.keys = try transaction.keyChanges()
            done.committed.isFull = transaction.isFull
            done.committed.written = transaction.written.sorted { $0.number ?? 0 < $1.number ?? 0 }
            if state.mustFile { try state.file(in: database) }
            try hot.commit.run()
            isBehind = state.isBehind
            pagesWritten = database.pagesWritten
            return done
        } catch {
            state.forget()
            // SQLite may already have rolled back.
            if database.isInsideTransaction { try RawStatement(database, "ROLLBACK").run() }
            throw error
        }
    }

    private func part(_ job: WriterJob, of transaction: Transaction) throws -> Part {
        switch job {
        case .drafts(let drafts, let reply): .drafts(drafts, try transaction.sign(drafts), reply)
        case .incoming(let records, let wallTime, let reply):
            .incoming(records, try transaction.take(records, at: wallTime), reply)
        case .step(let step): .step(try step.body(transaction))
        case .alone: preconditionFailure("a job that runs alone shares no transaction")
        }
    }

    private func settle(_ part: Part, of transaction: Transaction, into done: inout Done) throws {
        switch part {
        case .drafts(let drafts, let signed, let reply):
            let published = try transaction.published(drafts, signed)
            switch reply {
            case .ticket(let ticket): done.committed.published.append((ticket, .success(published)))
            case .call(let call): done.calls.append { call(.success(published)) }
            }
        case .incoming(let records, let outcomes, let reply):
            let outcomes = try transaction.settled(outcomes, of: records.map(\.record))
            switch reply {
            case .ticket(let ticket): done.committed.incoming.append((ticket, .success(outcomes)))
            case .call(let call): done.calls.append { call(.success(outcomes)) }
            }
        case .step(let call): done.calls.append(call)
        }
    }

    private func fail(_ jobs: [WriterJob], _ fault: StoreError, _ deliver: (Committed) -> Void) {
        var committed = Committed(keys: KeyChanges(since: state.mark, mark: state.mark))
        for job in jobs {
            switch job {
            case .drafts(_, .ticket(let ticket)): committed.published.append((ticket, .failure(fault)))
            case .drafts(_, .call(let call)): call(.failure(fault))
            case .incoming(_, _, .ticket(let ticket)): committed.incoming.append((ticket, .failure(fault)))
            case .incoming(_, _, .call(let call)): call(.failure(fault))
            case .step(let step): step.failed(fault)
            case .alone(let alone): alone.failed(fault)
            }
        }
        if !committed.published.isEmpty || !committed.incoming.isEmpty { deliver(committed) }
    }
}

extension StoreError {
    /// Whether no job caused it, so that trying each by itself is useless.
    fileprivate var isOfTheFile: Bool {
        switch self {
        case .diskFull, .readOnly, .busy, .cannotOpen, .tooNew: true
        case .damaged, .failed: false
        }
    }
}
