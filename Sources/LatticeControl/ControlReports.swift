import LatticeAPI
import Synchronization

/// What bridges report on one connection. The node forgets it when the connection ends.
final class ControlReports: Sendable {
    private static let last = Atomic<UInt64>(0)

    private let connection = last.add(1, ordering: .relaxed).newValue
    private let hasReported = Atomic<Bool>(false)

    /// The request with this connection in it, as the node knows it.
    func numbered(_ request: any Request) -> any Request {
        switch request {
        case let request as ReportBridge:
            hasReported.store(true, ordering: .relaxed)
            return ReportBridge(request.report, connection: connection)
        case is EndBridgeReports: return EndBridgeReports(connection: connection)
        default: return request
        }
    }

    func end(on node: any MeshNode) async {
        guard hasReported.load(ordering: .relaxed) else { return }
        do {
            _ = try await node.perform(EndBridgeReports(connection: connection))
        } catch {
            return  // The node has ended, and with it all that was reported.
        }
    }
}
