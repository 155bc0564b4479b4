package import LatticeCore
package import LatticeWire

/// What a handshake ends in: who is there, and the two halves of the channel, which may go to two tasks.
package struct EstablishedSession: ~Copyable, Sendable {
    /// What the other side said of itself; its identity is proven, the rest is its word.
    package let peer: Introduction
    package var sealer: Sealer
    package var opener: Opener
    /// The same on both sides, and different in every session (Noise section 11.2).
    package let handshakeHash: Bytes32

    /// Gives both halves away, which nobody outside this room can do member by member.
    package consuming func deconstruct<Result>(
        _ body: (consuming Sealer, consuming Opener) throws -> Result
    ) rethrows -> Result {
        try body(sealer, opener)
    }
}
