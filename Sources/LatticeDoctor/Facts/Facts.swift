package import LatticeAPI
package import LatticeCore
package import LatticeDiscovery

/// Observations, without conclusions. What could not be observed is absent, and nothing is concluded from its absence.
package struct Facts: Sendable {
    package var wish: Wish
    package var interfaces: [InterfaceFact] = []
    /// The interface of the default route; `nil` if there is none or it is unknown.
    package var defaultInterface: String?
    /// Whether this process runs in a container with a network of its own.
    package var isContainer = false
    package var echoes: [EchoFact] = []
    package var responder: ResponderFact?
    /// How many other machines' mDNS was heard, whatever they announce.
    package var othersHeard = 0
    package var sightings: [SightedPeer] = []
    package var reaches: [Reach] = []
    package var node: NodeFact?
    /// Why the running node does not answer, in words.
    package var nodeObjection: String?
    /// The mesh of the running node if it is not the one examined: `the open mesh camp`.
    package var nodeElsewhere: String?
    package var machine = MachineFact()

    package init(wish: Wish) {
        self.wish = wish
    }

    /// The wanted configuration, from options, settings or the running node.
    package struct Wish: Hashable, Sendable {
        package var mesh: MeshName
        package var isClosed: Bool
        /// Mesh tags in announcements of the mesh; empty if unknown, as for a closed mesh without its passphrase.
        package var meshTags: [UInt32]
        package var discovery: DiscoveryMode
        /// The only interface to use; `nil` means all.
        package var interface: String?
        /// 0 means any.
        package var port: UInt16
        package var given: [PeerAddress]
        /// Whether the question is about these addresses.
        package var isAskingOfGiven: Bool

        package init(
            mesh: MeshName, isClosed: Bool = false, meshTags: [UInt32] = [], discovery: DiscoveryMode = .auto,
            interface: String? = nil, port: UInt16 = 0, given: [PeerAddress] = [],
            isAskingOfGiven: Bool = false
        ) {
            self.mesh = mesh
            self.isClosed = isClosed
            self.meshTags = meshTags
            self.discovery = discovery
            self.interface = interface
            self.port = port
            self.given = given
            self.isAskingOfGiven = isAskingOfGiven
        }
    }
}

/// Replies of this person's running node.
package struct NodeFact: Sendable {
    package var me: Me
    package var peers: [PeerInfo]
    package var health: NodeHealth?
    package var blocked: [PeerPrefix]
    /// Programs that copy records between the node and brokers; `nil` if it refuses to tell.
    package var bridges: ShowBridges.Reply?

    package init(me: Me, peers: [PeerInfo] = [], health: NodeHealth? = nil, blocked: [PeerPrefix] = []) {
        self.me = me
        self.peers = peers
        self.health = health
        self.blocked = blocked
    }

    package var linked: [PeerInfo] { peers.filter { $0.state == .connected } }
}
