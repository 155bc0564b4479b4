import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh

/// Counts what happens, and reports it to the metrics backend.
struct Meter {
    let metrics: NodeMetrics
    /// What was refused: faulty links, and records the store did not take.
    private var refusals = RefusalCounts()
    /// Counts already given to the metrics.
    private var reported = RefusalCounts()

    init(_ metrics: NodeMetrics) {
        self.metrics = metrics
    }

    mutating func refused(_ reason: RefusalReason) {
        refusals.add(reason)
    }

    /// What is open, and what was refused by all modules together.
    func stats(_ links: LinkTable, _ mesh: Mesh) -> NodeStats {
        let usage = links.transport.usage
        var refused = refusals
        refused.add(usage.refusals)
        refused.add(mesh.refusalCounts)
        return NodeStats(
            links: mesh.register.neighbourCount, incoming: usage.incoming, outgoing: usage.outgoing,
            halfOpen: usage.halfOpen, addresses: usage.addresses, waitingBytes: links.waitingBytes,
            waitingRecords: mesh.fairness.backlogCount, refused: refused)
    }

    mutating func measure(_ depths: NodeMetrics.Depths) {
        metrics.measure(depths, refusedBefore: reported)
        reported = depths.stats.refused
    }
}
