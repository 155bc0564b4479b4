import LatticeCore
import LatticeMesh
import LatticeWire

extension LinkTable {
    /// Reports how long a neighbour's answer took, if there is one among these frames.
    static func noteRoundTrip(on link: LinkID, of frames: some Sequence<Frame>, for node: isolated Node) {
        guard let onNews = node.configuration.announced.onNews,
            frames.contains(where: { if case .pong = $0 { true } else { false } }),
            let (peer, roundTrip) = node.ask({ $0.roundTrip(on: link) })
        else { return }
        onNews(.measured(peer, roundTrip: roundTrip))
    }
}

/// How long links take there and back.
package enum RoundTrips {
    /// Measures those of all links; `NearbyNews.measured` reports each.
    package static func measure(on node: isolated Node) {
        node.handle(.roundTripsWanted)
    }
}
