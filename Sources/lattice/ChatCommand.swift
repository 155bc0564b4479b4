import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode
import LatticeWire
import Logging
import UnixSignals

/// `lattice chat`
struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Talk with everybody who is there.",
        discussion: """
            Type a line and press Enter; /help lists the commands. In a pipe one line in is one line said, and one line \
            heard is one line out.
            """
    )

    @OptionGroup var person: PersonOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    @Option(help: ArgumentHelp("The room to talk in.", valueName: "#room"), transform: Arguments.roomName)
    var room: RoomName?

    @Option(
        help: ArgumentHelp("Hold input until so many peers are connected.", valueName: "n"),
        transform: Arguments.number(0...64, "--wait"))
    var wait = 0

    @Option(
        help: ArgumentHelp("End with code 75 if --wait is not met in so many seconds.", valueName: "seconds"),
        transform: Arguments.number(0...86_400, "--timeout"))
    var timeout: Int?

    @Flag(help: "One JSON object a line on standard output.")
    var json = false

    @Flag(help: "No line editor, even on a terminal: for screen readers.")
    var plain = false

    @Flag(help: "No colours (also when NO_COLOR is set).")
    var noColor = false

    @Option(
        help: ArgumentHelp("Log to standard error: debug, info, warning or error.", valueName: "level"),
        transform: Arguments.logLevel)
    var log: Logger.Level?

    /// A command that hands over what it wrote is done in a few seconds.
    private static let claimPatience: Duration = .seconds(10)

    func run() async throws { try await run(by: nil) }

    /// - Parameter link: by which one was invited.
    func run(by link: InvitationLink?) async throws {
        try Descriptors.check()
        let directory = try person.directory()
        do {
            try await directory.claim(waiting: Self.claimPatience)
        } catch {
            guard case .inUse = error else { throw Failure(.failed, error.description) }
            throw Failure(.unavailable, error.description)
        }
        let room = try room ?? RoomName("#lobby")
        let identity = try person.identity(in: directory)
        var configuration = try network.configuration(of: identity, in: directory, room: room)
        if let link {
            try link.apply(to: &configuration, options: network)
        } else {
            configuration.meshKey = try network.closed.key(of: configuration.mesh)
        }
        if let key = configuration.meshKey { ClosedMeshOptions.compare(key, of: configuration.mesh, in: directory) }
        do {
            configuration.wall = try WallSession.openWall(
                directory: directory, identity: identity, mesh: configuration.mesh, meshKey: configuration.meshKey)
        } catch {
            // Talking needs no store.
            Report.error("\(error.description); nothing that is said is kept")
        }
        try await chat(configuration, room, directory)
    }

    private func chat(_ configuration: NodeConfiguration, _ room: RoomName, _ directory: DataDirectory) async throws {
        // Before anything is taken over that has to be given back.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let node: Node
        do {
            node = try await Node(configuration, logger: Self.logger(log))
        } catch {
            throw Failure(.failed, "\(error)")
        }
        let events = await node.events()
        let me = await node.me
        directory.note(ListeningNote(mesh: me.mesh, keyTag: configuration.meshKey?.storeTag, port: me.port))
        let slash = SlashCommands()
        let face = try ChatFace.make(
            json: json, plain: plain, noColor: noColor, me: me, historyPath: directory.historyPath,
            extraWords: slash.words)
        var settings = ChatSettings(
            room: room, isInteractive: face.isInteractive, now: Surroundings.present, calendar: .here)
        settings.isForPrograms = json
        if !Surroundings.ofChat().isUTF8 { settings.verifiedMark = "*" }
        settings.waitCount = wait
        settings.timeout = timeout.map { Duration.seconds($0) }
        let front = ChatFront(
            node: node, me: me, screen: face.screen, renderer: face.renderer, settings: settings, slash: slash)
        let end = await withDiscardingTaskGroup { group in
            group.addTask { await node.run() }
            let end = await front.run(events: events, interrupted: { await Self.wait(for: signals) })
            await node.stop()
            return end
        }
        await configuration.wall?.close()
        if end == .outputClosed { Report.error("nobody reads standard output any more; left") }
        throw ExitCode(end.exitCode)
    }

    /// Returns at the first of these signals: each ends the chat with a goodbye.
    @Sendable private static func wait(for signals: UnixSignalsSequence) async {
        for await _ in signals { break }
        // The next one ends the program at once, should a goodbye hang.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }

    private static func logger(_ level: Logger.Level?) -> Logger {
        var logger = Logger(label: "lattice") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level ?? .critical
        return logger
    }
}
