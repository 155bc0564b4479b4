package import LatticeCore

/// What one program, and all of them together, may ask of the server.
package struct HTTPLimits: Sendable {
    /// Open at once; each is a descriptor and some tens of kilobytes. A browser opens six to one server.
    package var connectionsMax = 2_048
    /// Of one address that is not this machine's.
    package var addressConnectionsMax = 64
    /// Of one address of this machine, whose programs all share one: a quarter of the places is left to others.
    package var ownAddressConnectionsMax = 1_536
    /// Streams among them.
    package var streamsMax = 1_024
    /// Requests a second of one address, and how many at once.
    package var requests = TokenBucket.Rate(perSecond: 500, burst: 2_000)
    /// The same of one connection: many tabs of one machine do not starve each other.
    package var connectionRequests = TokenBucket.Rate(perSecond: 200, burst: 500)
    /// Of those, what changes something.
    package var writes = TokenBucket.Rate(perSecond: 20, burst: 120)
    package var addressesMax = 4_096
    /// Bytes of a request's body; the longest post has 4,000.
    package var bodyBytesMax = 64 << 10
    /// Bytes of all headers together, and of one.
    package var headerBytesMax = 16 << 10
    package var headersMax = 64
    /// From the opening of a connection, or the first byte of a later request, to the end of its headers.
    package var headTimeout: Duration = .seconds(10)
    /// From the end of an answer to the first byte of the next request.
    package var idleTimeout: Duration = .seconds(60)
    /// For a body to come whole.
    package var bodyTimeout: Duration = .seconds(20)
    /// For a program to take something of what it is sent.
    package var writeTimeout: Duration = .seconds(30)
    /// Between two signs of life on a stream.
    package var heartbeat: Duration = .seconds(15)
    /// Events of the past that a stream that was lost goes on with.
    package var ringMax = 1_024

    package init() {}

    /// What links, the store and other fronts need beside.
    package static let otherDescriptors = 512

    /// Takes no more places than there can be: whoever fills them all must not take from the node what it needs for the mesh.
    ///
    /// - Parameter descriptors: how many files and connections the process may have open.
    package mutating func fit(descriptors: Int) {
        connectionsMax = max(1, min(connectionsMax, max(descriptors - Self.otherDescriptors, descriptors / 2)))
        ownAddressConnectionsMax = max(1, min(ownAddressConnectionsMax, connectionsMax * 3 / 4))
        addressConnectionsMax = min(addressConnectionsMax, ownAddressConnectionsMax)
        streamsMax = max(1, min(streamsMax, connectionsMax / 2))
    }
}
