import LatticeCore
import LatticeWire

/// How far this peer is with what it lacks, as people are told.
struct CatchingUp: Sendable {
    /// What was told last.
    private(set) var told = SyncProgress(isCaughtUp: false, fetched: 0, missing: 0, peers: 0)
    private var fetched = 0
    private var peers: Set<PeerID> = []
    /// Of these, those that gave something.
    private var givers: Set<PeerID> = []
    /// A comparison of everything has ended well since somebody came.
    private var hasCompared = false

    mutating func fetched(_ count: Int) {
        fetched += count
    }

    mutating func given(by peer: PeerID) {
        if givers.count < MeshLimit.peopleMax { givers.insert(peer) }
    }

    mutating func compared(with peer: PeerID) {
        hasCompared = true
        if peers.count < MeshLimit.peopleMax { peers.insert(peer) }
    }

    mutating func everybodyLeft() {
        hasCompared = false
    }

    /// - Parameter isUnsure: a comparison of ours is under way, or the store fails.
    /// - Returns: whether that is something else than what was told last.
    mutating func changes(missing: Int, isUnsure: Bool) -> Bool {
        let isCaughtUp = hasCompared && !isUnsure && missing == 0
        if told.isCaughtUp, !isCaughtUp {
            fetched = 0
            peers = []
            givers = []
        }
        let current = SyncProgress(
            isCaughtUp: isCaughtUp, fetched: fetched, missing: missing,
            peers: fetched > 0 && !givers.isEmpty ? givers.count : peers.count)
        guard current != told else { return false }
        told = current
        return true
    }
}
