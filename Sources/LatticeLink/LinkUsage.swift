package import LatticeCore

/// Connections in use now, and what was refused since the start.
package struct LinkUsage: Hashable, Sendable {
    /// Connections that others dialled, handshakes included.
    package let incoming: Int
    /// Connections that we dialled, dials under way included.
    package let outgoing: Int
    /// The incoming ones with an unfinished handshake.
    package let halfOpen: Int
    /// Addresses remembered for their recent handshakes.
    package let addresses: Int
    package let refusals: RefusalCounts
}
