package import LatticeCore

/// Limits for the clients of a `ConnectionTable`.
package struct ConnectionLimits: Sendable {
    /// Open connections.
    package var connectionsMax: Int
    /// Connections from one remote address.
    package var addressConnectionsMax: Int
    /// Connections from one local address, which all programs of this machine share.
    package var ownAddressConnectionsMax: Int
    /// Addresses that are remembered.
    package var addressesMax: Int
    /// Requests from one address.
    package var requests: TokenBucket.Rate
    /// Requests on one connection.
    package var connectionRequests: TokenBucket.Rate
    /// Requests that change something, from one address.
    package var writes: TokenBucket.Rate

    package init(
        connectionsMax: Int, addressConnectionsMax: Int, ownAddressConnectionsMax: Int, addressesMax: Int,
        requests: TokenBucket.Rate, connectionRequests: TokenBucket.Rate, writes: TokenBucket.Rate
    ) {
        (self.connectionsMax, self.addressConnectionsMax) = (connectionsMax, addressConnectionsMax)
        (self.ownAddressConnectionsMax, self.addressesMax) = (ownAddressConnectionsMax, addressesMax)
        (self.requests, self.connectionRequests, self.writes) = (requests, connectionRequests, writes)
    }
}
