import ArgumentParser
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
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

    @Option(
        help: ArgumentHelp(
            "Where clients come in; port 0 lets the system choose. Only on this machine unless TLS and a password are set.",
            valueName: "host:port"),
        transform: IRCFront.address)
    var listen: PeerAddress = PeerAddress(host: "127.0.0.1", port: 6_667)

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

    @Option(help: ArgumentHelp("Its key (PEM).", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp("Log to standard error: debug, info, warning or error.", valueName: "level"),
        transform: Arguments.logLevel)
    var log: Logger.Level?

    func validate() throws {
        let objection = IRCFront.objection(
            to: listen, hasPassword: passwordFile != nil, certificate: tlsCertificate, key: tlsKey, prefix: "")
        if let objection { throw ValidationError(objection) }
    }

    func run() async throws {
        try Descriptors.check()
        let front = try IRCFront(
            at: listen, serverName: serverName, passwordFile: passwordFile, certificate: tlsCertificate, key: tlsKey)
        let directory = try person.directory()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        try await Ownership.claim(directory)
        var configuration = try Ownership.configuration(person, network, key: try network.meshKey(), in: directory)
        configuration.rooms = []
        if noDiscovery { configuration.discovery = .off }
        var logger = Logger(label: "lattice") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = log ?? .warning
        let host = try await Host(configuration, directory: directory, logger: logger)
        logger.info(
            "running",
            metadata: ["id": "\(host.me.id)", "mesh": "\(host.me.mesh)", "port": "\(host.me.port)"])
        let server = try await front.server(of: host, in: directory, logger: logger)
        await host.run {
            await server.serving {
                for await signal in signals where signal != .sighup { break }
            }
        }
        await configuration.wall?.close()
    }
}
