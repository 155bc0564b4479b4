package import ArgumentParser
package import LatticeCore
package import LatticeDiscovery
package import LatticeHost
import LatticeNode
import LatticeSettings

package struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The mesh; only peers of the same mesh see each other. (default: lattice)", valueName: "mesh"),
        transform: Arguments.meshName)
    package var mesh: MeshName?

    @Option(
        help: ArgumentHelp(
            "Whose card of the mesh your node uses: a key, or an invitation link that names it. It is remembered.",
            valueName: "key"))
    var meshCard: String?

    @OptionGroup package var closed: ClosedMeshOptions

    @Option(
        help: ArgumentHelp("The address of a peer to link with; repeatable.", valueName: "host:port"),
        transform: Arguments.address)
    package var peer: [PeerAddress] = []

    @Option(
        help: ArgumentHelp(
            "The TCP port to listen on; 0 picks a free one. (default: 0)", valueName: "port"),
        transform: Arguments.number(0...65_535, "a port"))
    package var port: Int?

    @Option(
        help:
            "How to find peers: auto, system (this machine's mDNS service), embedded (our own) or off. (default: auto)"
    )
    package var discovery: DiscoveryMode?

    @Option(help: ArgumentHelp("Use only this network interface.", valueName: "name"))
    package var interface: String?

    @Option(
        help: ArgumentHelp(
            "What your node tells others who look around, such as role=kitchen, unless the mesh is closed; repeatable.",
            valueName: "key=value"),
        transform: Arguments.info)
    package var info: [String] = []

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
    package var ttl: Int?

    package init() {}

    package func validate() throws {
        guard (context?.utf8.count ?? 0) <= 1_024 else {
            throw ValidationError("--context has more than 1,024 bytes; shorten it")
        }
        do {
            _ = try DiscoveryInfo(info)
        } catch {
            throw ValidationError(error.description)
        }
        // Not by the parser, which would repeat a link with the key of a closed mesh.
        do {
            _ = try meshCard.map(Arguments.meshCard)
        } catch {
            throw ValidationError("--mesh-card: \(error)")
        }
    }

    /// Whose card of the mesh counts from now on.
    package var cardSigner: PeerID? {
        do {
            return try meshCard.map(Arguments.meshCard)
        } catch {
            preconditionFailure("\(error), which is checked before the command runs")
        }
    }

    package var choice: NetworkChoice {
        NetworkChoice(
            mesh: mesh, meshCard: cardSigner, closed: closed.choice, peer: peer, port: port, discovery: discovery,
            interface: interface,
            info: info,
            invitations: invitations, context: context, ttl: ttl)
    }
}

extension DiscoveryMode: ExpressibleByArgument {}
extension NodeConfiguration.InvitationPolicy: ExpressibleByArgument {}
