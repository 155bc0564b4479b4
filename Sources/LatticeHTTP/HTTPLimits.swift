package import LatticeCore
import LatticeSocket

/// Limits for one client, and for all together.
package struct HTTPLimits: Sendable {
    /// Open connections; each takes a descriptor and some tens of kilobytes. A browser opens six to one server.
    package var connectionsMax = 2_048
    /// Connections from one remote address.
    package var addressConnectionsMax = 64
    /// Connections from one local address, which all programs of this machine share: a quarter of the slots is left to
    /// others.
    package var ownAddressConnectionsMax = 1_536
    package var streamsMax = 1_024
    /// Requests a second from one address, and how many at once.
    package var requests = TokenBucket.Rate(perSecond: 500, burst: 2_000)
    /// Requests on one connection: the tabs of one machine must not starve each other.
    package var connectionRequests = TokenBucket.Rate(perSecond: 200, burst: 500)
    /// Requests that change something, from one address.
    package var writes = TokenBucket.Rate(perSecond: 20, burst: 120)
    package var addressesMax = 4_096
    /// Bytes of a request's body; the longest post has 4,000.
    package var bodyBytesMax = 64 << 10
    /// Bytes of all headers together, and the number of headers.
    package var headerBytesMax = 16 << 10
    package var headersMax = 64
    /// From the opening of a connection, or the first byte of a later request, to the end of its headers.
    package var headTimeout: Duration = .seconds(10)
    /// From the end of a response to the first byte of the next request.
    package var idleTimeout: Duration = .seconds(60)
    package var bodyTimeout: Duration = .seconds(20)
    /// Time for a client to read some of its response.
    package var writeTimeout: Duration = .seconds(30)
    /// From the last bytes to the end of their connection: time for the client to read them.
    package var closePause: Duration = .seconds(1)
    package var heartbeat: Duration = .seconds(15)
    /// Past events with which an interrupted stream can continue.
    package var ringMax = 1_024

    package init() {}

    var table: ConnectionLimits {
        ConnectionLimits(
            connectionsMax: connectionsMax, addressConnectionsMax: addressConnectionsMax,
            ownAddressConnectionsMax: ownAddressConnectionsMax, addressesMax: addressesMax, requests: requests,
            connectionRequests: connectionRequests, writes: writes)
    }

    /// Descriptors that links, the store and other fronts need.
    package static let otherDescriptors = 512

    /// Lowers the limits to the available descriptors: clients must not use up those that the node needs for the mesh.
    ///
    /// - Parameter descriptors: how many files and sockets the process may open.
    package mutating func fit(descriptors: Int) {
        connectionsMax = max(1, min(connectionsMax, max(descriptors - Self.otherDescriptors, descriptors / 2)))
        ownAddressConnectionsMax = max(1, min(ownAddressConnectionsMax, connectionsMax * 3 / 4))
        addressConnectionsMax = min(addressConnectionsMax, ownAddressConnectionsMax)
        streamsMax = max(1, min(streamsMax, connectionsMax / 2))
    }
}
