package import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeNode
import LatticeSettings
import Logging

/// A node for one command: the one that runs for this folder, or its own for the length of the command.
package enum ShellNode {
    /// A command waits a few seconds for a peer to take its lines.
    private static let patience: Duration = .seconds(10)

    /// - Parameters:
    /// - isBrief: whether the command ends by itself in a moment.
    /// - isAnnounced: whether fronts announce that the node comes and goes; `nil` announces it unless it is brief.
    /// - body: gets the node, its identity, and whether the node outlives the command.
    package static func with<Value: Sendable>(
        _ person: PersonChoice, _ network: NetworkChoice, isBrief: Bool = true,
        isAnnounced: Bool? = nil,
        body: @escaping @Sendable (any MeshNode, Me, _ isRunning: Bool) async -> Value
    ) async throws -> Value {
        try Descriptors.check()
        try network.check()
        let directory = try person.directory()
        let key = try network.meshKey()
        let wish = try RunningNode.Wish(network.mesh, key: key)
        if isBrief, let closed = MeshElsewhere.closed(try SettledMesh.name(network.mesh), key: key, in: directory) {
            throw Failure(.unavailable, closed)
        }
        repeat {
            let running = try await RunningNode.with(directory, wish, takesBrief: isBrief) { running in
                await body(running.client, running.me, true)
            }
            if let running { return running }
        } while try await !Ownership.claim(directory, unless: wish, takesBrief: isBrief)
        if isBrief { PersonChoice.reportNew(directory) }
        var configuration = try Ownership.configuration(person, network, key: key, in: directory)
        configuration.isBrief = !(isAnnounced ?? !isBrief)
        let logger = Logger(label: "lattice") { _ in SwiftLogNoOpLogHandler() }
        let host = try await Host(configuration, directory: directory, isBrief: isBrief, logger: logger)
        host.portRemark.map(Report.remark)
        let value = await host.run {
            let value = await body(host.node, host.me, false)
            // Another command may have connected to this node and must be able to finish.
            if isBrief { await host.linger(atMost: patience) }
            return value
        }
        configuration.archive?.close()
        return value
    }
}
