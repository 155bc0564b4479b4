import LatticeAPI
import LatticeCore
import LatticeNode
import Logging

/// A node for one command: the one that runs for this folder, or one of its own for as long as the command takes.
enum ShellNode {
    /// - Parameter body: its node, who that is, and whether it runs on when the command is done.
    static func with<Value: Sendable>(
        _ person: PersonOptions, _ network: NetworkOptions,
        body: @escaping @Sendable (any MeshNode, Me, _ isRunning: Bool) async -> Value
    ) async throws -> Value {
        try Descriptors.check()
        let directory = try person.directory()
        let key = try network.meshKey()
        let running = try await RunningNode.with(directory, try .init(network.mesh, key: key)) { running in
            await body(running.client, running.me, true)
        }
        if let running { return running }
        try await Ownership.claim(directory)
        let configuration = try Ownership.configuration(person, network, key: key, in: directory)
        let logger = Logger(label: "lattice") { _ in SwiftLogNoOpLogHandler() }
        let host = try await Host(configuration, directory: directory, logger: logger)
        let value = await host.run { await body(host.node, host.me, false) }
        await configuration.wall?.close()
        return value
    }
}
