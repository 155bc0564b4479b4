import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode
import Logging

/// Nodes on loopback that keep nothing and look for nobody.
struct BareNodes {
    let mesh: String

    /// - Parameter given: whom it links with.
    func node(
        _ name: String, given: [Node] = [], invitations: NodeConfiguration.InvitationPolicy = .auto
    ) async throws -> Node {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = NodeConfiguration(
            identity: .generate(), name: try PeerName(name), rooms: [], mesh: try MeshName(mesh))
        configuration.discovery = .off
        configuration.invitations.policy = invitations
        for other in given {
            configuration.given.append(PeerAddress(host: "127.0.0.1", port: await other.me.port))
        }
        return try await Node(configuration, logger: logger)
    }

    func running<Value>(_ nodes: [Node], _ work: () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in nodes { group.addTask { await node.run() } }
            defer { group.cancelAll() }
            return try await work()
        }
    }
}
