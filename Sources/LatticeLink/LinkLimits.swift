/// What one link, and all of them, may cost.
package struct LinkLimits: Sendable {
    /// Connections at once, handshakes included. The mesh keeps fewer.
    package var connectionsMax = 128
    /// Unfinished handshakes from one address: a stranger that opens and says nothing cannot take all places.
    package var handshakesPerAddressMax = 16
    package var handshakeTimeout: Duration = .seconds(10)
    package var dialTimeout: Duration = .seconds(3)
    /// How long a link that said goodbye may take to hand over what waits.
    package var farewellTimeout: Duration = .seconds(2)
    /// Encoded frames that wait for one slow peer; beyond it the link ends. A new link
    /// is sent the outbox (5 MB) and everybody's presence (4 MB) at once.
    package var queueBytesMax = 12 << 20
    /// Sealed and written in one go.
    package var batchBytesMax = 256 << 10
    package var rekeyInterval: Duration = .seconds(3_600)

    package init() {}
}
