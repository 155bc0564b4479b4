import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeNode
import LatticeSettings

/// Runs a command of the wall from the shell: opens the store, or finds who has it open, and prints the answer.
enum WallShell {
    static func run(_ command: some WallCommand) async throws {
        let options = command.options
        if let output = try await byRunningNode(command) {
            try show(output, json: options.json)
            if output.exitCode != 0 { throw ExitCode(output.exitCode) }
            return
        }
        let (session, handOver) = try open(options, onlyShows: command.onlyShows)
        let output = await command.output(on: session.node, context: Surroundings.ofShell())
        try show(output, json: options.json)
        if output.failure == nil, let (configuration, patience) = handOver {
            switch await session.handOver(configuration, atMost: patience) {
            case .byRunningNode, .taken: break
            case .nobodyThere: try tellKept(json: options.json)
            }
        }
        await session.close()
        if output.exitCode != 0 { throw ExitCode(output.exitCode) }
    }

    /// - Returns: what the node says that runs for the folder; `nil` where none does, or the command is to do it itself.
    private static func byRunningNode(_ command: some WallCommand) async throws -> WallOutput? {
        let options = command.options
        // What runs has taken the settled length; only another one is for the store to judge.
        let length = options.textClustersMax
        guard !command.needsFiles, length == nil || length == Settings.current.number(.textMax) else { return nil }
        do {
            let directory = try options.person.directory(isReadOnly: true)
            // The passphrase of a closed mesh is asked for once, by whoever opens the store.
            guard !options.closed.isClosed else { return nil }
            let context = Surroundings.ofShell()
            return try await RunningNode.with(directory, try .init(options.meshName, key: nil)) { running in
                await command.output(on: running.client, context: context)
            }
        } catch is Failure {
            return nil  // Whoever opens the store tells of it.
        }
    }

    /// The store of whom the options name, and how to meet others.
    ///
    /// - Parameter onlyShows: as `WallCommand.onlyShows`.
    /// - Throws: `ExitCode`, after having told why there is nothing to ask.
    static func open(_ options: some WallOptions, onlyShows: Bool = false) throws -> (
        WallSession, (NodeConfiguration, Duration)?
    ) {
        do {
            try Descriptors.check()
            let directory = try options.person.directory(isReadOnly: options.isReadOnly, onlyShows: onlyShows)
            PersonOptions.tellOfNew(directory)
            let identity = try options.person.identity(in: directory)
            let mesh = try SettledMesh.name(options.meshName)
            let meshKey = try options.closed.key(of: mesh)
            if let meshKey { ClosedMeshOptions.compare(meshKey, of: mesh, in: directory) }
            try MeshElsewhere.check(options, onlyShows: onlyShows, mesh, key: meshKey, in: directory)
            var handOver = try options.handOver(of: identity, in: directory)
            handOver?.0.meshKey = meshKey
            let session = try WallSession.open(
                directory: directory, identity: identity, mesh: mesh, meshKey: meshKey,
                textClustersMax: options.textClustersMax, onlyShows: onlyShows)
            return (session, handOver)
        } catch {
            let output = WallOutput(failure: failure(error))
            try show(output, json: options.json)
            throw ExitCode(output.exitCode)
        }
    }

    private static func tellKept(json: Bool) throws {
        let message = "nobody is here yet; it is sent when 'lattice chat' runs and a peer is there"
        guard json else { return Report.remark("stored: \(message)") }
        let notice = JSONLine([("event", .text("notice")), ("code", .text("kept")), ("message", .text(message))])
        try Report.output("\(notice.description)\n")
    }

    /// Why there is not even somebody to ask.
    static func failure(_ error: any Error) -> WallFailure {
        switch error {
        case let error as RequestError: WallFailure(error)
        case let failure as WallFailure: failure
        case let error as Failure: WallFailure(code: "cannotStart", error.description, exitCode: error.exitCode)
        default: WallFailure(code: "cannotStart", "\(error)")
        }
    }

    static func show(_ output: WallOutput, json: Bool) throws {
        // What is seen before a hand-over stands there at once.
        let lines = json ? output.json : output.lines
        try Report.output(lines.map { "\($0)\n" }.joined() + (output.document ?? ""))
        guard !json else { return }
        output.remarks.forEach(Report.remark)
        output.failure?.lines.forEach(Report.error)
    }
}

extension Report {
    /// One line on standard error that tells of no fault.
    static func remark(_ text: String) {
        if StructuredLog.takesRemark(text) { return }
        let line = Array("\(DisplayText.safe(text))\n".utf8)
        _ = write(2, line, line.count)
    }

    /// To standard error as it is.
    static func raw(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(2, bytes, bytes.count)
    }

    /// - Throws: `ExitCode` where nobody reads standard output any more: a closed pipe is told nothing.
    static func output(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let piece = Array(bytes.prefix(1 << 16))
            let count = write(1, piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                guard errno == EPIPE else {
                    throw Failure(.failed, "cannot write to standard output: \(String(cString: strerror(errno)))")
                }
                throw ExitCode(1)
            }
            bytes = bytes.dropFirst(count)
        }
    }
}
