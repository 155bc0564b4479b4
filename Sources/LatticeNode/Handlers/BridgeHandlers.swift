import LatticeAPI
import LatticeStore

/// How programs that copy records to and from brokers are doing.
enum BridgeHandlers {
    static func register(in table: inout HandlerTable) {
        table.onOwner(ReportBridge.self) { node, request throws(RequestError) in
            let before = node.sync.bridges.take(request, at: Clocks.now)
            node.meter.metrics.bridges.count(request.report, after: before)
            return Done()
        }
        table.onOwner(EndBridgeReports.self) { node, request throws(RequestError) in
            node.sync.bridges.end(request.connection)
            return Done()
        }
        table.onOwner(ShowBridges.self) { node, _ throws(RequestError) in
            let isCrossing = try await isCrossing(at: node)
            return ShowBridges.Reply(
                try await node.sync.bridges.current(at: Clocks.now, on: node), isCrossing: isCrossing)
        }
    }

    private static func isCrossing(at node: isolated Node) async throws(RequestError) -> Bool {
        guard let store = node.archive?.store else { return false }
        let now = node.clock.now
        return try await stored { () throws(StoreError) in try await store.crossings.isAnybodyCrossing(at: now) }
    }
}
