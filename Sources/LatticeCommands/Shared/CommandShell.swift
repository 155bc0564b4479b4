import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeCrypto
import LatticeHost
import LatticeNode
import LatticeSettings

/// Runs a shared command from the shell: opens the store, or finds the process that has it open, and prints the answer.
extension CommandShell {
    static func run(_ command: some SharedCommand) async throws {
        let options = command.options
        // Asked for once.
        let key = try reporting(options) { try closedKey(options) }
        if let output = try await byRunningNode(command, key: key) {
            try show(output, json: options.json)
            if output.exitCode != 0 { throw ExitCode(output.exitCode) }
            return
        }
        let (session, handOver) = try open(options, onlyShows: command.onlyShows, key: key)
        let output = await command.output(on: session.node, context: Surroundings.ofShell())
        try show(output, json: options.json)
        if command.handsOver, output.failure == nil, let (configuration, patience) = handOver {
            switch await session.handOver(configuration, atMost: patience) {
            case .byRunningNode, .taken: break
            case .nobodyThere: try reportKept(json: options.json)
            }
        }
        await session.close()
        if output.exitCode != 0 { throw ExitCode(output.exitCode) }
    }

    /// - Returns: `nil` if the mesh is open.
    private static func closedKey(_ options: some SharedOptions) throws -> MeshKey? {
        guard options.closed.choice.isClosed else { return nil }
        return try options.closed.choice.key(of: SettledMesh.name(options.meshName))
    }

    /// - Returns: the answer of the folder's running node; `nil` if none runs, or the command must run in this process.
    private static func byRunningNode(
        _ command: some SharedCommand, key: MeshKey?
    ) async throws -> CommandOutput? {
        let options = command.options
        // The running node uses the configured length; any other length is for the store to check.
        let length = options.textClustersMax
        guard !command.needsFiles, length == nil || length == Settings.current.number(.textMax) else { return nil }
        do {
            let directory = try options.person.choice.directory(isReadOnly: true)
            let context = Surroundings.ofShell()
            return try await RunningNode.with(directory, try .init(options.meshName, key: key)) { running in
                await command.output(on: running.client, context: context)
            }
        } catch is Failure {
            return nil  // Opening the store reports the error.
        }
    }

    /// Opens the store for the identity in the options; also returns how to connect to others.
    ///
    /// - Parameters:
    ///   - onlyShows: as `SharedCommand.onlyShows`.
    ///   - known: the key of the mesh, if it is closed and its passphrase was read already.
    /// - Throws: `ExitCode`, after the error has been printed.
    static func open(_ options: some SharedOptions, onlyShows: Bool = false, key known: MeshKey? = nil) throws -> (
        StoreSession, (NodeConfiguration, Duration)?
    ) {
        try reporting(options) {
            try Descriptors.check()
            let directory = try options.person.choice.directory(isReadOnly: options.isReadOnly, onlyShows: onlyShows)
            PersonChoice.reportNew(directory)
            let identity = try options.person.choice.identity(in: directory)
            let mesh = try SettledMesh.name(options.meshName)
            let meshKey = try known ?? options.closed.choice.key(of: mesh)
            if let meshKey { ClosedMeshChoice.compare(meshKey, of: mesh, in: directory) }
            try MeshElsewhere.check(
                isSaid: options.isMeshSaid, isReadOnly: options.isReadOnly, isForPrograms: options.json,
                onlyShows: onlyShows, mesh, key: meshKey, in: directory)
            var handOver = try options.handOver(of: identity, in: directory)
            handOver?.0.meshKey = meshKey
            let session = try StoreSession.open(
                directory: directory, identity: identity, mesh: mesh, meshKey: meshKey,
                textClustersMax: options.textClustersMax, onlyShows: onlyShows)
            return (session, handOver)
        }
    }

    private static func reporting<Value>(_ options: some SharedOptions, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch {
            let output = CommandOutput(failure: failure(error))
            try show(output, json: options.json)
            throw ExitCode(output.exitCode)
        }
    }

    private static func reportKept(json: Bool) throws {
        let message = "nobody is here yet; it is sent when 'lattice chat' runs and a peer is there"
        guard json else { return Report.remark("stored: \(message)") }
        let notice = JSONLine([("event", .text("notice")), ("code", .text("kept")), ("message", .text(message))])
        try Report.output("\(notice.description)\n")
    }
}
