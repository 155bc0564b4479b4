package import LatticeCore

/// One network interface.
package struct InterfaceFact: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case loopback
        /// Wired, wireless, or what looks like it.
        case ordinary
        /// Between virtual machines or containers of this machine.
        case bridge
        /// VPN, or another way through which packets are sent wrapped up.
        case tunnel
    }

    package var name: String
    package var index: UInt32
    package var kind: Kind
    /// Switched on, and there is a carrier.
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

    /// Whether a router or a server of addresses has given it any (RFC 3927, RFC 4291 section 2.5.6).
    package var isLinkLocalOnly: Bool {
        hasAddress && v4.allSatisfy { $0.hasPrefix("169.254.") } && v6.allSatisfy { $0.hasPrefix("fe80:") }
    }
}

/// Whether a question sent to all on an interface came back to another socket of this machine.
package struct EchoFact: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case heard
        /// It was sent and did not come.
        case lost
        /// The system did not send it; why, in its words.
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

/// Who does mDNS on this machine.
package struct ResponderFact: Hashable, Sendable {
    package enum Daemon: Hashable, Sendable {
        /// None runs, or there is no bus to ask it by.
        case absent
        /// It runs, or should, and gives no answer.
        case silent
        case answers
        case refuses(String)
    }

    package enum Port: Hashable, Sendable {
        /// Others may use it, too.
        case shared
        /// Somebody has it alone.
        case held
        case refused(String)
    }

    package var daemon: Daemon
    /// Whether a process of the daemon was seen, stopped or not.
    package var hasDaemonProcess: Bool
    /// Its file of settings, as far as it could be read.
    package var settings: AvahiSettings?
    package var settingsPath: String
    package var port: Port
    /// Programs that have the port open, as far as it is allowed to know.
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

/// Somebody who announces a lattice node.
package struct SightedPeer: Hashable, Sendable {
    /// As announced; not made safe for a screen.
    package var name: String
    package var prefix: PeerPrefix?
    package var meshTag: UInt32?
    /// The versions of the protocol that it speaks; empty where it does not say.
    package var versions: [Int]
    package var addresses: [PeerAddress]
    /// It is of this machine, and the node that runs for this person.
    package var isOwn: Bool

    package init(
        name: String, prefix: PeerPrefix? = nil, meshTag: UInt32? = nil, versions: [Int] = [1],
        addresses: [PeerAddress] = [], isOwn: Bool = false
    ) {
        self.name = name
        self.prefix = prefix
        self.meshTag = meshTag
        self.versions = versions
        self.addresses = addresses
        self.isOwn = isOwn
    }

    /// One of a closed mesh announces nothing but a number.
    package var isOfClosedMesh: Bool { prefix.map { $0.description == name } ?? false }
}

/// What came of connecting with an address.
package struct Reach: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case open
        /// The machine is there and nobody listens.
        case closed
        /// Nothing came back.
        case silent
        /// Somebody on the way, or the system, says that there is no way.
        case noWay(String)
        /// This machine does not let it out.
        case forbidden(String)
        /// Nothing here knows which address that name has.
        case unknownName
    }

    package var address: PeerAddress
    package var outcome: Outcome
    /// Whether the machine with this address answers on its own network, below TCP; `nil` where that is not known, as beyond a router.
    package var isNeighbour: Bool?
    /// Whether it is of a network that this machine is on.
    package var isLocal: Bool

    package init(address: PeerAddress, outcome: Outcome, isNeighbour: Bool? = nil, isLocal: Bool = true) {
        self.address = address
        self.outcome = outcome
        self.isNeighbour = isNeighbour
        self.isLocal = isLocal
    }
}
