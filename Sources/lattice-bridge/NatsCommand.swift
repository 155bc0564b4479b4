import ArgumentParser
import Glibc
import LatticeAPI
import LatticeBridge
import LatticeCore
import LatticeHost
import LatticeNats
import LatticeSettings

struct NatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nats", abstract: "Join meshes over a NATS server with JetStream.",
        usage: "lattice-bridge nats --url nats://HOST:PORT [options]",
        discussion: """
            It runs beside a node of yours ('lattice run'), copies what its people let cross ('lattice bridge allow') to the \
            broker, and brings what other bridges have published. After an outage of any length both sides have all records. \
            It creates four streams for a mesh: for records that live up to a week, a month and a year, and for the pieces of \
            pictures and files.

            A broker can keep back or delay what passes it. It cannot forge or change anything. In a closed mesh it learns sizes, \
            times and which site sent what, and no contents. What was published stays at the broker until its stream's age limit, \
            even if its author deletes it or lets nothing cross any more.

            Exit codes: 0 done or asked to end, 1 failed, 2 wrong usage, 77 the broker refuses us, 78 a stream has other settings. With \
            --once also 69 the broker was not reached, 75 no node runs, or something was in the way for 15 seconds.
            """)

    @OptionGroup var broker: BrokerOptions
    @OptionGroup(title: "Node") var node: NodeOptions

    @Option(
        help: ArgumentHelp("Pictures and files up to this size cross, too; 0 for none.", valueName: "size"),
        transform: { try ByteSize.parsed($0, "--max-file", orZero: true) })
    var maxFile: Int64 = 16 << 20

    @Flag(help: "End once both sides have everything, and do not wait for a node or a broker.")
    var once = false

    func run() async throws {
        let (address, settings) = try broker.checked()
        let runner = BridgeRunner(.nats, at: broker.url, node: node, isOnce: once) { client, mesh, path in
            let wrapping: any BridgeWrapping =
                mesh.key.map { SealedWrapping(key: $0) } ?? OpenWrapping(mesh: mesh.mesh)
            let state = try BridgeState(path: path)
            let broker = try await NatsBroker(address, wrapping.names, settings)
            return Bridge(
                node: client, broker: broker, wrapping: wrapping, via: .nats, state: state, time: .system,
                blobBytesMax: maxFile)
        }
        throw ExitCode(await runner.runUntilSignalled().rawValue)
    }
}

struct NodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The name of your node. (default: the one that is running)", valueName: "name"),
        transform: Arguments.peerName)
    var name: PeerName?

    @Option(help: ArgumentHelp("The folder of your node, if it has one of its own.", valueName: "dir"))
    var dataDir: String?

    @Option(
        help: ArgumentHelp(
            "The file that keeps how far this bridge has got. (default: in the folder of the node)", valueName: "file"))
    var state: String?
}

struct BrokerOptions: ParsableArguments {
    enum Creation: String, ExpressibleByArgument, CaseIterable {
        case missing
        case never
    }

    @Option(
        help: ArgumentHelp(
            "Where the broker is; several servers of a cluster with commas between them. 'tls://' asks for TLS.",
            valueName: "nats://host:port"))
    var url: String

    @Option(
        help: ArgumentHelp(
            "Use TLS, and also trust servers whose certificate this file (PEM) vouches for.", valueName: "file"))
    var ca: String?
    @Option(help: ArgumentHelp("Log in with the nkey whose seed is in this file.", valueName: "file")) var nkey: String?
    @Option(help: ArgumentHelp("Log in with a NATS credentials file.", valueName: "file")) var creds: String?
    @Option(help: ArgumentHelp("Log in with this name and a password.", valueName: "name")) var user: String?
    @Option(help: ArgumentHelp("The password is the first line of this file.", valueName: "file"))
    var passwordFile: String?
    @Option(
        help: ArgumentHelp("The JetStream domain of the streams, if the server is a leaf of theirs.", valueName: "name")
    )
    var domain: String?
    @Option(help: ArgumentHelp("On how many servers a stream that is created is kept: 1 or 3.", valueName: "count"))
    var replicas = 1
    @Option(
        help: ArgumentHelp(
            """
            How large a stream that is created gets: 10G for each, or w=1G,m=5G,y=5G,p=20G (week, month, year, pieces). (default: \
            without a limit)
            """, valueName: "size"))
    var maxBytes: String?
    @Option(help: ArgumentHelp("Whether streams are created: missing, or never.", valueName: "when"))
    var create = Creation.missing

