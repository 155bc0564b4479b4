package import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore

extension WallSession {
    /// How catching up ended.
    package enum SyncEnd: Hashable, Sendable {
        case caughtUp(LatticeAPI.SyncProgress)
        case nobodyThere
        /// Time ran out; what arrived by then is kept.
        case unfinished(LatticeAPI.SyncProgress)
        /// A process with this folder is running and syncs all the time.
        case byRunningNode
        /// The process with this folder is in another mesh and does not sync this one.
        case elsewhere(ListeningNote)
    }

    /// Nothing may be missing or requested for this long before the sync counts as complete: neighbours need a moment to find
    /// out what they lack.
    private static let calmTime: Duration = .milliseconds(800)
    private static let lookInterval: Duration = .milliseconds(50)

    /// Syncs with others in sight, both ways. Starts a node if none runs for this folder.
    ///
    /// - Parameters:
    ///   - configuration: for that node; its wall is this one.
    ///   - atMost: how long to look for peers and to fetch.
    ///   - progress: called at each change.
    package func sync(
        _ configuration: NodeConfiguration, atMost limit: Duration,
        progress: @escaping @Sendable (LatticeAPI.SyncProgress) -> Void
    ) async -> SyncEnd {
        guard let wall else { return .nobodyThere }
        let end = Clocks.now.advanced(by: limit)
        while let held = claim() {
            // Another command is handing over, which takes a few seconds.
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
                break  // Cancelled: what arrived so far is kept.
            }
        }
        return hasMet ? .unfinished(await node.syncState().progress) : .nobodyThere
    }
}

extension Node {
    /// The state of reconciling, for callers that wait for its end.
    struct SyncState {
        let hasCompany: Bool
        /// Nothing is missing, requested or being written, here or at a neighbour, as far as known.
        let isCalm: Bool
        let progress: LatticeAPI.SyncProgress
    }

    func syncState() -> SyncState {
        let neighbours = mesh.antiEntropy.neighbours
        let isCompared = neighbours.allSatisfy { $0.keeping == nil || ($0.comparedAt != nil && !$0.isComparing) }
        let isAnybodyAble = neighbours.contains { $0.keeping != nil }
        let givers = neighbours.count { $0.gained > 0 }
        // The total, even if everything seemed to be there in between.
        let inAll = LatticeAPI.SyncProgress(
            isCaughtUp: mesh.antiEntropy.progress.isCaughtUp, fetched: reconcile.fetchedCount,
            total: reconcile.fetchedCount + mesh.antiEntropy.progress.missing, peers: max(progress.peers, givers))
        return SyncState(
            hasCompany: isAnybodyAble,
            isCalm: isCompared && inAll.isCaughtUp && ingest.waiting.isDone && server.isIdle, progress: inAll)
    }
}
