import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeMetrics
import LatticeStore
import Logging

// Reports open, waiting and refused work to the metrics backend: once a second, on request and at the end.
extension Node {
    func measure() {
        let (now, time) = (stats, Clocks.now)
        metrics.measure(
            NodeMetrics.Depths(
                stats: now,
                backlog: .init(mesh.fairness.backlogCount, since: mesh.fairness.backlogSince, at: time),
                keep: .init(ingest.waiting.count, since: ingest.waiting.oldest, at: time),
                compare: .init(reconciliation?.count ?? 0, since: reconciliation?.oldest, at: time),
                supply: .init(server.count, since: server.oldest, at: time),
                progress: progress),
            refusedBefore: refusedMeasured)
        refusedMeasured = now.refused
    }

    /// With all counters, if this process's backend can be read, and figures read from the store.
    func statsInFull() async -> NodeStats {
        let tally = configuration.metrics as? Tally
        if tally != nil, let wall {
            do {
                metrics.store.measure(try await wall.store.totals(), quotaBytes: wall.store.quota.bytes)
            } catch {
                logger.debug("could not read the state of the store", metadata: ["error": "\(error)"])
            }
        }
        measure()
        var now = stats
        now.families = tally?.families() ?? []
        return now
    }
}
