package import LatticeCore
package import LatticeCrypto
package import LatticeDiscovery
package import LatticeNode
import LatticePicture
import LatticePictureDecoder
package import LatticeSettings

/// How to find peers and which to link with, as given by options.
package struct NetworkChoice: Sendable {
    let mesh: MeshName?
    let meshCard: PeerID?
    let closed: ClosedMeshChoice
    let peer: [PeerAddress]
    let port: Int?
    let discovery: DiscoveryMode?
    let interface: String?
    let info: [String]
    let invitations: NodeConfiguration.InvitationPolicy?
    let context: String?
    let ttl: Int?

    package init(
        mesh: MeshName?, meshCard: PeerID? = nil, closed: ClosedMeshChoice, peer: [PeerAddress], port: Int?,
        discovery: DiscoveryMode?,
        interface: String?, info: [String], invitations: NodeConfiguration.InvitationPolicy?, context: String?,
        ttl: Int?
    ) {
        self.mesh = mesh
        self.meshCard = meshCard
        self.closed = closed
        self.peer = peer
        self.port = port
        self.discovery = discovery
        self.interface = interface
        self.info = info
        self.invitations = invitations
        self.context = context
        self.ttl = ttl
    }

    /// Keys that other options determine, so that no file changes them.
    package var fixed: Set<SettingKey> { closed.passphrase ? [.passphraseFile] : [] }

    /// - Returns: the key of the mesh, requested once; `nil` if the mesh is open.
    package func meshKey() throws -> MeshKey? { try closed.key(of: try SettledMesh.name(mesh)) }

    /// Leaves out the key of a closed mesh, so that the passphrase is asked for only once.
    package func configuration(of identity: Identity, in directory: DataDirectory, room: RoomName) throws
        -> NodeConfiguration
    {
        var node = NodeConfiguration(
            identity: identity, name: directory.name, rooms: [room], mesh: try SettledMesh.name(mesh))
        take(Settings.current, into: &node)
        do {
            node.announced.info = try DiscoveryInfo(info.isEmpty ? Settings.current.info : info)
        } catch {
            throw Failure(.usage, error.description)
        }
        do {
            node.invitations.contacts = try directory.contacts().union(directory.people.contacts())
        } catch {
            throw Failure(.failed, error.description)
        }
        node.metrics = MetricsFront.registry
        node.people = directory.people
        node.accounts = directory.accounts
        return node
    }

    /// Options override settings.
    private func take(_ settings: Settings, into node: inout NodeConfiguration) {
        node.invitations.policy =
            invitations ?? settings.text(.invitations).flatMap(NodeConfiguration.InvitationPolicy.init) ?? .auto
        node.invitations.context = Array((context ?? settings.text(.context) ?? "").utf8)
        node.invitations.card = meshCard ?? settings.value(.meshCard, Arguments.meshCard)
        node.timeToLive = (ttl ?? settings.number(.ttl)).map(UInt8.init)
        node.rates = settings.rates
        node.photos.render = { bytes throws(PictureFault) in try await PictureDecoder.own.render(bytes) }
        node.photos.fetchesUnasked = settings.fetchesPhotos
        node.port = UInt16(port ?? settings.number(.port) ?? 0)
        // Settings apply to all nodes on this machine, and another one may have the port already.
        node.takesOtherPort = port == nil && node.port != 0
        node.interface = interface ?? settings.text(.interface)
        node.discovery = discovery ?? settings.text(.discovery).flatMap(DiscoveryMode.init) ?? .auto
        node.given = peer.isEmpty ? settings.peers : peer
    }
}
