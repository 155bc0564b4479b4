package import LatticeCore

package struct InterfaceFact: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case loopback
        /// Wired, wireless or similar.
        case ordinary
        /// Connects virtual machines or containers on this machine.
        case bridge
        /// A VPN or another tunnel.
        case tunnel
    }

    package var name: String
    package var index: UInt32
    package var kind: Kind
    /// Switched on, with a carrier.
    package var isUp: Bool
    package var carriesMulticast: Bool
    package var v4: [String]
    package var v6: [String]

    package init(
        name: String, index: UInt32, kind: Kind = .ordinary, isUp: Bool = true, carriesMulticast: Bool = true,
        v4: [String] = [], v6: [String] = []
    ) {
        self.name = name
        self.index = index
        self.kind = kind
        self.isUp = isUp
        self.carriesMulticast = carriesMulticast
        self.v4 = v4
        self.v6 = v6
    }

    package var hasAddress: Bool { !v4.isEmpty || !v6.isEmpty }

    /// Whether no router or DHCP server has assigned an address (RFC 3927, RFC 4291 section 2.5.6).
    package var isLinkLocalOnly: Bool {
        hasAddress && v4.allSatisfy { $0.hasPrefix("169.254.") } && v6.allSatisfy { $0.hasPrefix("fe80:") }
    }
}

/// Whether a multicast query on an interface reached another socket of this machine.
package struct EchoFact: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case heard
        /// Sent but not received.
        case lost
        /// The system refused to send it, with its message.
        case refused(String)
    }

    package var interface: String
    package var isV6: Bool
    package var outcome: Outcome

    package init(interface: String, isV6: Bool = false, outcome: Outcome) {
        self.interface = interface
        self.isV6 = isV6
        self.outcome = outcome
    }
}

package struct ResponderFact: Hashable, Sendable {
    package enum Daemon: Hashable, Sendable {
        /// None runs, or there is no bus to ask on.
        case absent
        /// It runs or should run, but does not answer.
        case silent
        case answers
        case refuses(String)
    }

    package enum Port: Hashable, Sendable {
        /// Others can share it.
        case shared
        /// Another program has it exclusively.
        case held
        case refused(String)
    }

    package var daemon: Daemon
    /// Whether a process of the daemon was seen, even a stopped one.
    package var hasDaemonProcess: Bool
    /// Its file of settings, as far as it could be read.
    package var settings: AvahiSettings?
    package var settingsPath: String
    package var port: Port
    /// Programs that have the port open, as far as this user can see.
    package var holders: [String]

    package init(
        daemon: Daemon, hasDaemonProcess: Bool = false, settings: AvahiSettings? = nil,
        settingsPath: String = AvahiSettings.usualPath, port: Port = .shared, holders: [String] = []
    ) {
        self.daemon = daemon
        self.hasDaemonProcess = hasDaemonProcess
        self.settings = settings
        self.settingsPath = settingsPath
        self.port = port
        self.holders = holders
    }
}

/// An announced lattice node.
package struct SightedPeer: Hashable, Sendable {
    /// As announced; not safe to show.
    package var name: String
    package var prefix: PeerPrefix?
    package var meshTag: UInt32?
    /// Supported protocol versions; empty if the announcement has none.
    package var versions: [Int]
    package var addresses: [PeerAddress]
    /// What it announces about itself, cleaned.
    package var info: DiscoveryInfo
    /// Whether it is this person's own node on this machine.
    package var isOwn: Bool

    package init(
        name: String, prefix: PeerPrefix? = nil, meshTag: UInt32? = nil, versions: [Int] = [1],
        addresses: [PeerAddress] = [], info: DiscoveryInfo = DiscoveryInfo(), isOwn: Bool = false
    ) {
        self.info = info
        self.name = name
        self.prefix = prefix
        self.meshTag = meshTag
        self.versions = versions
        self.addresses = addresses
        self.isOwn = isOwn
    }

    /// A node of a closed mesh announces only a number as its name.
    package var isOfClosedMesh: Bool { prefix.map { $0.description == name } ?? false }
}

package struct Reach: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case open
        /// The machine answers, but nothing listens.
        case closed
        case silent
        /// A router or the system reports that there is no route.
        case noWay(String)
        /// This machine blocks the connection.
        case forbidden(String)
        case unknownName
    }

    package var address: PeerAddress
    package var outcome: Outcome
    /// Whether the machine answers on the local network below TCP; `nil` if unknown, as beyond a router.
    package var isNeighbour: Bool?
    /// Whether the address is in a network of this machine.
    package var isLocal: Bool

    package init(address: PeerAddress, outcome: Outcome, isNeighbour: Bool? = nil, isLocal: Bool = true) {
        self.address = address
        self.outcome = outcome
        self.isNeighbour = isNeighbour
        self.isLocal = isLocal
    }
}
