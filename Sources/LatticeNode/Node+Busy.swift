import LatticeCore
import LatticeLink
import LatticeMesh

// Links that take in slowly: the mesh is told when too much waits on one, and when it takes in more.
extension Node {
    /// So much of a link's 12 MB may wait before the mesh keeps back what others said: the rest is for what is ours, a new
    /// link's 9 MB of outbox and presences.
    static let busyBytes = 1 << 20
    /// So little waits when the next portion is let go: two of the writer's batches, so that it never runs dry.
    static let freeBytes = 512 << 10
    /// Links there can be by `LinkLimits`, and as many that have ended meanwhile.
    static let busyLinksMax = 512

    func noteIfBusy(_ id: LinkID) {
        guard let link = live[id], !busy.contains(id), link.waitingBytes > Self.busyBytes, !link.isClosing else {
            return
        }
        // Without somebody who waits for it the link would never be free again.
        guard case .enqueued = busyInput.yield(link) else { return }
        busy.insert(id)
        handle(.linkBusy(id))
    }

    /// One task for each link that is busy.
    nonisolated func watchBusyLinks(_ links: AsyncStream<Link>) async {
        await withDiscardingTaskGroup { group in
            for await link in links {
                group.addTask {
                    while !link.isClosing, await self.isStillBusy(link) { await link.drained(below: Self.freeBytes) }
                }
            }
        }
    }

    /// Lets a portion go if the link has become free for one.
    private func isStillBusy(_ link: Link) -> Bool {
        guard busy.contains(link.id) else { return false }
        guard link.waitingBytes <= Self.freeBytes else { return true }
        handle(.linkFree(link.id))
        guard !mesh.fairness.isBusy(link.id) else { return true }
        busy.remove(link.id)
        return false
    }
}
