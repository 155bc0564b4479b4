import LatticeMesh

// Open, waiting and refused work: measured once a second, on request and at the end.
extension Meter {
    static func measure(_ node: isolated Node) {
        let time = Clocks.now
        let depths = NodeMetrics.Depths(
            stats: node.meter.stats(node.links, node.mesh),
            backlog: .init(node.mesh.fairness.backlogCount, since: node.mesh.fairness.backlogSince, at: time),
            keep: .init(node.ingest.waiting.count, since: node.ingest.waiting.oldest, at: time),
            compare: .init(node.sync.reconciliation?.count ?? 0, since: node.sync.reconciliation?.oldest, at: time),
            serve: .init(node.sync.server.count, since: node.sync.server.oldest, at: time),
            progress: node.sync.progress(of: node))
        node.meter.measure(depths)
    }
}
