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

    /// Lets in a peer that asks.
    ///
    /// - Returns: whether it is linked now.
    package func accept(_ peer: PeerID) -> Bool {
        if mesh.isAsked(about: peer) { handle(.answered(peer, accept: true)) }
        return mesh.isNeighbour(peer)
    }

    /// Turns away a peer that asks.
    package nonisolated func decline(_ peer: PeerID, _ refusal: Refusal) {
        loop.turn.perform { [weak self] in self?.onLoop { $0.handle(.declined(peer, refusal)) } }
    }
}
