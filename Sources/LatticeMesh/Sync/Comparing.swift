package import LatticeCore
package import LatticeWire

/// One step of a session, for the owner of the set of stored records.
package struct ComparisonWork: Hashable, Sendable {
    package let link: LinkID
    /// The side whose message to write: `question` if this peer began.
    package let side: Comparison.Side
    package let session: UInt32
    package let scope: SyncScope
    package let since: HybridTime
    /// The other side's last message; empty if this peer begins.
    package let message: [UInt8]

    package init(
        link: LinkID, side: Comparison.Side, session: UInt32, scope: SyncScope, since: HybridTime, message: [UInt8]
    ) {
        self.link = link
        self.side = side
        self.session = session
        self.scope = scope
        self.since = since
        self.message = message
    }
}

/// The result of a step.
package struct ComparisonOutcome: Hashable, Sendable {
    package enum Result: Hashable, Sendable {
        /// The message to send, `nil` at the end of our own session; ids that are only here; ids that are only there
        /// and neither being written nor revoked here.
        case step(reply: [UInt8]?, have: [RecordID], need: [RecordID])
        /// The set is not loaded yet, or there is no capacity for the work.
        case unready
        /// The other side broke the protocol.
        case faulty(String)
    }

    package let work: ComparisonWork
    package let result: Result

    package init(_ work: ComparisonWork, _ result: Result) {
        self.work = work
        self.result = result
    }
}

/// The outcome for a record that was to be stored.
package struct KeptRecord: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// It is on disk now, and was not before.
        case added
        /// It was there already.
        case known
        /// Valid but not stored: expired, superseded, revoked, or no space. Another copy would fare no better.
        case declined
        /// Expired by the age that the neighbour gave; another neighbour may know better.
        case declinedForAge
        /// Invalid for its kind.
        case faulty
        /// The store failed; it may work later.
        case failed
    }

    package let id: RecordID
    package let outcome: Outcome

    package init(_ id: RecordID, _ outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}

/// How many records that neighbours have are still missing here.
package struct ReconcileProgress: Hashable, Sendable {
    /// Nothing is known to be missing, and a round with every neighbour has ended.
    package var isCaughtUp: Bool
    /// Records fetched since the last `isCaughtUp`, or the start.
    package var fetched: Int
    package var missing: Int
    /// Neighbours that served something since the last `isCaughtUp`, or the start; if none did, those that we
    /// reconciled with.
    package var peers: Int

    package init(isCaughtUp: Bool, fetched: Int, missing: Int, peers: Int) {
        self.isCaughtUp = isCaughtUp
        self.fetched = fetched
        self.missing = missing
        self.peers = peers
    }
}

/// Reconciling with one neighbour.
package struct SyncNeighbour: Hashable, Sendable {
    package let peer: PeerID
    /// What it keeps; `nil` if it never sent that.
    package let keeping: Keeping?
    /// Whether a round that we began with it is under way.
    package let isComparing: Bool
    /// When the last round with it ended; either side may have begun it.
    package let comparedAt: Instant?
    /// Records that it served and that were stored here.
    package let gained: Int
    /// Records from here that it reports as stored.
    package let given: Int

    package init(
        peer: PeerID, keeping: Keeping?, isComparing: Bool, comparedAt: Instant?, gained: Int, given: Int
    ) {
        self.peer = peer
        self.keeping = keeping
        self.isComparing = isComparing
        self.comparedAt = comparedAt
        self.gained = gained
        self.given = given
    }
}
