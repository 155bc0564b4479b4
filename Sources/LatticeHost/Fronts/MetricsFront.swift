package import LatticeAPI
package import LatticeCore
package import LatticeHTTP
import LatticeMetrics
import LatticeNode
import LatticeSettings

package struct MetricsFront: Sendable {
    let address: PeerAddress
    /// Its origin: `--metrics`, or the setting.
    let name: String

    package init(address: PeerAddress, name: String) {
        self.address = address
        self.name = name
    }

    static let registry: MetricRegistry = {
        let process = ProcessMeter()
        let build = MetricFamily(
            "lattice_build_info", .gauge, "Which program this is; always 1.",
            [
                .init(
                    [.init("version", ProgramVersion.number), .init("commit", ProgramVersion.commit)], .number(1))
            ])
        return MetricRegistry(NodeMetrics.descriptions) { process.families() + [build] }
    }()

    /// Starts listening, and prints the address.
    package func listening(_ node: any MeshNode) async throws -> MetricsServer {
        do {
            let server = try await MetricsServer.listening(at: address, node: node)
            Report.remark("metrics at http://\(server.address)\(MetricsServer.path)")
            if !IRCFront.isLoopback(server.address.host) {
                Report.remark("anybody who can reach that address sees how active this node is, but no messages")
            }
            return server
        } catch {
            throw Failure(.failed, "\(name): \(error)")
        }
    }

    /// Serves while `body` runs; without a server, just runs `body`.
    package static func serving<End: Sendable>(
        _ server: MetricsServer?, while body: @escaping @Sendable () async -> End
    ) async -> End {
        guard let server else { return await body() }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            let end = await body()
            group.cancelAll()
            return end
        }
    }
}
