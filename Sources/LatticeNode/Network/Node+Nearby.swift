package import LatticeCore
package import LatticeDiscovery
import LatticeLink
package import LatticeMesh
package import LatticeWire

// Finding and inviting, for a program in this process.
extension Node {
    /// What discovery does from now on.
    package func play(_ roles: DiscoveryRoles) {
        network.discovery.play(roles)
    }

    /// Announces this about us from now on.
    package func inform(_ info: DiscoveryInfo) {
        network.discovery.inform(info)
    }

    /// A report of discovery.
    package func discovered(_ event: DiscoveryEvent) {
        LocalNetwork.discovered(event, for: self)
    }

    /// Invites a peer until it has answered; `NearbyNews.answered` brings the result.
    ///
    /// - Parameters:
    ///   - context: at most `Invitation.contextBytesMax` bytes.
    ///   - patience: how long the peer may take to answer once it is reached.
    package func invite(_ peer: AnnouncedPeer, context: [UInt8], patience: Duration) {
        handle(.inviting(peer, context: context, patience: patience))
    }

    /// Takes back an invitation that is not answered yet.
    package func withdraw(_ peer: AnnouncedPeer) {
        handle(.withdrawn(peer))
    }

    /// What became of a yes.
    package enum Acceptance: Sendable {
        case linked
        /// The invitation was taken back, or nobody answered it in time.
        case gone
        /// There is no room for another link here.
        case full
    }

    /// Lets in a peer that asks on this link.
    package func accept(_ peer: PeerID, on link: LinkID) -> Acceptance {
        let isAsked = mesh.isAsked(about: peer, on: link)
        if isAsked { handle(.answered(peer, accept: true, on: link)) }
        if mesh.isNeighbour(peer) { return .linked }
        return isAsked ? .full : .gone
    }

    /// Turns away a peer that asks on this link.
    package nonisolated func decline(_ peer: PeerID, on link: LinkID, _ refusal: Refusal) {
        loop.turn.perform { [weak self] in self?.onLoop { $0.handle(.declined(peer, refusal, on: link)) } }
    }
}
