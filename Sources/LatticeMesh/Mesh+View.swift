package import LatticeCore
package import LatticeWire

// What the shell reads. The machines are read where they are, without a copy.
extension Mesh {
    package var me: PeerID { facts.me }
    package var options: MeshOptions { facts.options }
    package var register: LinkRegister { _read { yield membership.register } }
    package var broadcast: Broadcast { _read { yield dissemination.broadcast } }
    package var fairness: Fairness { _read { yield dissemination.fairness } }
    package var urgency: Urgency { _read { yield dissemination.urgency } }
    package var antiEntropy: AntiEntropy { _read { yield dissemination.antiEntropy } }
    package var presences: PresenceTable { _read { yield dissemination.presences } }

    /// Whether the outbox has space for another record of `bytes` bytes.
    package func hasOutboxRoom(bytes: Int) -> Bool {
        dissemination.broadcast.outbox.fits(bytes: bytes, isAlone: membership.register.connectedCount == 0)
    }

    /// Whether speaking should wait: too much is unconfirmed, or we are close to the rate that others accept.
    package func isPaced(at now: Instant) -> Bool {
        dissemination.broadcast.outbox.isCrowded || dissemination.fairness.quietUntil(at: now) != nil
    }

    /// Everybody known, neighbours first, then by hops, then the ones that are only sighted.
    package func peers() -> [PeerView] {
        PeerViews(
            facts: facts, register: membership.register, candidates: membership.overlay.candidates,
            presences: dissemination.presences, liveness: membership.liveness
        ).all()
    }

    /// Bytes of messages that may be submitted for this peer until the next event; `nil` if there is no route to it or
    /// it is blocked.
    package func dataRoom(to peer: PeerID, at now: Instant) -> Int? {
        flows.room(to: peer, in: membership.register, dissemination.routing, facts, at: now)
    }

    /// How a datagram for this peer has to go; `nil` if there is no way to it or it is blocked.
    package func datagramWay(to peer: PeerID, at now: Instant) -> DatagramWay? {
        datagrams.way(to: peer, in: membership.register, dissemination.routing, facts, at: now)
    }

    /// Everything refused since the start.
    package var refusalCounts: RefusalCounts {
        [dissemination.refused, flows.refused, datagrams.refused].reduce(into: membership.refused) { $0.add($1) }
    }

    /// Sent to a blocked peer.
    package static let blockedGoodbye = Goodbye(.refused, "it has blocked this peer")
}
