import LatticeCore
import LatticeWire
import OrderedCollections

/// Our probes under way, and the probes of others that were relayed here.
struct Probes: Sendable {
    private struct Pending: Sendable {
        let target: PeerID
        let sentAt: Instant
        /// An answer came with a path that not everybody in it signed; a valid one may still come.
        var isForged = false
    }

    private struct Passed: Hashable, Sendable {
        let nonce: UInt64
        let from: PeerID
    }

    private var pending: OrderedDictionary<UInt64, Pending> = [:]
    private var passed = RecentSet<Passed>(countMax: MeshLimit.probesPassedMax)
    private(set) var forgedCount = 0

    var nextDeadline: Instant? {
        pending.values.first.map { $0.sentAt + MeshLimit.probeTimeout }
    }

    /// - Returns: `false` if too many are under way.
    mutating func began(_ nonce: UInt64, to target: PeerID, at now: Instant) -> Bool {
        guard pending.count < MeshLimit.probesMax, pending[nonce] == nil else { return false }
        pending[nonce] = Pending(target: target, sentAt: now)
        return true
    }

    /// - Returns: whether this probe of another peer is new here.
    mutating func pass(_ probe: Probe) -> Bool {
        passed.insert(Passed(nonce: probe.nonce, from: probe.from))
    }

    /// Only answers to probes that we relayed are relayed back, so nobody can use us to send unrequested answers.
    func hasPassed(_ probe: Probe) -> Bool {
        passed.contains(Passed(nonce: probe.nonce, from: probe.from))
    }

    /// - Returns: whether it answers one of our probes.
    mutating func cameBack(_ probe: Probe, at now: Instant, into effects: inout [MeshEffect]) -> Bool {
        guard let known = pending[probe.nonce], known.target == probe.to else { return false }
        pending[probe.nonce] = nil
        let outcome = ProbeOutcome.answered(roundTrip: now - known.sentAt, path: probe.path)
        effects.append(.probed(nonce: probe.nonce, outcome))
        return true
    }

    mutating func forged(_ probe: Probe, isAnswer: Bool) {
        forgedCount += 1
        if isAnswer { pending[probe.nonce]?.isForged = true }
    }

    /// Ends unanswered probes, and marks their routes as doubtful.
    mutating func due(at now: Instant, doubting routes: inout Routes, into effects: inout [MeshEffect]) {
        while let (nonce, first) = pending.elements.first, first.sentAt + MeshLimit.probeTimeout <= now {
            pending[nonce] = nil
            routes.doubt(first.target, at: now)
            effects.append(.probed(nonce: nonce, first.isForged ? .forged : .timedOut))
        }
    }
}
