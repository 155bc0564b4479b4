import LatticeCore
import LatticeWire

/// Progress with missing records, for people.
struct CatchingUp: Sendable {
    /// The last progress that was reported.
    private(set) var told = ReconcileProgress(isCaughtUp: false, fetched: 0, missing: 0, peers: 0)
    private var fetched = 0
    private var peers: Set<PeerID> = []
    /// The ones of `peers` that served something.
    private var givers: Set<PeerID> = []
    /// A round over everything has succeeded since a neighbour connected.
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

    /// - Parameter isUnsure: one of our rounds is under way, or the store fails.
    /// - Returns: whether the progress differs from the last report.
    mutating func changes(missing: Int, isUnsure: Bool) -> Bool {
        let isCaughtUp = hasCompared && !isUnsure && missing == 0
        if told.isCaughtUp, !isCaughtUp {
            fetched = 0
            peers = []
            givers = []
        }
        let current = ReconcileProgress(
            isCaughtUp: isCaughtUp, fetched: fetched, missing: missing,
            peers: fetched > 0 && !givers.isEmpty ? givers.count : peers.count)
        guard current != told else { return false }
        told = current
        return true
    }
}
