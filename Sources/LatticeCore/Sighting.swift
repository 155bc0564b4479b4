/// An address where a peer may be reached, and who says so. Discovery makes it; it proves nothing.
package struct Sighting: Hashable, Sendable {
    /// Who found it.
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
    /// From the TXT key `id`; absent when only an address is known.
    package let peer: PeerPrefix?
    /// In a closed mesh, whose announcements do not say who it is: what tells the announcements of one start of the program
    /// from those of others.
    package let alias: PeerPrefix?
    /// The mDNS instance name as it was announced: a hint for a person, never shown without being made safe.
    package let name: String?
    /// From the TXT key `mesh`; absent when only an address is known.
    package let meshTag: UInt32?
    package let address: PeerAddress

    package init(
        source: Source, peer: PeerPrefix?, name: String?, meshTag: UInt32?, address: PeerAddress,
        alias: PeerPrefix? = nil
    ) {
        self.alias = alias
        self.source = source
        self.peer = peer
        self.name = name
        self.meshTag = meshTag
        self.address = address
    }
}
