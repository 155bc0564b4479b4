import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeHost
import LatticeNode
import LatticeSettings

/// Runs a shared command from the shell: opens the store, or finds the process that has it open, and prints the answer.
extension CommandShell {
    static func run(_ command: some SharedCommand) async throws {
        let options = command.options
        if let output = try await byRunningNode(command) {
            try show(output, json: options.json)
            if output.exitCode != 0 { throw ExitCode(output.exitCode) }
            return
        }
        let (session, handOver) = try open(options, onlyShows: command.onlyShows)
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

    /// - Returns: the answer of the folder's running node; `nil` if none runs, or the command must run in this process.
    private static func byRunningNode(_ command: some SharedCommand) async throws -> CommandOutput? {
        let options = command.options
        // The running node uses the configured length; any other length is for the store to check.
        let length = options.textClustersMax
        guard !command.needsFiles, length == nil || length == Settings.current.number(.textMax) else { return nil }
        do {
            let directory = try options.person.choice.directory(isReadOnly: true)
            // Only the code that opens the store asks for a closed mesh's passphrase, so that it is asked once.
            guard !options.closed.choice.isClosed else { return nil }
            let context = Surroundings.ofShell()
            return try await RunningNode.with(directory, try .init(options.meshName, key: nil)) { running in
                await command.output(on: running.client, context: context)
            }
        } catch is Failure {
            return nil  // Opening the store reports the error.
        }
    }

    /// Opens the store for the identity in the options; also returns how to connect to others.
    ///
    /// - Parameter onlyShows: as `SharedCommand.onlyShows`.
    /// - Throws: `ExitCode`, after the error has been printed.
    static func open(_ options: some SharedOptions, onlyShows: Bool = false) throws -> (
        StoreSession, (NodeConfiguration, Duration)?
    ) {
        do {
            try Descriptors.check()
            let directory = try options.person.choice.directory(isReadOnly: options.isReadOnly, onlyShows: onlyShows)
            PersonChoice.reportNew(directory)
            let identity = try options.person.choice.identity(in: directory)
            let mesh = try SettledMesh.name(options.meshName)
            let meshKey = try options.closed.choice.key(of: mesh)
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
