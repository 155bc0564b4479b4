import LatticeAPI
import LatticeControl
import LatticeCore
package import LatticeCrypto
import LatticeDiscovery
package import LatticeNode
import LatticeSettings
import Logging

/// A chat that shares the node running for its folder with others. If that node ends, the chat runs its own.
package struct AttachedChat: Sendable {
    /// Leaves time for a node that ended to restart and claim its folder.
    private static let patience: Duration = .seconds(3)
    private static let lookInterval: Duration = .milliseconds(100)

    let directory: DataDirectory
    let person: PersonChoice
    let network: NetworkChoice
    let key: MeshKey?
    let wish: RunningNode.Wish
    let node: LastingNode

    package init(
        directory: DataDirectory, person: PersonChoice, network: NetworkChoice, key: MeshKey?, wish: RunningNode.Wish,
        node: LastingNode
    ) {
        self.directory = directory
        self.person = person
        self.network = network
        self.key = key
        self.wish = wish
        self.node = node
    }

    /// Finds or runs a node at any time until the task is cancelled.
    package func run() async {
        var isFirst = true
        var mayOwn = true
        while !Task.isCancelled {
            let lostAt = ContinuousClock.now
            var hasTold = isFirst
            var isFound = false
            while !isFound, !Task.isCancelled {
                isFound = await attach(isFirst: isFirst)
                guard !isFound else { break }
                if !hasTold {
                    hasTold = true
                    let text = "the lattice that this chat used has ended; reconnecting, what you type is sent then"
                    await node.tell(.notice(Notice(.problem, code: "nodeEnded", text)))
                }
                if mayOwn, lostAt.duration(to: .now) > Self.patience { mayOwn = await own() }
                do {
                    try await Task.sleep(for: Self.lookInterval)
                } catch {
                    return
                }
            }
            isFirst = false
        }
    }

    /// - Returns: whether a node was found, and has ended.
    private func attach(isFirst: Bool) async -> Bool {
        do {
            return try await RunningNode.with(directory, wish, takesBrief: false) { running in
                let events = await running.client.events()
                await node.use(running.client, events, as: running.me, isFirst: isFirst)
                return true
            } ?? false
        } catch {
            return false  // It does not answer; it may in a moment.
        }
    }

    /// Claims the folder and runs a node until it ends or the task is cancelled.
    ///
    /// - Returns: whether to try again, because another process has the folder.
    private func own() async -> Bool {
        do {
            try directory.claim()
        } catch {
            if case .inUse = error { return true }
            return await cannotOwn(error.description)
        }
        do {
            let configuration = try await configuration()
            let logger = Logger(label: "lattice") { _ in SwiftLogNoOpLogHandler() }
            let host = try await Host(configuration, directory: directory, logger: logger)
            let events = await host.node.events()
            await node.tell(.notice(Notice(.information, code: "ownNode", "this chat now runs its own node")))
            if let remark = host.portRemark {
                await node.tell(.notice(Notice(.information, code: "otherPort", remark)))
            }
            await host.run { await node.use(host.node, events, as: host.me, isFirst: false) }
            configuration.archive?.close()
            return true
        } catch {
            return await cannotOwn("\(error)")
        }
    }

    private func cannotOwn(_ reason: String) async -> Bool {
        let text =
            "this chat cannot run its own node (\(reason)); it continues when 'lattice run' or another chat starts"
        await node.tell(.notice(Notice(.problem, code: "noOwnNode", text)))
        return false
    }

    /// As for a new chat, but without asking for a passphrase, which would interrupt the line being typed.
    private func configuration() async throws -> NodeConfiguration {
        if case .sealed = try directory.identityFile.content(), person.identityPassphraseFile ?? "-" == "-" {
            throw Failure(.failed, "the identity is protected by a passphrase")
        }
        let identity = try person.identity(in: directory)
        let me = await node.me
        var configuration = try network.configuration(of: identity, in: directory, room: RoomName("#lobby"))
        configuration.rooms = me.rooms
        configuration.name = me.name
        configuration.meshKey = key
        configuration.archive = try StoreSession.openArchive(
            directory: directory, identity: identity, mesh: configuration.mesh, meshKey: key)
        configuration.rejoin(directory.joinedRooms(of: configuration.mesh, key: key), named: me.rooms)
        return configuration
    }
}
