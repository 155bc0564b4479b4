import Glibc
package import LatticeAPI
import LatticeChat
import LatticeControl
import LatticeCrypto
package import LatticeNode
import LatticeSettings
package import Logging

/// A node of this process, with the socket by which other programs of the same person use it.
package struct Host {
    package let node: Node
    package let me: Me
    let control: ControlServer?
    let controlPath: String?
    /// The remark that another program has the port; `nil` if the node has the port it wanted.
    package let portRemark: String?
    /// Whether the socket stays its opener's.
    private let isControlInherited: Bool
    private let directory: DataDirectory
    private let listening: ListeningNote
    private let isListeningReported: Bool
    private let logger: Logger

    /// Takes a port and opens the socket. If the socket fails, the node runs without it.
    ///
    /// - Parameters:
    ///   - directory: claimed by this process.
    /// - isBrief: whether the node runs for one command only.
    /// - inherited: the control socket as opened by the parent process; `nil` creates one.
    /// - Throws: `Failure` if the node cannot start.
    package init(
        _ configuration: NodeConfiguration, directory: DataDirectory, isBrief: Bool = false, inherited: Int32? = nil,
        logger: Logger
    ) async throws {
        self.directory = directory
        self.logger = logger
        do {
            node = try await Node(configuration, logger: logger, noticeText: { $0.words })
        } catch {
            let name: String? =
                switch NodeConfiguration.part(toBlameFor: error) {
                case .port: Settings.current.called(.port)
                case .interface: Settings.current.called(.interface)
                case nil: nil
                }
            throw Failure(.failed, (name.map { "\($0): " } ?? "") + "\(error)")
        }
        me = await node.me
        portRemark = Self.remark(wanted: configuration.port, taken: me.port)
        isControlInherited = inherited != nil
        do {
            let path = try inherited.flatMap(UnixAddress.path) ?? directory.prepareControl()
            control = try await ControlServer.listening(
                at: path, inherited: inherited, node: node, names: HandlerTable.names, streams: node.streams,
                feeds: node, closed: configuration.meshKey?.storeTag, logger: logger)
            controlPath = path
        } catch {
            logger.warning(
                "control socket unavailable; other programs cannot use this node", metadata: ["error": "\(error)"])
            (control, controlPath) = (nil, nil)
        }
        directory.remember()
        listening = ListeningNote(
            mesh: me.mesh, keyTag: configuration.meshKey?.storeTag, port: me.port, controlPath: controlPath,
            isBrief: isBrief)
        isListeningReported = Self.tell(listening, in: directory, logger)
    }

    /// - Returns: whether other processes of this person can find the node now.
    private static func tell(_ note: ListeningNote, in directory: DataDirectory, _ logger: Logger) -> Bool {
        do {
            try directory.note(note)
            return true
        } catch {
            logger.warning("other programs cannot find this node yet", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Retries until the note is written.
    private func reportListening() async {
        var isTold = isListeningReported
        do {
            while !isTold {
                try await Task.sleep(for: Self.reportInterval)
                isTold = Self.tell(listening, in: directory, logger)
            }
        } catch {
            // The host is stopping.
        }
    }

    private static let reportInterval: Duration = .seconds(10)

    private static func remark(wanted: UInt16, taken: UInt16) -> String? {
        guard wanted != 0, wanted != taken else { return nil }
        let name = Settings.current.called(.port)
        return "\(name): port \(wanted) is in use by another program; listening on port \(taken) instead"
    }

    /// By then a node has started and linked with the peers that are there.
    private static let beginning: Duration = .seconds(5)
    private static let giveBackInterval: Duration = .seconds(60)

    /// Gives back memory that was needed only at the start or in a busy period.
    private static func comeToRest() async {
        do {
            try await Task.sleep(for: beginning)
            ProcessMemory.forgetStart()
            while true {
                ProcessMemory.giveBack()
                try await Task.sleep(for: giveBackInterval)
            }
        } catch {
            // The host is stopping.
        }
    }

    /// Serves while `body` runs, then stops the node.
    package func run<End: Sendable>(_ body: @escaping @Sendable () async -> End) async -> End {
        let events = await node.events()
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await node.run() }
            if let control { group.addTask { await control.run(events: events, on: node.taskExecutor) } }
            group.addTask { await Self.comeToRest() }
            if !isListeningReported { group.addTask { await reportListening() } }
            let end = await body()
            if let controlPath, !isControlInherited { unlink(controlPath) }
            await node.stop()
            group.cancelAll()
            return end
        }
    }
}
