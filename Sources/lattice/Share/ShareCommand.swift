import ArgumentParser
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeDiscovery
import LatticeHost
import LatticeNode
import LatticeSettings
import LatticeShare
import LatticeSocket

struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Hand this program to people on your network who do not have it.",
        discussion: """
            It serves the program, a page and a script over HTTP until Ctrl-C, and nothing else of this machine. Others open \
            the page in a browser, or type 'curl -fsSL http://192.168.1.7:8090/ | sh' in a terminal: that fetches the \
            program, checks its SHA-256, puts it into ~/.local/bin, and starts it in your mesh. No internet is needed. \
            On a network that you do not trust, compare the SHA-256 on both screens.

            For example:

              lattice share
              lattice share --program lattice-x86_64 --source source.bundle
              lattice share --mesh camp --passphrase
            """)

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions

    @Option(help: ArgumentHelp("The program to share. (default: this one)", valueName: "file"))
    var program: String?

    @Option(
        help: ArgumentHelp(
            "A Debian package to share. (default: one that lies beside the program)", valueName: "file"))
    var deb: String?

    @Option(
        help: ArgumentHelp(
            "The sources to share: a git bundle, or a checkout of which one is made.", valueName: "path"))
    var source: String?

    @Option(
        help: ArgumentHelp(
            "The port; 0 is any that is free. (default: 8090, or the next that is free)", valueName: "port"),
        transform: Arguments.number(0...65_535, "--port"))
    var port: Int?

    @Option(
        help: ArgumentHelp("Serve only at this address. (default: all of this machine)", valueName: "address"),
        transform: Self.listenHost)
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "The mesh that newcomers join. (default: that of your running chat, or lattice)", valueName: "mesh"),
        transform: Arguments.meshName)
    var mesh: MeshName?

    @OptionGroup var closed: ClosedMeshOptions

    @Flag(help: "Hand out the key of a closed mesh, so that newcomers need no passphrase.")
    var withKey = false

    @Flag(help: "Hand out no link into your mesh.")
    var noLink = false

    @Flag(help: "Print what happens as JSON, one object a line.")
    var json = false

    private static func listenHost(_ text: String) throws -> String {
        let isBare = text.count { $0 == ":" } > 1 && !text.hasPrefix("[")
        do {
            return try PeerAddress(parsing: isBare ? "[\(text)]:1" : "\(text):1").host
        } catch {
            throw WrongValue("--listen is an address of this machine without a port, such as 192.168.1.7 or ::1")
        }
    }

    func validate() throws {
        guard !withKey || closed.choice.isClosed else {
            throw ValidationError("--with-key needs the passphrase: add --passphrase-file or --passphrase")
        }
        guard !withKey || !noLink else { throw ValidationError("use --with-key or --no-link, not both") }
    }

    func run() async throws {
        if listen == nil, LocalAddresses.reachable(port: 1).isEmpty {
            throw Failure(
                .unavailable,
                "this machine is in no network, so nobody can fetch anything; connect it by cable or Wi-Fi "
                    + "(--listen 127.0.0.1 is for trying it alone)")
        }
        let newcomer = noLink ? nil : try Newcomer(person.choice, mesh: mesh, closed.choice, withKey: withKey)
        await newcomer?.lookForCard()
        let choice = ShareChoice(program: program, debian: deb, source: source)
        let offer = try choice.offer { newcomer?.words() ?? ["chat"] }
        let signals = await ProgramSignal.caught(.interrupt, .terminate)
        let server = try await listening(offer)
        let report = ShareReport(offer: offer, addresses: addresses(of: server), isJSON: json)
        try report.begin()
        if withKey {
            Report.remark("anybody on this network can now join and read everything until the passphrase changes")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            group.addTask { for await event in server.events { try report.tell(event) } }
            group.addTask { for await _ in signals { return } }
            // The signal, or a reader of the output that has gone.
            try await group.next()
            group.cancelAll()
        }
        try report.end(server.counts)
    }

    // MARK: - Listening

    private static let portUsual: UInt16 = 8_090
    private static let portsTried: UInt16 = 10

    private func listening(_ offer: Offer) async throws(Failure) -> ShareServer {
        let first = port.flatMap(UInt16.init(exactly:)) ?? Self.portUsual
        let last = port == nil ? first + Self.portsTried - 1 : first
        var fault = AddressFault(.inUse, at: "port \(first)")
        for port in first...last {
            do throws(AddressFault) {
                return try await listening(offer, port)
            } catch {
                fault = error
                guard fault.reason == .inUse else { break }
            }
        }
        throw Failure(.failed, "\(fault)")
    }

    private func listening(_ offer: Offer, _ port: UInt16) async throws(AddressFault) -> ShareServer {
        // Both families; without IPv6 in the kernel, IPv4 alone.
        let hosts = listen.map { [$0] } ?? ["::", "0.0.0.0"]
        var fault = AddressFault(.notHere, at: hosts[0])
        for host in hosts {
            do {
                return try await ShareServer.listening(at: PeerAddress(host: host, port: port), offer: offer)
            } catch let error as AddressFault {
                fault = error
                guard error.reason == .notHere else { break }
            } catch {
                throw AddressFault(.other("\(error)"), at: "\(PeerAddress(host: host, port: port))")
            }
        }
        throw fault
    }

    private func addresses(of server: ShareServer) -> [PeerAddress] {
        guard let listen, !["0.0.0.0", "::"].contains(listen) else {
            return LocalAddresses.reachable(port: server.address.port)
        }
        return [server.address]
    }
}
