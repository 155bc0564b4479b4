import Glibc
import LatticeAPI
import LatticeControl
import LatticeCrypto
import LatticeNode
import Logging

/// A node of this process, and the socket by which other programs of the same person use it.
struct Host {
    let node: Node
    let me: Me
    let control: ControlServer?
    let controlPath: String?
    /// Whether whoever opened the socket keeps it.
    private let isControlInherited: Bool

    /// Takes a port, and the socket. Without a socket other programs do without it, too.
    ///
    /// - Parameters:
    ///   - directory: claimed by this process.
    ///   - inherited: a socket that whoever started this process has opened for other programs; `nil` makes one.
    /// - Throws: `Failure` if the node cannot be.
    init(
        _ configuration: NodeConfiguration, directory: DataDirectory, inherited: Int32? = nil, logger: Logger
    ) async throws {
        do {
            node = try await Node(configuration, logger: logger)
        } catch {
            throw Failure(.failed, "\(error)")
        }
        me = await node.me
        isControlInherited = inherited != nil
        do {
            let path = try inherited.flatMap(UnixAddress.path) ?? directory.prepareControl()
            control = try await ControlServer.listening(
                at: path, inherited: inherited, node: node, closed: configuration.meshKey?.storeTag, logger: logger)
            controlPath = path
        } catch {
            logger.warning("other programs cannot use this node", metadata: ["error": "\(error)"])
            (control, controlPath) = (nil, nil)
        }
        directory.note(
            ListeningNote(
                mesh: me.mesh, keyTag: configuration.meshKey?.storeTag, port: me.port, controlPath: controlPath))
    }

    /// Serves while `body` runs, and leaves then.
    func run<End: Sendable>(_ body: @escaping @Sendable () async -> End) async -> End {
        let events = await node.events()
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await node.run() }
            if let control { group.addTask { await control.run(events: events) } }
            let end = await body()
            if let controlPath, !isControlInherited { unlink(controlPath) }
            await node.stop()
            group.cancelAll()
            return end
        }
    }
}
