import LatticeAPI
import LatticeCore
import LatticeMesh

extension WallSession {
    /// Sends what was written to any peer until a condition holds. Starts a node if none runs for this folder, and otherwise
    /// watches the one that does.
    ///
    /// - Parameters:
    ///   - configuration: for that node; its wall is this one.
    ///   - atMost: how long to look for peers; with zero the folder is not even looked at.
    ///   - isDone: the condition; checked several times a second.
    package func handOver(
        _ configuration: NodeConfiguration, atMost limit: Duration, until isDone: @escaping @Sendable () async -> Bool
    ) async -> HandOver {
        guard let wall, limit > .zero else { return .nobodyThere }
        let end = Clocks.now.advanced(by: limit)
        while let held = claim() {
            guard held.handsOver else { return .nobodyThere }
            if await isDone() { return .taken }
            guard Clocks.now < end, await Self.pause() else { return .byRunningNode }
        }
        guard let node = await Self.node(of: wall, configuration) else { return .nobodyThere }
        return await withDiscardingTaskGroup { group in
            group.addTask { await node.run() }
            let isHeld = await node.handOver(until: end, isDone)
            await node.stop()
            return isHeld ? .taken : .nobodyThere
        }
    }
}

extension Node {
    private static let lookInterval: Duration = .milliseconds(50)

    /// - Returns: whether the condition held in time.
    fileprivate func handOver(until end: Instant, _ isDone: @Sendable () async -> Bool) async -> Bool {
        while await !isDone() {
            guard Clocks.now < end else { return false }
            if mesh.register.neighbourCount > 0 { handle(.flushWanted) }
            do {
                try await Task.sleep(for: Self.lookInterval)
            } catch {
                return false
            }
        }
        return true
    }
}
