import ArgumentParser
import LatticeAPI
import LatticeBridge
import LatticeCore
import LatticeMqtt

struct MqttCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mqtt", abstract: "Join meshes over an MQTT broker.",
        usage: "lattice-bridge mqtt --url mqtt://HOST[:PORT] [options]",
        discussion: """
            It runs beside a node of yours ('lattice run'), publishes what its people let cross ('lattice bridge allow'), and \
            brings what other bridges publish. An MQTT broker keeps no history: what a bridge missed it gets from another bridge \
            that is there. So everything is everywhere as long as two bridges meet of which one has it. Pictures and files do \
            not cross.

            A broker, and in an open mesh anybody who may use it, can keep back, delay or repeat what passes it, and ask for what \
            may cross. They cannot forge or change anything. In a closed mesh they learn sizes, times and which site sent what, and \
            no contents.

            Exit codes: 0 done or asked to end, 1 failed, 2 wrong usage, 77 the broker refuses us. With --once also 69 the broker \
            was not reached, 75 no node runs, or something was in the way for 15 seconds.
            """)

    @OptionGroup var broker: MqttOptions
    @OptionGroup(title: "Node") var node: NodeOptions

    @Flag(help: "End once everything is published and compared with a bridge that is there, and do not wait for any.")
    var once = false

    func run() async throws {
        let address = try broker.checked()
        let runner = BridgeRunner(.mqtt, at: broker.url, node: node, isOnce: once) { client, mesh, path in
            var system = SystemRandomNumberGenerator()
            var random = SeededGenerator(seed: UInt64.random(in: 0 ... .max, using: &system))
            let wrapping = LiveWrapping(mesh: mesh.mesh, key: mesh.key)
            let state = try LiveState(path: path, using: &random)
            let topics = LiveTopics(tag: wrapping.tag, me: state.bridge)
            let broker = try await MqttBroker(address, client: state.client, topics)
            return LiveBridge(
                node: client, broker: broker, wrapping: wrapping, state: state, time: .system, random: random)
        }
        throw ExitCode(await runner.runUntilSignalled().rawValue)
    }
}

struct MqttOptions: ParsableArguments {
    private static let ports: (plain: UInt16, tls: UInt16) = (1_883, 8_883)

    @Option(
        help: ArgumentHelp(
            "Where the broker is. 'mqtts://' asks for TLS. (default ports: 1883, and 8883 with TLS)",
            valueName: "mqtt://host"))
    var url: String

    @Option(
        help: ArgumentHelp("Also trust a broker whose certificate this file (PEM) vouches for.", valueName: "file"))
    var ca: String?
    @Option(help: ArgumentHelp("Show the broker this certificate (PEM).", valueName: "file")) var cert: String?
    @Option(help: ArgumentHelp("The key of the certificate (PEM).", valueName: "file")) var key: String?
    @Option(help: ArgumentHelp("Log in with this name and a password.", valueName: "name")) var user: String?
    @Option(help: ArgumentHelp("The password is the first line of this file.", valueName: "file"))
    var passwordFile: String?

    /// - Throws: `ValidationError`, with what to do.
    func checked() throws -> MqttAddress {
        var address = try server()
        guard address.usesTLS || [ca, cert, key].allSatisfy({ $0 == nil }) else {
            throw ValidationError("--ca, --cert and --key are for TLS; use mqtts:// in --url.")
        }
        address.authority = try ca.map { try BrokerOptions.readable($0) }
        guard (cert == nil) == (key == nil) else { throw ValidationError("--cert and --key belong together.") }
        if let cert, let key {
            address.certificate = MqttAddress.Certificate(
                file: try BrokerOptions.readable(cert), key: try SecretOption.file(key))
        }
        guard (user == nil) == (passwordFile == nil) else {
            throw ValidationError("--user and --password-file belong together.")
        }
        if let user, let passwordFile {
            guard address.usesTLS || Self.isHere(address.host) else {
                throw ValidationError("a password over mqtt:// can be read on its way; use mqtts:// in --url.")
            }
            address.login = MqttAddress.Login(user: user, password: try SecretOption.line(of: passwordFile))
        }
        return address
    }

    private func server() throws -> MqttAddress {
        let parts = url.wholeMatch(of: #/(mqtts?)://(\[[0-9A-Fa-f:.]+\]|[^@/:\[\] ]+)(?::([0-9]{1,5}))?/?/#)
        guard let parts else {
            throw ValidationError(
                url.contains("@")
                    ? "a password in --url can be read by others on this machine; use --user with --password-file."
                    : "'\(DisplayText.isolated(url))' is no address of a broker; an example is mqtt://broker.example:1883."
            )
        }
        let usesTLS = parts.1 == "mqtts"
        let port = parts.3.map { UInt16($0) } ?? (usesTLS ? Self.ports.tls : Self.ports.plain)
        guard let port, port > 0 else { throw ValidationError("the port in --url is 1 to 65535.") }
        let host = parts.2.hasPrefix("[") ? parts.2.dropFirst().dropLast() : parts.2
        return MqttAddress(host: String(host), port: port, usesTLS: usesTLS)
    }

    /// Whether the broker is on this machine.
    private static func isHere(_ host: String) -> Bool { host.wholeMatch(of: #/127\.[0-9.]+|localhost|::1/#) != nil }
}
