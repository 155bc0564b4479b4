package import LatticeCore

/// How far a peer is with what others have and it lacks.
package struct SyncProgress: Hashable, Sendable, Codable {
    /// Nothing is known to be missing, and it has compared with somebody who is here.
    package let isCaughtUp: Bool
    /// Records that came since it was caught up last, or began.
    package let fetched: Int
    /// `fetched` and what is known to be missing.
    package let total: Int
    /// Neighbours that gave something; where none did, those compared with.
    package let peers: Int

    package init(isCaughtUp: Bool, fetched: Int, total: Int, peers: Int) {
        self.isCaughtUp = isCaughtUp
        self.fetched = fetched
        self.total = total
        self.peers = peers
    }
}

/// What a peer has, what it lacks, and when it compared with whom.
package struct SyncStatus: Hashable, Sendable, Codable {
    package struct Peer: Hashable, Sendable, Codable {
        package let id: PeerID
        package let name: String
        package let isConnected: Bool
        /// When what both have was compared last; `nil` if never.
        package let comparedAt: WallTime?
        /// Records that came from it and were kept, since this is counted.
        package let gained: Int
        /// Records that it took from here.
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

    /// A group of kinds and the date before which, for want of room, nothing of it is kept; `nil` where all is.
    package struct Group: Hashable, Sendable, Codable {
        /// `chat`, `wall`, `people`, `changes` or `other`.
        package let name: String
        package let records: Int
        package let since: WallTime?

        package init(name: String, records: Int, since: WallTime?) {
            self.name = name
            self.records = records
            self.since = since
        }
    }

    /// Absent where no node runs in this process.
    package let progress: SyncProgress?
    /// When this peer was caught up last; `nil` if it never was.
    package let caughtUpAt: WallTime?
    package let groups: [Group]
    /// Connected ones first, then whom it compared with last.
    package let peers: [Peer]

    package init(progress: SyncProgress?, caughtUpAt: WallTime?, groups: [Group], peers: [Peer]) {
        self.progress = progress
        self.caughtUpAt = caughtUpAt
        self.groups = groups
        self.peers = peers
    }
}

/// Lines of a room in the order that they have for everybody: a line stands behind all that its author had seen.
package struct HistoryPage: Hashable, Sendable, Codable {
    /// Oldest first.
    package let lines: [Message]
    /// Whether there are lines before them.
    package let hasMore: Bool

    package init(lines: [Message], hasMore: Bool) {
        self.lines = lines
        self.hasMore = hasMore
    }
}
