import LatticeCore
import LatticeLink
import LatticeMesh

/// Slow links: the mesh is notified when a send queue is full, and when it drains. Own speech waits for them.
enum LinkPace {
    private static let stallTimeout: Duration = .seconds(1)
    /// With very many unconfirmed lines, asks for confirmation this often until they are confirmed or nobody is connected.
    private static let confirmTimeout: Duration = .seconds(1)

    static func noteIfBusy(_ id: LinkID, on node: isolated Node) {
        guard node.links.becameBusy(id) else { return }
        watch(id, on: node)
        node.handle(.linkBusy(id))
    }

    private static func watch(_ id: LinkID, on node: isolated Node) {
        guard let link = node.links.watch(id) else { return }
        // In its own turn: the link may be closed by an effect of the mesh.
        link.whenDrained(below: LinkTable.freeBytes) { [weak node, turn = node.loop.turn] in
            turn.perform { [weak node] in node?.onLoop { drained(id, on: $0) } }
        }
    }

    /// Releases a portion if the link is free for one.
    private static func drained(_ id: LinkID, on node: isolated Node) {
        node.links.unwatch(id)
        guard let link = node.links[id], !link.isClosing else { return node.waits.resolve(.drained(id)) }
        // Another waiter's limit has passed, or our own speech came in between.
        guard link.waitingBytes <= LinkTable.freeBytes else { return watch(id, on: node) }
        node.waits.resolve(.drained(id))
        guard node.links.isBusy(id) else { return }
        node.handle(.linkFree(id))
        if node.mesh.fairness.isBusy(id) { watch(id, on: node) } else { node.links.becameFree(id) }
    }

    // MARK: - Own speech

    /// Waits while links or the mesh have too much of our speech.
    static func keep(after lines: Int, on node: isolated Node) async {
        for id in node.links.slow() { await keep(with: id, on: node) }
        await keepWithMesh(on: node)
        if node.links.isTurnOver(after: lines) { await Task.yield() }
    }

    /// Waits for a slow neighbour, but not for one that takes nothing: its queue fills up and ends the link.
    private static func keep(with id: LinkID, on node: isolated Node) async {
        while let excess = node.links.excess(on: id) {
            watch(id, on: node)
            await node.wait(for: .drained(id), until: Clocks.now.advanced(by: stallTimeout))
            node.links.waited(for: id, excessBefore: excess)
        }
    }

    /// Waits while very much is unconfirmed, or while we exceed what others accept from one author.
    private static func keepWithMesh(on node: isolated Node) async {
        while case let now = Clocks.now, isPaced(on: node, at: now), !node.hasStopped, !Task.isCancelled {
            if let time = node.ask({ $0.fairness.quietUntil(at: now) }) {
                await node.wait(for: nil, until: time)
            } else {
                _ = await Waits.flush(timeout: confirmTimeout, on: node)
            }
        }
    }

    private static func isPaced(on node: isolated Node, at now: Instant) -> Bool {
        node.ask { $0.isPaced(at: now) && $0.register.neighbourCount > 0 }
    }
}
