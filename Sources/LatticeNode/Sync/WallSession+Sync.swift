package import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore

extension WallSession {
    /// What became of catching up.
    package enum SyncEnd: Hashable, Sendable {
        case caughtUp(LatticeAPI.SyncProgress)
        case nobodyThere
        /// Not in that time; what came by then is kept.
        case unfinished(LatticeAPI.SyncProgress)
        /// A process that runs for this folder does it all the time.
        case byRunningNode
        /// What runs for this folder is in another mesh, and compares nothing of this one.
        case elsewhere(ListeningNote)
    }

    /// So long nothing may be missing, and nobody ask for anything, before it counts as all there is: neighbours need a moment
    /// to find out what they lack.
    private static let calmTime: Duration = .milliseconds(800)
    private static let lookInterval: Duration = .milliseconds(50)

    /// Gets what others in sight have and this store lacks, and gives them what they lack, by a node of its own if none runs
    /// for this folder.
    ///
    /// - Parameters:
    ///   - configuration: of that node; its wall is this one.
    ///   - atMost: how long to look for somebody and to fetch.
    ///   - progress: told whenever it changes.
    package func sync(
        _ configuration: NodeConfiguration, atMost limit: Duration,
        progress: @escaping @Sendable (LatticeAPI.SyncProgress) -> Void
    ) async -> SyncEnd {
        guard let wall else { return .nobodyThere }
        let end = Clocks.now.advanced(by: limit)
        while let held = claim() {
            // Another command hands over what it wrote, which takes a few seconds.
            guard held == .byAnotherCommand, Clocks.now < end else {
                return switch held {
                case .byNode, .byAnotherCommand: .byRunningNode
                case .byNodeElsewhere(let note): .elsewhere(note)
                case .byNobody: .nobodyThere
                }
            }
            guard await Self.pause() else { return .byRunningNode }
        }
        guard let node = await Self.node(of: wall, configuration) else { return .nobodyThere }
        let events = await node.events()
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await node.run() }
            group.addTask {
                for await event in events {
                    if case .sync(let now) = event { progress(now) }
                }
            }
            let outcome = await Self.catchUp(node, until: end)
            await node.stop()
            await group.waitForAll()
            return outcome
        }
    }

    private static func catchUp(_ node: Node, until end: Instant) async -> SyncEnd {
        var calmSince: Instant?
        var hasMet = false
        while Clocks.now < end {
            let state = await node.syncState()
            hasMet = hasMet || state.hasCompany
            let now = Clocks.now
            if state.isCalm, state.hasCompany {
                let since = calmSince ?? now
                calmSince = since
                if since.duration(to: now) >= calmTime { return .caughtUp(state.progress) }
            } else {
                calmSince = nil
            }
            do {
                try await Task.sleep(for: lookInterval)
            } catch {
                break  // Cancelled: what came so far is kept.
            }
        }
        return hasMet ? .unfinished(await node.syncState().progress) : .nobodyThere
    }
}

extension Node {
    /// How it stands with comparing, for one who waits for its end.
    struct SyncState {
        let hasCompany: Bool
        /// Nothing is missing, asked for or being written, here or by a neighbour, as far as can be told.
        let isCalm: Bool
        let progress: LatticeAPI.SyncProgress
    }

    func syncState() -> SyncState {
        let neighbours = mesh.antiEntropy.neighbours
        let isCompared = neighbours.allSatisfy { $0.keeping == nil || ($0.comparedAt != nil && !$0.isComparing) }
        let isAnybodyAble = neighbours.contains { $0.keeping != nil }
        let givers = neighbours.count { $0.gained > 0 }
        // All of it, however often everything seemed to be there on the way.
        let inAll = LatticeAPI.SyncProgress(
            isCaughtUp: mesh.antiEntropy.progress.isCaughtUp, fetched: fetchedCount,
            total: fetchedCount + mesh.antiEntropy.progress.missing, peers: max(progress.peers, givers))
        return SyncState(
            hasCompany: isAnybodyAble,
            isCalm: isCompared && inAll.isCaughtUp && ingest.queue.isDone && server.isIdle, progress: inAll)
    }
}
