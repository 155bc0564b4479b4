import ArgumentParser
import Glibc
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeIRC
import LatticeNode
import Logging
import UnixSignals

/// `lattice irc`
struct IRCCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "irc",
        abstract: "Let IRC clients sit on the mesh, each as somebody of its own.",
        discussion: """
            The node itself is in no room; whoever connects is a peer with a key of their own, which follows from their \
            account (SASL PLAIN; the first password of an account is its password) or, without one, from their nick. It ends \
            at SIGTERM or SIGINT.

            For example:
              lattice irc --listen 127.0.0.1:6667
              irssi -c 127.0.0.1 -p 6667 -n alice
            """)

    @OptionGroup var person: PersonOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Metrics") var metrics: MetricsOptions

    @Option(
        help: ArgumentHelp(
            "Where clients come in; port 0 lets the system choose. Only on this machine unless TLS and a password are set. "
                + "(default: 127.0.0.1:6667)",
            valueName: "host:port"),
        transform: IRCFront.address)
    var listen: PeerAddress?

    @Option(
        help: ArgumentHelp("What the server calls itself. (default: lattice.local)", valueName: "name"),
        transform: IRCFront.name)
    var serverName: String?

    @Flag(help: "Look for nobody: only what --peer names. The same as --discovery off.")
    var noDiscovery = false

    @Option(help: ArgumentHelp("Clients say the first line of this file as their password (PASS).", valueName: "file"))
    var passwordFile: String?

    @Option(help: ArgumentHelp("Clients come by TLS, with this certificate (PEM).", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("Its key (PEM), in a file that nobody else can read.", valueName: "file"))
    var tlsKey: String?

    @OptionGroup var logging: LogOptions

    func validate() throws { try choice.check() }

    private var choice: IRCChoice {
        IRCChoice(
            .init(
                prefix: "--", listen: "--listen", address: listen, serverName: serverName, passwordFile: passwordFile,
                certificate: tlsCertificate, key: tlsKey), fallback: PeerAddress(host: "127.0.0.1", port: 6_667))
    }

    /// Of what stands in a file: the node is in no room, whatever that says.
    private var fixed: Set<SettingKey> {
        choice.fixed.union(network.fixed).union(noDiscovery ? [.room, .discovery] : [.room])
    }

    func run() async throws {
        try Descriptors.check()
        let live = LiveSettings(Settings.current, fixed: fixed, usual: .warning)
        let logger = ServiceLog.logger(live.threshold, logging.format)
        try await StructuredLog.run(logging.format, logger) { try await serve(live, logger) }
    }

    private func serve(_ live: LiveSettings, _ logger: Logger) async throws {
        let front = try choice.front()
        try network.check()
        let directory = try person.directory()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        do {
            try await Ownership.claim(directory)
        } catch let failure as Failure where failure.kind == .unavailable {
            throw Failure(
                .unavailable,
                "\(failure.description); what runs serves IRC itself where it is begun as 'lattice run --irc'")
        }
        var configuration = try Ownership.configuration(person, network, key: try network.meshKey(), in: directory)
        configuration.rooms = []
        if noDiscovery { configuration.discovery = .off }
        configuration.takesOtherPort = false
        let host = try await Host(configuration, directory: directory, logger: logger)
        let server = try await front?.server(of: host, in: directory, logger: logger)
        let meter = try await metrics.settled?.listening(host.node)
        logger.info(
            "running",
            metadata: ["id": "\(host.me.id)", "mesh": "\(host.me.mesh)", "port": "\(host.me.port)"])
        server?.tell()
        let loop = ServiceLoop(
            manager: ServiceSupervisor(process: getpid(), variable: Surroundings.variable), logger: logger)
        await loop.run(
            signals, node: host.node, status: "IRC at \(server?.address.description ?? "")",
            reload: { await live.reload(host.node, logger) },
            serve: { untilTold in
                await host.run { await MetricsFront.serving(meter) { await server?.serving(untilTold) } }
            })
        await configuration.wall?.close()
    }
}
