package import LatticeAPI
import LatticeCore
import LatticeMesh

extension StoreSession {
    /// How catching up ended.
    package enum SyncEnd: Hashable, Sendable {
        case caughtUp(SyncProgress)
        case nobodyThere
        /// Time ran out; what arrived by then is kept.
        case unfinished(SyncProgress)
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
    ///   - configuration: for that node; its archive is this one.
    ///   - atMost: how long to look for peers and to fetch.
    ///   - progress: called at each change.
    package func sync(
        _ configuration: NodeConfiguration, atMost limit: Duration,
        progress: @escaping @Sendable (SyncProgress) -> Void
    ) async -> SyncEnd {
        guard let archive else { return .nobodyThere }
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
        guard let node = await Self.node(of: archive, configuration) else { return .nobodyThere }
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
            let state = await node.serve { $0.sync.state(of: $0) }
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
        return hasMet ? .unfinished(await node.serve { $0.sync.state(of: $0).progress }) : .nobodyThere
    }
}
