import GRDB
package import LatticeCore
package import LatticeWire

/// A record to date, sign and store.
package struct Draft: Sendable {
    package let author: PeerID
    /// When it was written.
    package let at: WallTime
    /// The record is not dated before this.
    package var notBefore: HybridTime
    /// Whether it stays in the outbox until a peer confirms it.
    package let waits: Bool
    /// The `StoredDraft` that the record publishes: it ends in the same commit. If it is gone, nothing is stored.
    package let publishes: Int64?
    /// Signs a record with the given date. It runs inside the transaction, and again if another job rolls that back:
    /// another process may write in between.
    package let make: @Sendable (HybridTime) -> VerifiedRecord

    package init(
        author: PeerID, at: WallTime, notBefore: HybridTime = HybridTime(rawValue: 0), waits: Bool,
        publishes: Int64? = nil, make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) {
        self.author = author
        self.at = at
        self.notBefore = notBefore
        self.waits = waits
        self.publishes = publishes
        self.make = make
    }
}

/// The result of a draft.
package struct Published: Sendable {
    package let record: VerifiedRecord
    package let outcome: InsertOutcome
    /// The `seq` of its outbox row; `nil` if it is not in the outbox or was not stored.
    package let number: Int64?
}

/// The result of one commit. A failed job is reported in the same way, with the jobs committed beside it or alone.
package struct Committed: Sendable {
    package var published: [(UInt64, Result<[Published], StoreError>)] = []
    package var incoming: [(UInt64, Result<[InsertOutcome], StoreError>)] = []
    /// Our personas' records that entered the outbox, whichever jobs wrote them, in the order of their numbers.
    package var written: [Published] = []
    /// `nil` if there were more than `KeyChanges.keysMax`: use `CatalogueReader.changes(after:limit:)`.
    package var keys: KeyChanges?
    /// A record was declined or evicted because a quota is used up.
    package var isFull = false

    var isNothing: Bool {
        published.isEmpty && incoming.isEmpty && written.isEmpty && keys?.isEmpty ?? false
    }
}

/// The keys that a commit removed and added. They apply to a copy of the keys at `since`; any other uses
/// `CatalogueReader.changes(after:limit:)`.
package struct KeyChanges: Sendable {
    package static let keysMax = 4_096

    package let since: CatalogueMark
    /// Apply these before `added`. A copy may never have had some of them.
    package var removed: [StoredKey] = []
    /// Those of `removed` whose author was blocked.
    package var returning: Set<RecordID> = []
    package var added: [StoredKey] = []
    package let mark: CatalogueMark

    package var isEmpty: Bool { removed.isEmpty && added.isEmpty }
}

enum WriterJob: Sendable {
    case drafts([Draft], Reply<[Published]>)
    case incoming([IncomingRecord], at: WallTime, Reply<[InsertOutcome]>)
    case step(Step)
    /// Runs outside any transaction and shares it with no other job.
    case alone(Alone)

    enum Reply<Value: Sendable>: Sendable {
        case ticket(UInt64)
        case call(@Sendable (Result<Value, StoreError>) -> Void)
    }

    struct Step: Sendable {
        /// The closure that it returns runs after the commit.
        let body: @Sendable (Transaction) throws -> @Sendable () -> Void
        let failed: @Sendable (StoreError) -> Void
    }

    struct Alone: Sendable {
        let body: @Sendable (Database) throws -> @Sendable () -> Void
        let failed: @Sendable (StoreError) -> Void
    }

    var recordCount: Int {
        switch self {
        case .drafts(let drafts, _): drafts.count
        case .incoming(let records, _, _): records.count
        case .step, .alone: 1
        }
    }

    /// Bytes of signed records; the size of drafts is unknown before they are signed.
    var bytes: Int {
        guard case .incoming(let records, _, _) = self else { return 0 }
        return records.reduce(0) { $0 + $1.record.signed.bytes.count }
    }
}
