import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh

// What the node has open and what it refused.
extension Node {
    var stats: NodeStats {
        let usage = links.usage
        var refused = refusals
        refused.add(usage.refusals)
        refused.add(mesh.refusalCounts)
        return NodeStats(
            links: mesh.register.neighbourCount, incoming: usage.incoming, outgoing: usage.outgoing,
            halfOpen: usage.halfOpen,
            addresses: usage.addresses, waitingBytes: live.values.reduce(0) { $0 + $1.waitingBytes },
            waitingRecords: mesh.fairness.backlogCount, refused: refused)
    }
}
