package import LatticeAPI
package import LatticeCore
package import LatticeDiscovery

/// What was found out, before anybody judges it. What could not be looked at is absent, and nothing is concluded from that.
package struct Facts: Sendable {
    package var wish: Wish
    package var interfaces: [InterfaceFact] = []
    /// Where packets for the rest of the world leave; `nil` where there is no such way, or it is not known.
    package var defaultInterface: String?
    /// This process has a network of its own within its machine.
    package var isContainer = false
    package var echoes: [EchoFact] = []
    package var responder: ResponderFact?
    /// Other machines whose mDNS was heard, whatever they announce.
    package var othersHeard = 0
    package var sightings: [SightedPeer] = []
    package var reaches: [Reach] = []
    package var node: NodeFact?
    /// What runs for this person gives no answer: why, in words.
    package var nodeObjection: String?
    /// In which mesh one runs, where that is not the one that is looked at: `the open mesh camp`.
    package var nodeElsewhere: String?
    package var machine = MachineFact()

    package init(wish: Wish) {
        self.wish = wish
    }

    /// What a person wants of the network: by options, by settings, or as the node that runs was told.
    package struct Wish: Hashable, Sendable {
        package var mesh: MeshName
        package var isClosed: Bool
        /// What announcements of that mesh carry; empty where nobody knows, as of a closed one whose passphrase was not given.
        package var meshTags: [UInt32]
        package var discovery: DiscoveryMode
        /// The only one to be used; `nil` is every one.
        package var interface: String?
        /// 0 is any.
        package var port: UInt16
        /// Addresses that a person gave.
        package var given: [PeerAddress]
        /// Whether those addresses are what the person asks about now.
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

/// What the node told that runs for this person.
package struct NodeFact: Sendable {
    package var me: Me
    package var peers: [PeerInfo]
    package var health: NodeHealth?
    /// Whom this person blocks.
    package var blocked: [PeerPrefix]

    package init(me: Me, peers: [PeerInfo] = [], health: NodeHealth? = nil, blocked: [PeerPrefix] = []) {
        self.me = me
        self.peers = peers
        self.health = health
        self.blocked = blocked
    }

    /// Neighbours.
    package var linked: [PeerInfo] { peers.filter { $0.state == .connected } }
}
