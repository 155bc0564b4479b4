import LatticeAPI
import LatticeCore
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

    private func noteIfCaughtUp() {
        if mesh.antiEntropy.progress.isCaughtUp { reconcile.caughtUp(at: clock.now) }
    }

    func compared() {
        meter.metrics.compared()
        noteIfCaughtUp()
    }

    /// Counts the records exchanged on current links.
    func countNeighbours() {
        reconcile.count(mesh.antiEntropy.neighbours, at: clock.now, Clocks.now)
    }
}
