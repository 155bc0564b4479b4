import GRDB
import LatticeCore
import LatticeWire

struct StoreTerms: Sendable {
    let owner: PeerID
    let quota: StoreQuota
    let blocked: BlockedAuthors
}

/// One transaction of the writer, in which several jobs may share a commit.
final class Transaction {
    let database: Database
    let state: CommitState
    private let hot: HotStatements
    private let terms: StoreTerms
    private let since: CatalogueMark
    private var batch: Batch?
    /// A record was declined or evicted.
    private(set) var isFull = false
    private(set) var written: [Published] = []
    /// Drafts that records of this transaction publish.
    private var publishedDrafts: Set<Int64> = []

    init(_ database: Database, _ state: CommitState, _ terms: StoreTerms) throws {
        self.database = database
        self.state = state
        hot = try state.statements(in: database)
        self.terms = terms
        since = state.mark
    }

    /// Takes in records that arrive at this time.
    func batch(at wallTime: WallTime) -> Batch {
        guard let batch else {
            let made = Batch(database, state, hot, at: wallTime)
            batch = made
            return made
        }
        batch.now = wallTime.milliseconds
        return batch
    }

    /// Signs and stores drafts; `finish` decides what the quota leaves of them.
    func sign(_ drafts: [Draft]) throws -> [(record: VerifiedRecord, outcome: InsertOutcome)] {
        try drafts.map { draft in
            let record = draft.make(state.nextDate(at: draft.at, notBefore: draft.notBefore))
            precondition(record.author == draft.author, "the author of the record is the person who writes here")
            if let number = draft.publishes {
                // Another process, or another request in this commit, may have been first.
                guard try DraftTable.isHere(number, in: database), publishedDrafts.insert(number).inserted else {
                    return (record, .erased)
                }
            }
            if let number = try state.writes(draft.author, in: database) {
                try ActivityTable(database: database).enter(ofPersona: number, draft.author)
            }
            let outcome = try batch(at: draft.at).insert(record, isOurs: true)
            // Nothing is written here that claims too much.
            if outcome == .added, record.claimsUrgency {
                try UrgentTable.note(record, isFetched: false, at: draft.at.milliseconds, in: database)
            }
            return (record, outcome)
        }
    }

    /// Stores records of others; `finish` decides what the quota leaves of them.
    func take(_ records: [IncomingRecord], at wallTime: WallTime) throws -> [InsertOutcome] {
        let blocked = terms.blocked.authors
        let batch = batch(at: wallTime)
        return try records.map { incoming in
            if blocked.contains(incoming.record.author) { return .blocked }
            let outcome = try batch.insert(
                incoming.record, ageSeconds: incoming.ageSeconds, via: incoming.via)
            if outcome == .added, incoming.isUrgent {
                try UrgentTable.note(
                    incoming.record, isFetched: incoming.isFetched, at: wallTime.milliseconds, in: database)
            }
            return outcome
        }
    }

    /// Stores one record and applies the quota at once, for a step that depends on the outcome.
    func enter(_ draft: Draft) throws -> (record: VerifiedRecord, outcome: InsertOutcome) {
        let signed = try sign([draft])
        try finish()
        let published = try published([draft], signed)[0]
        return (published.record, published.outcome)
    }

    /// Applies the quotas, and files if necessary.
    func finish() throws {
        try batch?.finish(terms.quota)
    }

    /// Files everything. Required before rows are read by their indexes.
    func file() throws {
        try finish()
        try state.file(in: database)
    }

    /// After `finish`: adds records that wait for a confirmation to the outbox.
    func published(
        _ drafts: [Draft], _ signed: [(record: VerifiedRecord, outcome: InsertOutcome)]
    ) throws -> [Published] {
        let outcomes = try settled(signed.map(\.outcome), of: signed.map(\.record))
        return try drafts.indices.map { index in
            let record = signed[index].record
            var number: Int64?
            if drafts[index].waits, outcomes[index] == .added, let row = try batch?.row(of: record.id) {
                try database.run("INSERT INTO outbox (record) VALUES (?)", [.int(row.seq)])
                number = row.seq
            }
            if let draft = drafts[index].publishes, outcomes[index] == .added {
                try DraftTable.remove(draft, in: database)
            }
            let one = Published(record: record, outcome: outcomes[index], number: number)
            if number != nil { written.append(one) }
            return one
        }
    }

    /// After `finish`: a record that was evicted at once was not added.
    func settled(_ outcomes: [InsertOutcome], of records: [VerifiedRecord]) throws -> [InsertOutcome] {
        var outcomes = outcomes
        if let batch, batch.hasEvicted {
            for (index, record) in records.enumerated() where outcomes[index] == .added {
                if try batch.row(of: record.id) == nil { outcomes[index] = .evicted }
            }
        }
        if outcomes.contains(.evicted) { isFull = true }
        return outcomes
    }

    /// Runs before the commit.
    ///
    /// - Returns: `nil` if there are more than `KeyChanges.keysMax`.
    func keyChanges() throws -> KeyChanges? {
        guard let batch else { return KeyChanges(since: since, mark: state.mark) }
        var removed: [(number: Int64, key: StoredKey, mayReturn: Bool)] = []
        if batch.hasRemoved {
            removed = try state.mark.removed(KeyChanges.keysMax + 1, in: database)
            let last = try database.one("SELECT max(number) FROM removal", []) { $0.int(0) }
            state.removed(upTo: last ?? 0)
        }
        guard removed.count + batch.added.count <= KeyChanges.keysMax else { return nil }
        return KeyChanges(
            since: since, removed: removed.map(\.key), returning: Set(removed.filter(\.mayReturn).map(\.key.id)),
            added: batch.added, mark: state.mark)
    }
}
