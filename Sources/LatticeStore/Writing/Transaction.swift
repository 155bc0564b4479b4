import GRDB
import LatticeCore
import LatticeWire

/// What a store is opened with.
struct StoreTerms: Sendable {
    let owner: PeerID
    let quota: StoreQuota
    let blocked: BlockedAuthors
}

/// One transaction of the writer, in which several jobs may share a commit.
final class Transaction {
    let database: Database
    let state: CommitState
    private let terms: StoreTerms
    private let since: CatalogueMark
    private var batch: Batch?
    /// Something was turned away or evicted.
    private(set) var isFull = false

    init(_ database: Database, _ state: CommitState, _ terms: StoreTerms) {
        self.database = database
        self.state = state
        self.terms = terms
        since = state.mark
    }

    /// Takes records in that come at this time.
    func batch(at wall: WallTime) -> Batch {
        guard let batch else {
            let made = Batch(database, state, at: wall)
            batch = made
            return made
        }
        batch.now = wall.milliseconds
        return batch
    }

    // MARK: Jobs

    /// Signs and keeps drafts; what the quota makes of them is known after `finish`.
    func sign(_ drafts: [Draft]) throws -> [(record: VerifiedRecord, outcome: InsertOutcome)] {
        try drafts.map { draft in
            let record = draft.make(state.nextDate(at: draft.at, notBefore: draft.notBefore))
            precondition(record.author == draft.author, "the author of the record is the person who writes here")
            if let number = try state.writes(draft.author, in: database) {
                try ActivityTable(database: database).enter(ofPersona: number, draft.author)
            }
            return (record, try batch(at: draft.at).insert(record, isOurs: true))
        }
    }

    /// Keeps what others said; what the quota makes of it is known after `finish`.
    func take(_ records: [IncomingRecord], at wall: WallTime) throws -> [InsertOutcome] {
        let blocked = terms.blocked.authors
        let batch = batch(at: wall)
        return try records.map { incoming in
            if blocked.contains(incoming.record.author) { return .blocked }
            return try batch.insert(incoming.record, ageSeconds: incoming.ageSeconds)
        }
    }

    /// Keeps a record of this author's, and what the quota makes of it: for a step that goes on with the outcome.
    func enter(_ draft: Draft) throws -> (record: VerifiedRecord, outcome: InsertOutcome) {
        let signed = try sign([draft])
        _ = try finish()
        let published = try published([draft], signed)[0]
        return (published.record, published.outcome)
    }

    /// Writes down what was counted, and makes room.
    ///
    /// - Returns: the numbers of the records that had to go.
    @discardableResult
    func finish() throws -> Set<Int64> {
        try batch?.finish(terms.quota) ?? []
    }

    /// Files everything: before what reads rows by their indexes.
    func file() throws {
        try finish()
        try state.file(in: database)
    }

    // MARK: What came of it

    /// After `finish`: what waits stands in the outbox.
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
            return Published(record: record, outcome: outcomes[index], number: number)
        }
    }

    /// After `finish`: what had to go at once was not added.
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

    /// Before the commit.
    ///
    /// - Returns: `nil` for more than `KeyChanges.keysMax`.
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