    private static let serversMax = 16

    /// - Throws: `ValidationError`, with what to do.
    func checked() throws -> (NatsAddress, NatsStreamSettings) {
        var address = NatsAddress(servers: try servers())
        address.authority = try ca.map { try Self.readable($0) }
        address.domain = domain
        address.credentials = try credentials()
        var settings = NatsStreamSettings()
        guard [1, 3].contains(replicas) else { throw ValidationError("--replicas is 1 or 3.") }
        settings.replicas = replicas
        settings.bytesMax = try maxBytes.map { try Self.limits($0) } ?? [:]
        settings.mayCreate = create == .missing
        return (address, settings)
    }

    private func servers() throws -> [String] {
        let servers = url.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard servers.count <= Self.serversMax else {
            throw ValidationError("--url names at most \(Self.serversMax) servers.")
        }
        guard Set(servers.map { $0.prefix { $0 != ":" } }).count == 1 else {
            throw ValidationError("--url mixes addresses with and without TLS; use tls:// for all.")
        }
        for server in servers {
            guard server.wholeMatch(of: #/(nats|tls)://[^@/ ]+/?/#) != nil else {
                throw ValidationError(
                    server.contains("@")
                        ? "a password in --url can be read by others on this machine; use --user with --password-file, --nkey or --creds."
                        : "'\(DisplayText.isolated(server))' is no address of a broker; an example is nats://broker.example:4222."
                )
            }
        }
        return servers
    }

    private func credentials() throws -> NatsAddress.Credentials {
        guard [nkey, creds, user].compactMap(\.self).count <= 1 else {
            throw ValidationError("use one of --nkey, --creds and --user.")
        }
        guard (user == nil) == (passwordFile == nil) else {
            throw ValidationError("--user and --password-file belong together.")
        }
        if let nkey {
            guard let key = NatsKey(seedText: try SecretOption.text(of: nkey)) else {
                throw ValidationError("\(nkey) is not a user nkey seed; 'lattice-bridge key FILE' makes one.")
            }
            return .seed(file: nkey, publicKey: key.publicText)
        }
        if let creds { return .credentials(file: try SecretOption.file(creds)) }
        if let user, let passwordFile {
            guard url.hasPrefix("tls://") || ca != nil || Self.isHere(url) else {
                throw ValidationError("a password over nats:// can be read on its way; use tls:// in --url.")
            }
            return .password(user: user, password: try SecretOption.line(of: passwordFile))
        }
        return .none
    }

    /// Whether all servers are on this machine.
    private static func isHere(_ url: String) -> Bool {
        url.split(separator: ",").allSatisfy { $0.contains(#/^nats://(127\.[0-9.]+|localhost|\[::1\])(:|/|$)/#) }
    }

    private static func limits(_ text: String) throws -> [BridgeSpan: Int64] {
        guard text.contains("=") else {
            let size = try ByteSize.parsed(text, "--max-bytes")
            return Dictionary(uniqueKeysWithValues: BridgeSpan.allCases.map { ($0, size) })
        }
        var limits: [BridgeSpan: Int64] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let span = BridgeSpan(rawValue: String(pair[0])), limits[span] == nil else {
                throw ValidationError("--max-bytes names each of w, m, y and p at most once, such as w=1G,p=20G.")
            }
            limits[span] = try ByteSize.parsed(String(pair[1]), "--max-bytes")
        }
        return limits
    }

    static func readable(_ path: String) throws -> String {
        guard access(path, R_OK) == 0 else {
            throw ValidationError("\(path): \(String(cString: strerror(errno))).")
        }
        return path
    }
}
