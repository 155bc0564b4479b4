import LatticeCore
import LatticeWire
import OrderedCollections

/// Probes of ours that are under way.
struct Probes: Sendable {
    private struct Pending: Sendable {
        let target: PeerID
        let sentAt: Instant
    }

    private var pending: OrderedDictionary<UInt64, Pending> = [:]

    var nextDeadline: Instant? {
        pending.values.first.map { $0.sentAt + MeshLimit.probeTimeout }
    }

    /// - Returns: whether there is room for another.
    mutating func began(_ nonce: UInt64, to target: PeerID, at now: Instant) -> Bool {
        guard pending.count < MeshLimit.probesMax, pending[nonce] == nil else { return false }
        pending[nonce] = Pending(target: target, sentAt: now)
        return true
    }

    mutating func cameBack(_ probe: Probe, at now: Instant, into effects: inout [MeshEffect]) {
        guard let known = pending[probe.nonce], known.target == probe.to else { return }
        pending[probe.nonce] = nil
        let outcome = ProbeOutcome.answered(roundTrip: now - known.sentAt, path: probe.path)
        effects.append(.probed(nonce: probe.nonce, outcome))
    }

    mutating func due(at now: Instant, into effects: inout [MeshEffect]) {
        while let (nonce, first) = pending.elements.first, first.sentAt + MeshLimit.probeTimeout <= now {
            pending[nonce] = nil
            effects.append(.probed(nonce: nonce, .timedOut))
        }
    }
}
