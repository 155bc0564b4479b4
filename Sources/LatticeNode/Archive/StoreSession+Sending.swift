import LatticeCore

extension StoreSession {
    /// Sends what was written to any peer until a condition holds. Starts a node if none runs for this folder, and otherwise
    /// watches the one that does.
    ///
    /// - Parameters:
    ///   - configuration: for that node; its archive is this one.
    ///   - atMost: how long to look for peers; with zero the folder is not even looked at.
    ///   - isDone: the condition; checked several times a second.
    package func handOver(
        _ configuration: NodeConfiguration, atMost limit: Duration, until isDone: @escaping @Sendable () async -> Bool
    ) async -> HandOver {
        guard let archive, limit > .zero else { return .nobodyThere }
        let end = Clocks.now.advanced(by: limit)
        while let held = claim() {
            guard held.handsOver else { return .nobodyThere }
            if await isDone() { return .taken }
            guard Clocks.now < end, await Self.pause() else { return .byRunningNode }
        }
        guard let node = await Self.node(of: archive, configuration) else { return .nobodyThere }
        return await withDiscardingTaskGroup { group in
            group.addTask { await node.run() }
            let isHeld = await node.serve { await $0.publisher.send(until: end, isDone, for: $0) }
            await node.stop()
            return isHeld ? .taken : .nobodyThere
        }
    }
}
