import LatticeCore
import LatticeWire
import OrderedCollections

/// Probes of ours that are under way, and which of others came by here.
struct Probes: Sendable {
    private struct Pending: Sendable {
        let target: PeerID
        let sentAt: Instant
        /// An answer came whose path was not signed by everybody in it; a true one may still come.
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

    /// - Returns: whether there is room for another.
    mutating func began(_ nonce: UInt64, to target: PeerID, at now: Instant) -> Bool {
        guard pending.count < MeshLimit.probesMax, pending[nonce] == nil else { return false }
        pending[nonce] = Pending(target: target, sentAt: now)
        return true
    }

    /// - Returns: whether this probe of another's has not come by before.
    mutating func pass(_ probe: Probe) -> Bool {
        passed.insert(Passed(nonce: probe.nonce, from: probe.from))
    }

    /// Only an answer to what we passed on is passed back: nobody can use us to send others what was not asked.
    func hasPassed(_ probe: Probe) -> Bool {
        passed.contains(Passed(nonce: probe.nonce, from: probe.from))
    }

    /// - Returns: whether it was waited for.
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

    /// Ends what was not answered in time; the ways it went are doubted from then on.
    mutating func due(at now: Instant, doubting routes: inout Routes, into effects: inout [MeshEffect]) {
        while let (nonce, first) = pending.elements.first, first.sentAt + MeshLimit.probeTimeout <= now {
            pending[nonce] = nil
            routes.doubt(first.target, at: now)
            effects.append(.probed(nonce: nonce, first.isForged ? .forged : .timedOut))
        }
    }
}
