package import LatticeCore
package import LatticeMesh

/// What a program in this process learns about peers that it may invite, that invite it, and that it is linked with.
package enum NearbyNews: Hashable, Sendable {
    /// An announcement of the same mesh. Nothing in it is proven.
    case found(AnnouncedPeer, Sighting)
    case lost(AnnouncedPeer, Sighting)
    /// Discovery does not work, until `recovered`.
    case trouble(reason: String)
    case recovered
    /// This peer, whose key is proven, asks on this link to be let in.
    case invited(PeerID, PeerName, context: [UInt8], on: LinkID)
    /// The link of this peer is gone, with the invitation that it may have sent.
    case left(PeerID)
    /// Sent once for each invitation that this node was asked to send.
    case answered(AnnouncedPeer, InvitationOutcome)
    /// A neighbour has answered a ping.
    case measured(PeerID, roundTrip: Duration)
}
