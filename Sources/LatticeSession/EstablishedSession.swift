package import LatticeCore
package import LatticeWire

/// The result of a handshake: the peer, and the two halves of the channel, which two tasks may use.
package struct EstablishedSession: ~Copyable, Sendable {
    /// What the other side says about itself; only its identity is proven.
    package let peer: Introduction
    package var sealer: Sealer
    package var opener: Opener
    /// The same on both sides, and different in every session (Noise section 11.2).
    package let handshakeHash: Bytes32

    /// Gives both halves away; outside this module that is impossible member by member.
    package consuming func deconstruct<Result>(
        _ body: (consuming Sealer, consuming Opener) throws -> Result
    ) rethrows -> Result {
        try body(sealer, opener)
    }
}
