package import LatticeCore

/// What connections take now, and what was turned down since the start.
package struct LinkUsage: Hashable, Sendable {
    /// Connections that others began, handshakes included.
    package let incoming: Int
    /// Connections that we began, dials included.
    package let outgoing: Int
    /// Of those that others began, the ones whose handshake is not over.
    package let halfOpen: Int
    /// Addresses of which it is remembered that they began a handshake lately.
    package let addresses: Int
    package let refusals: RefusalCounts
}
