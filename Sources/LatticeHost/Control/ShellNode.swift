package import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeNode
import LatticeSettings
import Logging

/// A node for one command: the one that runs for this folder, or one of its own for as long as the command takes.
package enum ShellNode {
    /// A command waits a few seconds for somebody to take what it says.
    private static let patience: Duration = .seconds(10)

    /// - Parameters:
    ///   - isBrief: whether it ends by itself in a moment.
    ///   - isAnnounced: whether fronts announce that it came and went; `nil`: unless it is brief.
    ///   - body: its node, who that is, and whether it runs on when the command is done.
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
        if isBrief { PersonChoice.tellOfNew(directory) }
        var configuration = try Ownership.configuration(person, network, key: key, in: directory)
        configuration.isBrief = !(isAnnounced ?? !isBrief)
        let logger = Logger(label: "lattice") { _ in SwiftLogNoOpLogHandler() }
        let host = try await Host(configuration, directory: directory, isBrief: isBrief, logger: logger)
        host.portRemark.map(Report.remark)
        let value = await host.run {
            let value = await body(host.node, host.me, false)
            // Another command may have come upon this one, and is not to be left in the middle.
            if isBrief { await host.linger(atMost: patience) }
            return value
        }
        await configuration.wall?.close()
        return value
    }
}
