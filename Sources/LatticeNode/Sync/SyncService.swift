import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire

/// Catching up with neighbours: stores are reconciled, neighbours are served, and people see how far it is.
final class SyncService {
    /// `nil` if nothing is stored or nothing is reconciled.
    let reconciliation: Reconciliation?
    let server: RecordServer
    /// Programs that copy the store.
    let feeds = RecordFeeds()
    let bridges = BridgeReports()
    var status = ReconcileStatus()

    init(_ reconciliation: Reconciliation?, _ server: RecordServer) {
        (self.reconciliation, self.server) = (reconciliation, server)
    }

    func run(for node: isolated Node) async {
        await withDiscardingTaskGroup { [reconciliation, server] group in
            if let reconciliation { group.addTask { await reconciliation.run(for: node) } }
            group.addTask { await server.run() }
        }
    }

    // MARK: - Neighbours

    /// A neighbour requests these.
    func serve(_ ids: [RecordID], to id: LinkID, for node: isolated Node) {
        guard let link = node.links[id] else { return }
        let urgent = Set(node.ask { mesh in ids.filter { mesh.urgency.contains($0) } })
        server.serve(ids, to: link) { urgent.contains($0) }
    }

    func closed(_ link: Link) {
        reconciliation?.closed(link.id)
        server.closed(link.id)
        status.closed(link.peer.peer)
    }

    /// Counts the records exchanged on current links.
    func countNeighbours(for node: isolated Node) {
        status.count(node.mesh.antiEntropy.neighbours, at: node.clock.now, Clocks.now)
    }

    // MARK: - The store

    /// The store gained or lost records.
    func storeChanged() {
        reconciliation?.storeChanged()
        feeds.storeChanged()
    }

    func committed(_ committed: Committed) {
        if committed.isFull { status.storeFilled() }
        storeChanged()
    }

    // MARK: - Progress

    func progress(of node: isolated Node) -> SyncProgress {
        let progress = node.mesh.antiEntropy.progress
        return SyncProgress(
            isCaughtUp: progress.isCaughtUp, fetched: progress.fetched, total: progress.fetched + progress.missing,
            peers: progress.peers)
    }

    /// Something is missing that was not, or the other way round.
    func changed(for node: isolated Node) {
        status.progressed()
        noteIfCaughtUp(for: node)
    }

    /// A comparison with a neighbour has ended.
    func compared(for node: isolated Node) {
        node.meter.metrics.compared()
        noteIfCaughtUp(for: node)
    }

    private func noteIfCaughtUp(for node: isolated Node) {
        if node.mesh.antiEntropy.progress.isCaughtUp { status.caughtUp(at: node.clock.now) }
    }

    /// Progress changes with nearly every record, but people hear of it only a few times a second.
    func tellProgress(at now: Instant, for node: isolated Node) {
        if status.takesProgress(at: now) { node.notifier.tell(.sync(progress(of: node)), for: node) }
    }

    // MARK: - For callers that wait for its end

    struct State {
        let hasCompany: Bool
        /// Nothing is missing, requested or being written, here or at a neighbour, as far as known.
        let isCalm: Bool
        let progress: SyncProgress
    }

    func state(of node: isolated Node) -> State {
        let neighbours = node.mesh.antiEntropy.neighbours
        let now = node.mesh.antiEntropy.progress
        let isCompared = neighbours.allSatisfy { $0.keeping == nil || ($0.comparedAt != nil && !$0.isComparing) }
        let givers = neighbours.count { $0.gained > 0 }
        // The total, even if everything seemed to be there in between.
        let inAll = SyncProgress(
            isCaughtUp: now.isCaughtUp, fetched: status.fetchedCount, total: status.fetchedCount + now.missing,
            peers: max(now.peers, givers))
        return State(
            hasCompany: neighbours.contains { $0.keeping != nil },
            isCalm: isCompared && inAll.isCaughtUp && node.ingest.waiting.isDone && server.isIdle, progress: inAll)
    }
}
