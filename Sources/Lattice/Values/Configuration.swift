public import FoundationEssentials
public import Logging

/// What a session is, before it runs. All values are checked by ``Session/init(_:)``.
public struct Configuration: Sendable {
    /// Where a session keeps its identity, the people it knows and its records.
    public enum Storage: Hashable, Sendable {
        /// Nowhere: the session is a new peer each time, and records are relayed but not kept.
        case memory
        /// In this folder, which is made if it is missing. One session at a time uses it, in any process.
        case folder(URL)
    }

    /// Which peers the session links with, among those that it finds or that invite it.
    public enum Invitations: Hashable, Sendable {
        /// All peers of the same mesh.
        case automatic
        /// Those that the program accepts: ``Advertiser/invitations`` yields an ``Invitation`` for each. Members link without
        /// an ``Invitation``, and so do peers that a member has let in.
        case ask
        /// Only these.
        case only(Set<PeerID>)
        /// None that invites. Links begin only here, by ``Configuration/addresses``, ``Session/connect(to:timeout:)`` and
        /// ``Browser/invite(_:context:timeout:)``.
        case none
    }

    /// How peers are found.
    public enum Discovery: Hashable, Sendable {
        /// By mDNS on the local network: the machine's responder if it has one, else one in this process.
        case automatic
        /// By mDNS, but only while an ``Advertiser`` or a ``Browser`` is iterated. Nobody is linked with because it was found:
        /// links begin with ``Browser/invite(_:context:timeout:)``, ``Session/connect(to:timeout:)``,
        /// ``Configuration/addresses``, or with the other side's. A peer that was linked once is a member; links among
        /// members are made again as needed.
        case manual
        /// Not at all: only ``Configuration/addresses`` and ``Session/connect(to:timeout:)`` make links.
        case off
    }

    /// What the peer calls itself: 1–63 bytes of UTF-8 without control characters, `<`, `>` and `#`.
    public var name: String
    /// The mesh: peers that use the same name meet. 1–63 bytes of UTF-8 without control characters.
    public var mesh: String
    /// Where identity, people and records are kept.
    public var storage = Storage.memory
    /// Closes the mesh: a peer without the same passphrase learns nothing, not even names. 1–1,024 bytes. With one,
    /// ``Session/run()`` takes 64 MiB for a tenth of a second.
    public var passphrase: String?
    /// Which peers the session links with.
    public var invitations = Invitations.automatic
    /// How peers are found.
    public var discovery = Discovery.automatic
    /// Addresses that are dialled until they answer; at most 64.
    public var addresses: [PeerAddress] = []
    /// The TCP port to listen on; 0 lets the system choose.
    public var port: UInt16 = 0
    /// The only network interface to use, such as `wlan0`; `nil` is all.
    public var interface: String?
    /// Where the node logs. It is silent unless given.
    public var logger = Logger(label: "lattice") { _ in SwiftLogNoOpLogHandler() }

    /// A session in memory that finds and links with all peers of the mesh.
    public init(name: String, mesh: String) {
        (self.name, self.mesh) = (name, mesh)
    }
}
