import LatticeAPI
import LatticeCore
import LatticeMesh

extension WallSession {
    /// Gives what was written to whoever is there until something holds, by a node of its own if none runs for this folder,
    /// and otherwise watches the one that does.
    ///
    /// - Parameters:
    ///   - configuration: of that node; its wall is this one.
    ///   - atMost: how long to look for somebody; with nothing the folder is not even looked at.
    ///   - isDone: whether it holds; asked some times a second.
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

    /// - Returns: whether it came to hold in time.
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
