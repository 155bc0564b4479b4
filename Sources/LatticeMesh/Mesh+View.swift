package import LatticeCore
import LatticeWire

// Answers that take more than one machine.
extension Mesh {
    /// Whether the outbox has space for another record of `bytes` bytes.
    package func hasOutboxRoom(bytes: Int) -> Bool {
        broadcast.outbox.hasRoom(bytes: bytes, isAlone: register.connectedCount == 0)
    }

    /// Whether speaking should wait: too much is unconfirmed, or we are close to the rate that others accept.
    package func isPaced(at now: Instant) -> Bool {
        broadcast.outbox.isCrowded || fairness.quietUntil(at: now) != nil
    }

    /// Everybody known, neighbours first, then by hops, then the ones that are only sighted.
    package func peers() -> [PeerView] {
        PeerViews(
            facts: facts, register: register, candidates: overlay.candidates, presences: presences, liveness: liveness
        ).all()
    }

    /// Bytes of messages that may be submitted for this peer until the next event; `nil` if there is no route to it or
    /// it is blocked.
    package func dataRoom(to peer: PeerID, at now: Instant) -> Int? {
        flows.room(to: peer, in: register, routing, facts, at: now)
    }

    /// Everything refused since the start.
    package var refusalCounts: RefusalCounts {
        [
            overlay.refused, invitations.refused, broadcast.refused, fairness.refused, antiEntropy.refused,
            presences.refused, routing.refused, flows.refused,
        ].reduce(into: refused) { $0.add($1) }
    }
}
