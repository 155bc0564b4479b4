import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire

// Reconciliation progress.
extension Node {
    var progress: LatticeAPI.SyncProgress {
        let progress = mesh.antiEntropy.progress
        return LatticeAPI.SyncProgress(
            isCaughtUp: progress.isCaughtUp, fetched: progress.fetched, total: progress.fetched + progress.missing,
            peers: progress.peers)
    }

    func syncChanged() {
        reconcile.progressed()
        noteIfCaughtUp()
    }

    func compared() {
        metrics.compared()
        noteIfCaughtUp()
    }

    private func noteIfCaughtUp() {
        if mesh.antiEntropy.progress.isCaughtUp { reconcile.caughtUp(at: clock.now) }
    }

    /// Counts the records exchanged on current links.
    func countNeighbours() {
        reconcile.count(mesh.antiEntropy.neighbours, at: clock.now, Clocks.now)
    }

    func syncStatus() async throws(RequestError) -> SyncStatus {
        guard let wall else { throw .noStore }
        await maintenance?.noteComparisons(for: self)
        var names: [PeerID: String] = [:]
        for link in live.values { names[link.peer.peer] = link.peer.name.text }
        let connected = mesh.antiEntropy.neighbours.map(\.peer)
        let stored = try await wall.reader.syncStatus(at: clock.now)
        return SyncStatus(
            progress: progress, caughtUpAt: mesh.antiEntropy.progress.isCaughtUp ? clock.now : stored.caughtUpAt,
            groups: stored.groups, peers: stored.peers(connected: connected, names: names))
    }
}
