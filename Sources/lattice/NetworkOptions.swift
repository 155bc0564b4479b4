import ArgumentParser
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode
import LatticeSettings

/// How peers are found and whom to link with.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The mesh; only peers of the same mesh see each other. (default: lattice)", valueName: "mesh"),
        transform: Arguments.meshName)
    var mesh: MeshName?

    @OptionGroup var closed: ClosedMeshOptions

    @Option(
        help: ArgumentHelp("The address of a peer to link with; repeatable.", valueName: "host:port"),
        transform: Arguments.address)
    var peer: [PeerAddress] = []

    @Option(
        help: ArgumentHelp(
            "The TCP port to listen on; 0 picks a free one. (default: 0)", valueName: "port"),
        transform: Arguments.number(0...65_535, "a port"))
    var port: Int?

    @Option(
        help:
            "How to find peers: auto, system (this machine's mDNS service), embedded (our own) or off. (default: auto)"
    )
    var discovery: DiscoveryMode?

    @Option(help: ArgumentHelp("Use only this network interface.", valueName: "name"))
    var interface: String?

    @Option(
        help: "Which peers to link with: auto (all of the mesh), ask (you decide), contacts or none. (default: auto)")
    var invitations: NodeConfiguration.InvitationPolicy?

    @Option(help: ArgumentHelp("A text sent with each invitation.", valueName: "text"))
    var context: String?

    @Option(
        help: ArgumentHelp(
            "How many hops your messages are relayed at once, 1 to 64; peers further away get them later. (default: 32)",
            valueName: "hops"),
        transform: Arguments.number(1...64, "--ttl"))
    var ttl: Int?

    func validate() throws {
        guard (context?.utf8.count ?? 0) <= 1_024 else {
            throw ValidationError("--context has more than 1,024 bytes; shorten it")
        }
    }

    /// What options say in other words than a setting of theirs: no file changes it.
    var fixed: Set<SettingKey> { closed.passphrase ? [.passphraseFile] : [] }

    /// - Returns: the key of the mesh, asked for or read once; `nil` if it is open.
    func meshKey() throws -> MeshKey? { try closed.key(of: try SettledMesh.name(mesh)) }

    /// Without the key of a closed mesh: whoever makes it asks for the passphrase once.
    func configuration(of identity: Identity, in directory: DataDirectory, room: RoomName) throws -> NodeConfiguration {
        var node = NodeConfiguration(
            identity: identity, name: directory.name, rooms: [room], mesh: try SettledMesh.name(mesh))
        take(Settings.current, into: &node)
        do {
            node.contacts = try directory.contacts().union(directory.people.contacts())
        } catch {
            throw Failure(.failed, error.description)
        }
        node.metrics = MetricsFront.tally
        node.people = directory.people
        node.accounts = directory.accounts
        return node
    }

    /// An option counts more than what is settled.
    private func take(_ settings: Settings, into node: inout NodeConfiguration) {
        node.invitations =
            invitations ?? settings.text(.invitations).flatMap(NodeConfiguration.InvitationPolicy.init) ?? .auto
        node.context = Array((context ?? settings.text(.context) ?? "").utf8)
        node.timeToLive = (ttl ?? settings.number(.ttl)).map(UInt8.init)
        node.rates = settings.rates
        node.port = UInt16(port ?? settings.number(.port) ?? 0)
        // What is settled counts for everybody's nodes on this machine, and one of them has the port already.
        node.takesOtherPort = port == nil && node.port != 0
        node.interface = interface ?? settings.text(.interface)
        node.discovery = discovery ?? settings.text(.discovery).flatMap(DiscoveryMode.init) ?? .auto
        node.given = peer.isEmpty ? settings.peers : peer
    }
}

extension DiscoveryMode: ExpressibleByArgument {}
extension NodeConfiguration.InvitationPolicy: ExpressibleByArgument {}
