/// An address where discovery or somebody else says that a peer can be reached. It proves nothing.
package struct Sighting: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// The machine's mDNS responder, through `dns_sd.h`.
        case system
        /// Avahi's own stack inside this process.
        case embedded
        /// A person: `--peer`, `/connect`, an invitation link.
        case given
        /// A neighbour, over its encrypted link.
        case neighbour
    }

    package let source: Source
    /// From the TXT key `id`; `nil` if only an address is known.
    package let peer: PeerPrefix?
    /// In a closed mesh, where announcements do not reveal the peer: identifies the announcements of one run of the
    /// program.
    package let alias: PeerPrefix?
    /// The announced mDNS instance name: a hint for people, shown only after it was made safe.
    package let name: String?
    /// From the TXT key `mesh`; `nil` if only an address is known.
    package let meshTag: UInt32?
    package let address: PeerAddress
    /// What the announcement says besides: a hint for people as well.
    package let info: DiscoveryInfo

    package init(
        source: Source, peer: PeerPrefix?, name: String?, meshTag: UInt32?, address: PeerAddress,
        alias: PeerPrefix? = nil, info: DiscoveryInfo = DiscoveryInfo()
    ) {
        self.info = info
        self.alias = alias
        self.source = source
        self.peer = peer
        self.name = name
        self.meshTag = meshTag
        self.address = address
    }
}
