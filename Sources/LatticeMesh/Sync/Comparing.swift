package import LatticeCore
package import LatticeWire

/// One step of a comparison, for whoever has the set of all that is kept here.
package struct ComparisonWork: Hashable, Sendable {
    package let link: LinkID
    /// Whose message is to be made: `question` where this peer began the comparison.
    package let side: Comparison.Side
    package let session: UInt32
    package let scope: SyncScope
    package let since: HybridTime
    /// What the other side said last; empty where this peer is to begin.
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

/// What came of a step.
package struct ComparisonOutcome: Hashable, Sendable {
    package enum Result: Hashable, Sendable {
        /// What to answer, `nil` at the end of our own question; which records are here and not there; which are there and
        /// neither here, nor being written, nor taken back here.
        case step(reply: [UInt8]?, have: [RecordID], need: [RecordID])
        /// The set is not there yet, or there is no room for the work.
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

/// What became of a record that was to be kept.
package struct KeptRecord: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// It outlives this process now, and was not here before.
        case added
        /// It was here.
        case known
        /// Right, and not kept: over, superseded, taken back, or without room. Another copy would fare no better.
        case declined
        /// Over by the age that its giver told of it; another neighbour may know better.
        case declinedForAge
        /// Not what its kind has to be.
        case faulty
        /// The store took nothing; it may later.
        case failed
    }

    package let id: RecordID
    package let outcome: Outcome

    package init(_ id: RecordID, _ outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}

/// How far this peer is with what others have and it lacks.
package struct SyncProgress: Hashable, Sendable {
    /// Nothing is known to be missing, and everybody who is here was compared with.
    package var isCaughtUp: Bool
    /// Since it was caught up last, or began.
    package var fetched: Int
    /// Known to be missing.
    package var missing: Int
    /// Neighbours that gave something since it was caught up last, or began; where none did, those compared with.
    package var peers: Int

    package init(isCaughtUp: Bool, fetched: Int, missing: Int, peers: Int) {
        self.isCaughtUp = isCaughtUp
        self.fetched = fetched
        self.missing = missing
        self.peers = peers
    }
}

/// One neighbour, as far as comparing with it goes.
package struct SyncNeighbour: Hashable, Sendable {
    package let peer: PeerID
    /// What it keeps; `nil` if it never said.
    package let keeping: Keeping?
    /// Whether a comparison that we began with it is under way.
    package let isComparing: Bool
    /// When the last comparison with it ended, whoever began it.
    package let comparedAt: Instant?
    /// Records that it supplied and that were kept.
    package let gained: Int
    /// Records that it says it has stored from here.
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
