package import LatticeCore

package struct SyncProgress: Hashable, Sendable, Codable {
    /// Nothing is known to be missing, and it has reconciled with a connected peer.
    package let isCaughtUp: Bool
    /// Records that came since it was last caught up, or started.
    package let fetched: Int
    /// `fetched` plus the records known to be missing.
    package let total: Int
    /// Neighbours that served something; if none did, those it reconciled with.
    package let peers: Int

    package init(isCaughtUp: Bool, fetched: Int, total: Int, peers: Int) {
        self.isCaughtUp = isCaughtUp
        self.fetched = fetched
        self.total = total
        self.peers = peers
    }
}

/// What a peer stores, what it lacks, and when it last reconciled with each peer.
package struct SyncStatus: Hashable, Sendable, Codable {
    package struct Peer: Hashable, Sendable, Codable {
        package let id: PeerID
        package let name: String
        package let isConnected: Bool
        /// When the two last reconciled; `nil` if never.
        package let comparedAt: WallTime?
        /// Records that came from it and were stored, since counting began.
        package let gained: Int
        /// Records that it fetched from here.
        package let given: Int

        package init(
            id: PeerID, name: String, isConnected: Bool, comparedAt: WallTime?, gained: Int, given: Int
        ) {
            self.id = id
            self.name = name
            self.isConnected = isConnected
            self.comparedAt = comparedAt
            self.gained = gained
            self.given = given
        }
    }

    /// A group of kinds, and the date before which the full store keeps none of them; `nil` if it keeps all.
    package struct Group: Hashable, Sendable, Codable {
        /// `chat`, `posts`, `people`, `changes` or `other`.
        package let name: String
        package let records: Int
        package let since: WallTime?

        package init(name: String, records: Int, since: WallTime?) {
            self.name = name
            self.records = records
            self.since = since
        }
    }

    /// Absent if no node runs in this process.
    package let progress: SyncProgress?
    /// When this peer was last caught up; `nil` if never.
    package let caughtUpAt: WallTime?
    package let groups: [Group]
    /// Connected ones first, then by the latest reconciliation.
    package let peers: [Peer]

    package init(progress: SyncProgress?, caughtUpAt: WallTime?, groups: [Group], peers: [Peer]) {
        self.progress = progress
        self.caughtUpAt = caughtUpAt
        self.groups = groups
        self.peers = peers
    }
}

/// Lines of a room in the order that everybody sees: a line follows all lines that its author had seen.
package struct HistoryPage: Hashable, Sendable, Codable {
    /// Oldest first.
    package let lines: [Message]
    /// Whether there are earlier lines.
    package let hasMore: Bool

    package init(lines: [Message], hasMore: Bool) {
        self.lines = lines
        self.hasMore = hasMore
    }
}
