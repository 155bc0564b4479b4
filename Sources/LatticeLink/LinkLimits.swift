package import LatticeCore

package struct LinkLimits: Sendable {
    /// Links that others dialled. The mesh keeps fewer.
    package var connectionsMax = 128
    /// Connections that we dialled: at most 64 links and 16 dials by the limits of the mesh.
    package var dialledMax = 96
    /// Unfinished handshakes from one address: one more evicts its oldest.
    package var handshakesPerAddressMax = 16
    /// Unfinished handshakes in total: one more evicts the oldest of the address that has most. An honest one takes a
    /// fraction of a second.
    package var handshakesMax = 64
    /// Handshakes that one address may begin: a crowd behind one router comes in at once, and a flood from there takes a
    /// hundredth of a processor. Guesses.
    package var handshakesPerAddress = TokenBucket.Rate(perSecond: 16, burst: 256)
    /// Like `handshakesPerAddress`, for a 64-bit IPv6 network: a single host may have all of its addresses, and a house
    /// has one network.
    package var handshakesPerNetwork = TokenBucket.Rate(perSecond: 64, burst: 512)
    /// Handshakes that all strangers together may begin: each takes half a millisecond, so this is an eighth of a
    /// processor.
    package var handshakes = TokenBucket.Rate(perSecond: 256, burst: 1_024)
    /// Addresses remembered for their recent handshakes.
    package var addressesMax = 4_096
    package var handshakeTimeout: Duration = .seconds(10)
    package var dialTimeout: Duration = .seconds(3)
    /// How long a closing link may take to send what is queued; the whole program must stop within 2 s.
    package var farewellTimeout: Duration = .milliseconds(1_250)
    /// How long a link waits after its goodbye for the other side to close: a few round trips.
    package var closingTimeout: Duration = .milliseconds(500)
    /// Bytes queued for one slow peer; above this the link ends. A new link gets the outbox (5 MB) and all presences (4
    /// MB) at once.
    package var queueBytesMax = 12 << 20
    /// Frames queued for one slow peer: many short ones cost more than their bytes.
    package var queueFramesMax = 32_768
    /// Pieces of files queued for one link, of 32 KiB each. They are read from disk when they are needed.
    package var bulkPiecesMax = 8
    /// The owner learns that there is room for pieces when fewer than this are queued.
    package var bulkPiecesLow = 4
    /// Bytes encrypted and written at a time. An urgent frame cannot overtake them, nor what the kernel holds unsent: together
    /// they are 10 ms of a link with 100 Mbit/s.
    package var batchBytesMax = 64 << 10
    /// Unsent bytes of one connection in the kernel, which otherwise grow to some megabytes. `BulkPace` changes this for a
    /// link that sends pieces.
    package var unsentBytesMax = 64 << 10
    /// Unsent bytes in the kernel for a link that carries datagrams: they wait behind these, and cannot be called back.
    package var unsentBytesWithDatagrams = 16 << 10
    package var rekeyInterval: Duration = .seconds(3_600)

    package init() {}
}
