import GRDB
package import LatticeCore
package import LatticeWire

/// A record that is to be dated, signed and stored.
package struct Draft: Sendable {
    package let author: PeerID
    /// When it is said.
    package let at: WallTime
    /// The record is not dated before this.
    package let notBefore: HybridTime
    /// Whether it stands in the outbox until somebody confirms it.
    package let waits: Bool
    /// Signs a record of the date it is given. It runs inside the transaction, and again if that is rolled back because of another
    /// job: another process may write in between.
    package let make: @Sendable (HybridTime) -> VerifiedRecord

    package init(
        author: PeerID, at: WallTime, notBefore: HybridTime = HybridTime(rawValue: 0), waits: Bool,
        make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) {
        self.author = author
        self.at = at
        self.notBefore = notBefore
        self.waits = waits
        self.make = make
    }
}

/// What became of a draft.
package struct Published: Sendable {
    package let record: VerifiedRecord
    package let outcome: InsertOutcome
    /// The `seq` of its outbox row; `nil` if it does not wait, or was not kept.
    package let number: Int64?
}

/// What one commit did. A job that failed is told of in the same way, with the jobs that were committed beside it or alone.
package struct Committed: Sendable {
    package var published: [(UInt64, Result<[Published], StoreError>)] = []
    package var incoming: [(UInt64, Result<[InsertOutcome], StoreError>)] = []
    /// `nil` if there were more than `KeyChanges.keysMax`: `Store.changes(after:limit:)` has them.
    package var keys: KeyChanges?
    /// Something was turned away or evicted because the quota is used up.
    package var isFull = false

    var isNothing: Bool { published.isEmpty && incoming.isEmpty && keys?.isEmpty ?? false }
}

/// Which keys a commit removed and added. Of use to a copy of the keys that stands at `since`; any other reads
/// `Store.changes(after:limit:)`.
package struct KeyChanges: Sendable {
    package static let keysMax = 4_096

    package let since: CatalogueMark
    /// Go before `added`. Some may never have been in a copy.
    package var removed: [StoredKey] = []
    /// Of `removed`, those whose author was blocked.
    package var returning: Set<RecordID> = []
    package var added: [StoredKey] = []
    package let mark: CatalogueMark

    package var isEmpty: Bool { removed.isEmpty && added.isEmpty }
}

/// What waits for the writer.
enum WriterJob: Sendable {
    case drafts([Draft], Reply<[Published]>)
    case incoming([IncomingRecord], at: WallTime, Reply<[InsertOutcome]>)
    case step(Step)
    /// Runs outside any transaction, and by itself.
    case alone(Alone)

    enum Reply<Value: Sendable>: Sendable {
        case ticket(UInt64)
        case call(@Sendable (Result<Value, StoreError>) -> Void)
    }

    struct Step: Sendable {
        /// What it returns runs after the commit.
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

    /// Of signed records; what drafts hold is not known before they are made.
    var bytes: Int {
        guard case .incoming(let records, _, _) = self else { return 0 }
        return records.reduce(0) { $0 + $1.record.signed.bytes.count }
    }
}
