import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeHost
import LatticeIRC
import LatticeNode
import LatticeSettings
import Logging

struct IRCCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "irc",
        abstract: "Let IRC clients in; each becomes a peer with its own key.",
        discussion: """
            The node itself joins no room. The key of a client comes from its account (SASL PLAIN; the first password used \
            becomes the account's password), or from its nick if it has no account. Ctrl-C (SIGINT) or SIGTERM ends it.

            For example:
              lattice irc --listen 127.0.0.1:6667
              irssi -c 127.0.0.1 -p 6667 -n alice
            """)

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions
    @OptionGroup(title: CommonOptions.title) var network: NetworkOptions
    @OptionGroup(title: "Metrics") var metrics: MetricsOptions

    @Option(
        help: ArgumentHelp(
            "Where to listen; port 0 picks a free one. An address that others can reach needs TLS and a password. "
                + "(default: 127.0.0.1:6667)",
            valueName: "host:port"),
        transform: Arguments.listenAddress)
    var listen: PeerAddress?

    @Option(
        help: ArgumentHelp("The name of the server. (default: lattice.local)", valueName: "name"),
        transform: Arguments.serverName)
    var serverName: String?

    @Flag(help: "Do not look for peers; link only with --peer. Same as --discovery off.")
    var noDiscovery = false

    @Option(help: ArgumentHelp("Clients must send the first line of this file as password (PASS).", valueName: "file"))
    var passwordFile: String?

    @Option(help: ArgumentHelp("Serve TLS with this certificate (PEM).", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The TLS key (PEM), in a file that no other user can read.", valueName: "file"))
    var tlsKey: String?

    @OptionGroup(title: CommonOptions.title) var logging: LogOptions

    func validate() throws { try choice.validate() }

    private var choice: IRCChoice {
        IRCChoice(
            .init(
                prefix: "--", listen: "--listen", address: listen, serverName: serverName, passwordFile: passwordFile,
                certificate: tlsCertificate, key: tlsKey), fallback: PeerAddress(host: "127.0.0.1", port: 6_667))
    }

    /// Settings that this command ignores or overrides. Its node is in no room, whatever the file says.
    private var fixed: Set<SettingKey> {
        choice.fixed.union(network.choice.fixed).union(noDiscovery ? [.room, .discovery] : [.room])
    }

    func run() async throws {
        try Descriptors.check()
        let live = LiveSettings(Settings.current, fixed: fixed, usual: .warning)
        let logger = ServiceLog.logger(live.threshold, logging.format)
        try await StructuredLog.run(logging.format, logger) { try await serve(live, logger) }
    }

    private func serve(_ live: LiveSettings, _ logger: Logger) async throws {
        let front = try choice.front()
        try network.choice.check()
        let directory = try person.choice.directory(unnamed: .lastUsed)
        let signals = await ProgramSignal.caught(.interrupt, .terminate, .hangup)
        do {
            try await Ownership.claim(directory)
        } catch let failure as Failure where failure.kind == .unavailable {
            throw Failure(
                .unavailable,
                "\(failure.description); to serve IRC from that process, start it as 'lattice run --irc HOST:PORT'")
        }
        var configuration = try Ownership.configuration(
            person.choice, network.choice, key: try network.choice.meshKey(), in: directory)
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
            serve: { untilNotified in
                await host.run { await MetricsFront.serving(meter) { await server?.serving(untilNotified) } }
            })
        configuration.archive?.close()
    }
}
