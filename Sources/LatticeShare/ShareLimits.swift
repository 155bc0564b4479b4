import LatticeCore
package import LatticeSocket

/// Limits for one client, and for all together.
package struct ShareLimits: Sendable {
    package var connections = ConnectionLimits(
        // A camp that fetches at once; each takes a descriptor, and the files are sent by the kernel.
        connectionsMax: 256, addressConnectionsMax: 16, ownAddressConnectionsMax: 64, addressesMax: 4_096,
        requests: TokenBucket.Rate(perSecond: 20, burst: 200),
        connectionRequests: TokenBucket.Rate(perSecond: 1, burst: 1),
        writes: TokenBucket.Rate(perSecond: 1, burst: 1))
    /// Connections beyond those, which are refused with an answer; others are closed at once.
    package var refusedMax = 32
    /// All that a client may send on a connection.
    package var requestBytesMax = 8 << 10
    /// From the opening of a connection to the end of its request.
    package var requestTimeout: Duration = .seconds(10)
    /// Bytes that are sent at a time.
    package var pieceBytes = 128 << 10
    /// Time for a client to take a piece.
    package var pieceTimeout: Duration = .seconds(60)
    /// From the last byte sent to the end of the connection.
    package var closeTimeout: Duration = .seconds(60)
    /// Events that wait for who shows them; the oldest are dropped.
    package var eventsMax = 1_024

    package init() {}
}
