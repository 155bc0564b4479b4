package import LatticeCore

/// What one link, and all of them, may cost.
package struct LinkLimits: Sendable {
    /// Links that others began. The mesh keeps fewer.
    package var connectionsMax = 128
    /// Connections that we began: 64 links and 16 dials at most, by the limits of the mesh.
    package var dialledMax = 96
    /// Unfinished handshakes from one address: with more, its oldest gives way.
    package var handshakesPerAddressMax = 16
    /// Unfinished handshakes in all: with more, the oldest of the address that has most gives way. An honest one takes a fraction of a second.
    package var handshakesMax = 64
    /// Handshakes that one address may begin: a crowd behind one router comes in at once, and a flood from there takes a
    /// hundredth of a processor. Guesses.
    package var handshakesPerAddress = TokenBucket.Rate(perSecond: 16, burst: 256)
    /// As `handshakesPerAddress`, for the 64 bits of an IPv6 network: one host may have all of its addresses, and a house has one network.
    package var handshakesPerNetwork = TokenBucket.Rate(perSecond: 64, burst: 512)
    /// Handshakes that strangers may begin, wherever they are: each takes half a millisecond, so this is an eighth of a processor.
    package var handshakes = TokenBucket.Rate(perSecond: 256, burst: 1_024)
    /// Addresses of which it is remembered that they began a handshake lately.
    package var addressesMax = 4_096
    package var handshakeTimeout: Duration = .seconds(10)
    package var dialTimeout: Duration = .seconds(3)
    /// How long a link that said goodbye may take to hand over what waits; the whole program is to be gone within 2 s.
    package var farewellTimeout: Duration = .milliseconds(1_250)
    /// How long a link whose goodbye went out waits for the other side to close: a few round trips.
    package var closingTimeout: Duration = .milliseconds(500)
    /// Encoded frames that wait for one slow peer; beyond it the link ends. A new link
    /// is sent the outbox (5 MB) and everybody's presence (4 MB) at once.
    package var queueBytesMax = 12 << 20
    /// Frames that wait for one slow peer: many short ones cost more than their bytes.
    package var queueFramesMax = 32_768
    /// Sealed and written in one go.
    package var batchBytesMax = 256 << 10
    package var rekeyInterval: Duration = .seconds(3_600)

    package init() {}
}
