import ArgumentParser
import Glibc
import LatticeAPI
import LatticeCore
import LatticeNode
import Logging
import UnixSignals

/// `lattice run`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Be there all the time, without a terminal.",
        discussion: """
            'lattice chat', 'lattice say' and the other commands use what runs for the same folder; programs do, too, by its \
            control socket. It ends at SIGTERM or SIGINT.
            """)

    @OptionGroup var person: PersonOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "IRC") var irc: IRCOptions

    @Option(
        help: ArgumentHelp("A room to be in; may be given several times.", valueName: "#room"),
        transform: Arguments.roomName)
    var room: [RoomName] = []

    @Option(
        help: ArgumentHelp("Log to standard error: debug, info, warning or error.", valueName: "level"),
        transform: Arguments.logLevel)
    var log: Logger.Level?

    func run() async throws {
        try Descriptors.check()
        let front = try irc.front()
        let directory = try person.directory()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        try await Ownership.claim(directory)
        let configuration = try Ownership.configuration(
            person, network, key: try network.meshKey(), in: directory, rooms: room)
        var logger = Logger(label: "lattice") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = log ?? .info
        let host = try await Host(configuration, directory: directory, logger: logger)
        logger.info(
            "running",
            metadata: ["id": "\(host.me.id)", "mesh": "\(host.me.mesh)", "port": "\(host.me.port)"])
        let server = try await front?.server(of: host, in: directory, logger: logger)
        let untilTold: @Sendable () async -> Void = { [logger] in
            for await signal in signals {
                guard signal == .sighup else { break }
                logger.info("there is nothing to read anew; SIGTERM ends it")
            }
        }
        await host.run {
            guard let server else { return await untilTold() }
            await server.serving(untilTold)
        }
        await configuration.wall?.close()
        logger.info("left")
    }
}
