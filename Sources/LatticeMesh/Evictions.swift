import DequeModule
import LatticeCore
import LatticeWire

/// Links that give up their slot to a newcomer: how many may, which offers are open, and who was evicted lately.
struct Evictions: Sendable {
    /// When each open offer lapses, oldest first. Each may account for one link beyond the slots.
    private var offersUntil: Deque<Instant> = []
    private var tokens = TokenBucket()
    /// Peers that were evicted, and those that came back and were evicted again.
    private var givenUp = RecentSet<PeerID>(countMax: MeshLimit.givenUpMax)
    private var givenUpTwice = RecentSet<PeerID>(countMax: MeshLimit.givenUpMax)

    var nextDeadline: Instant? { offersUntil.first }

    /// Whether the rate limit allows one more.
    mutating func take(at now: Instant) -> Bool {
        tokens.take(of: MeshLimit.evictions, at: now)
    }

    mutating func gaveUp(_ peer: PeerID) {
        if !givenUp.insert(peer) { givenUpTwice.insert(peer) }
    }

    /// Whether an evicted peer that comes back has found nobody else: it has no link at all, or this is its second
    /// return.
    func hasNobodyElse(_ peer: PeerID, isUrgent: Bool) -> Bool {
        givenUpTwice.contains(peer) || isUrgent && givenUp.contains(peer)
    }

    /// A neighbour was offered a newcomer.
    mutating func offered(at now: Instant) {
        if offersUntil.count >= MeshLimit.linksMax { offersUntil.removeFirst() }
        offersUntil.append(now + MeshLimit.offerTimeout)
    }

    /// - Returns: how many offers are still open, if some have lapsed; else `nil`.
    mutating func lapsed(at now: Instant) -> Int? {
        guard let first = offersUntil.first, first <= now else { return nil }
        while let first = offersUntil.first, first <= now { offersUntil.removeFirst() }
        return offersUntil.count
    }

    mutating func pause() {
        offersUntil = []
    }
}
