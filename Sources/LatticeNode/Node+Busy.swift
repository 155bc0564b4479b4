import LatticeCore
import LatticeLink
import LatticeMesh

// Slow links: the mesh is notified when a send queue is full, and when it drains.
extension Node {
    /// Queued bytes, of a link's 12 MB, beyond which the mesh holds back relayed records. The rest is for our own records and
    /// for a new link's 9 MB of outbox and presences.
    static let busyBytes = 1 << 20
    /// Queued bytes at which the next portion is released: two of the writer's batches, so that it never runs dry.
    static let freeBytes = 512 << 10
    /// As many links as `LinkLimits` allows, and as many that have ended meanwhile.
    static let busyLinksMax = 512

    func noteIfBusy(_ id: LinkID) {
        guard let link = live[id], !busy.contains(id), link.waitingBytes > Self.busyBytes, !link.isClosing else {
            return
        }
        // Without a task that watches it the link would never be free again.
        guard case .enqueued = busyInput.yield(link) else { return }
        busy.insert(id)
        handle(.linkBusy(id))
    }

    /// One task for each busy link.
    nonisolated func watchBusyLinks(_ links: AsyncStream<Link>) async {
        await withDiscardingTaskGroup { group in
            for await link in links {
                group.addTask {
                    while !link.isClosing, await self.isStillBusy(link) { await link.drained(below: Self.freeBytes) }
                }
            }
        }
    }

    /// Releases a portion if the link is free for one.
    private func isStillBusy(_ link: Link) -> Bool {
        guard busy.contains(link.id) else { return false }
        guard link.waitingBytes <= Self.freeBytes else { return true }
        handle(.linkFree(link.id))
        guard !mesh.fairness.isBusy(link.id) else { return true }
        busy.remove(link.id)
        return false
    }
}
