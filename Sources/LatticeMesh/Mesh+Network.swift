import LatticeCore
import LatticeWire
import OrderedCollections

// The network under the links: an interface or an address of this machine has come or gone.
extension Mesh {
    mutating func networkChanged(without lost: [LinkID], at now: Instant, into effects: inout [MeshEffect]) {
        for id in lost {
            guard let gone = register[id], gone.phase != .closing else { continue }
            register.close(id, Goodbye(.timeout, "its address is gone"), into: &effects)
            linkEnded(gone, .broken("the address that this machine had there is gone"), at: now, into: &effects)
        }
        for link in register.rows where link.isConnected && !link.isOnNotice {
            let roundTrips = (link.roundTrip ?? .zero) * MeshLimit.networkRoundTrips
            let patience = min(max(MeshLimit.networkPongTimeout, roundTrips), MeshLimit.pongTimeout)
            // An answer may stand behind all that waits there.
            let until = fairness.isBusy(link.id) ? nil : now + patience
            doubt(link.id, until: until, at: now, into: &effects)
        }
        network.changed(at: now)
    }

    /// A link may be dead: it is asked, and until it says anything another to the same peer may take its place.
    mutating func doubt(
        _ id: LinkID, until: Instant? = nil, at now: Instant, into effects: inout [MeshEffect]
    ) {
        register.update(id) { $0.doubt = LinkRow.Doubt(since: now, until: until) }
        if register[id]?.ping == nil { ping(id, at: now, into: &effects) }
    }

    mutating func releaseNetwork(at now: Instant) {
        if network.seeks(at: now), !facts.hasLeft { candidates.seekAgain(at: now) }
    }
}
