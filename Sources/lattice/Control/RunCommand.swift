import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeHost
import LatticeNode
import LatticeSettings
import Logging

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Keep a node running in the background.",
        discussion: """
            'lattice chat', 'lattice say' and the other commands use the running node of the same folder; programs can use its \
            control socket. Ctrl-C (SIGINT) or SIGTERM ends it within two seconds; SIGHUP reloads the settings. It tells a \
            service manager when it is ready; 'tools/install' sets up a service.
            """)

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions
    @OptionGroup(title: CommonOptions.title) var network: NetworkOptions
    @OptionGroup(title: "IRC") var irc: IRCOptions
    @OptionGroup(title: "Browser") var http: HTTPOptions
    @OptionGroup(title: "Metrics") var metrics: MetricsOptions

    @Option(
        help: ArgumentHelp("A room to join; repeatable.", valueName: "#room"),
        transform: Arguments.roomName)
    var room: [RoomName] = []

    @OptionGroup(title: CommonOptions.title) var logging: LogOptions

    func validate() throws { try irc.choice.validate() }

    func run() async throws {
        try Descriptors.check()
        let inherited = try InheritedSockets.control(
            InheritedSockets.handed(process: getpid(), variable: Surroundings.variable))
        let live = LiveSettings(Settings.current, fixed: network.choice.fixed, usual: isatty(2) != 0 ? .warning : .info)
        let logger = ServiceLog.logger(live.threshold, logging.format)
        try await StructuredLog.run(logging.format, logger) { try await serve(live, logger, inherited) }
    }

    private func serve(_ live: LiveSettings, _ logger: Logger, _ inherited: InheritedSockets.Handed?) async throws {
        let (front, web) = (try irc.choice.front(), try http.served())
        try network.choice.check()
        let directory = try person.choice.directory(unnamed: .lastUsed)
        let signals = await ProgramSignal.caught(.interrupt, .terminate, .hangup)
        try await Ownership.claim(directory)
        var configuration = try Ownership.configuration(
            person.choice, network.choice, key: try network.choice.meshKey(), in: directory,
            rooms: room.isEmpty ? Settings.current.rooms : room)
        configuration.rejoin(
            directory.joinedRooms(of: configuration.mesh, key: configuration.meshKey),
            named: room.isEmpty ? Settings.current.rooms : room)
        // A service with a fixed port tells others where it is.
        configuration.takesOtherPort = false
        let host = try await Host(
            configuration, directory: directory, inherited: inherited?.descriptor, logger: logger)
        let me = host.me
        let server = try await front?.server(of: host, in: directory, logger: logger)
        let page = try await web?.listening(host.node, in: directory, logger: logger)
        let meter = try await metrics.settled?.listening(host.node)
        logger.info("running", metadata: ["id": "\(me.id)", "mesh": "\(me.mesh)", "port": "\(me.port)"])
        if isatty(2) != 0 {
            let who = DisplayText.isolated("\(me.name.text)#\(me.id.short)")
            Report.remark(
                "running as \(who) in mesh \(DisplayText.isolated(me.mesh.text)), port \(me.port); Ctrl-C ends it")
        }
        server?.tell()
        page?.tell()
        let loop = ServiceLoop(
            manager: ServiceSupervisor(process: getpid(), variable: Surroundings.variable), logger: logger)
        await loop.run(
            signals, node: host.node, status: "\(me.name.text)#\(me.id.short) in \(me.mesh), port \(me.port)",
            reload: { await live.reload(host.node, logger) },
            serve: { untilNotified in
                await host.run {
                    await MetricsFront.serving(meter) {
                        let untilEnd: @Sendable () async -> Void = {
                            guard let page else { return await untilNotified() }
                            await page.serving(untilNotified)
                        }
                        guard let server else { return await untilEnd() }
                        await server.serving(untilEnd)
                    }
                }
            })
        configuration.archive?.close()
        logger.info("left")
    }
}
