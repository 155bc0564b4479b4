import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeMesh
import LatticeMetrics
import LatticeStore
import Logging

/// Requests about how the node is doing: counts, health, and reconciliation.
enum StatusHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(ShowStats.self) { node, _, _ throws(RequestError) in await stats(of: node) }
        table.onOwner(ShowHealth.self) { node, _ throws(RequestError) in health(of: node) }
        table.onPersona(SyncNow.self) { node, _, _ throws(RequestError) in
            guard node.archive != nil else { throw .store(fault: .missing) }
            node.handle(.syncWanted)
            return Done()
        }
        table.onPersona(
            ShowSyncStatus.self,
            { node, _, _ throws(RequestError) in try await syncStatus(of: node) },
            withoutNode: { store, _ throws(RequestError) in
                let stored = try await store.archive.reader.syncStatus(at: await store.time())
                return SyncStatus(
                    progress: nil, caughtUpAt: stored.caughtUpAt, groups: stored.groups,
                    peers: stored.peers(connected: [], names: [:]))
            })
    }

    /// With all counters, if this process's backend can be read, and figures read from the store.
    private static func stats(of node: isolated Node) async -> NodeStats {
        let registry = node.configuration.metrics as? MetricRegistry
        if registry != nil, let store = node.archive?.store {
            do {
                node.meter.metrics.store.measure(try await store.upkeep.totals(), quotaBytes: store.quota.bytes)
                node.meter.metrics.bridges.measure(try await node.sync.bridges.current(at: Clocks.now, on: node))
            } catch {
                node.logger.debug("could not read the state of the store", metadata: ["error": "\(error)"])
            }
        }
        Meter.measure(node)
        var stats = node.meter.stats(node.links, node.mesh)
        stats.families = registry?.families() ?? []
        return stats
    }

    /// What may keep others from linking, in all modules together.
    private static func health(of node: isolated Node) -> NodeHealth {
        let (configuration, clock, network) = (node.configuration, node.clock, node.network)
        let lead = clock.lead
        return NodeHealth(
            meshTags: network.tags(of: Digest.meshTag(configuration.mesh), at: clock.now),
            isClosed: network.isClosed, invitations: configuration.invitations.policy.rawValue,
            discovery: configuration.discovery.rawValue, interface: configuration.interface,
            clockAhead: lead?.0, clockPeers: lead?.peers ?? 0, isClockWrong: clock.source != .machine,
            dialFailures: network.failures.all)
    }

    private static func syncStatus(of node: isolated Node) async throws(RequestError) -> SyncStatus {
        guard let archive = node.archive else { throw .store(fault: .missing) }
        await node.maintenance?.noteComparisons(for: node)
        let (now, names) = (node.clock.now, node.links.names)
        let connected = node.mesh.antiEntropy.neighbours.map(\.peer)
        let stored = try await archive.reader.syncStatus(at: now)
        return SyncStatus(
            progress: node.sync.progress(of: node),
            caughtUpAt: node.mesh.antiEntropy.progress.isCaughtUp ? node.clock.now : stored.caughtUpAt,
            groups: stored.groups, peers: stored.peers(connected: connected, names: names))
    }
}
