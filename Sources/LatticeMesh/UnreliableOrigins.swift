import LatticeCore

/// Authors whose records failed to come on the link that should bring them. They are not pruned for a while.
struct UnreliableOrigins: Sendable {
    private var origins = RecentSet<PeerPrefix>(countMax: MeshLimit.prunedOriginsMax)
    private var until = Instant.zero

    mutating func insert(_ origin: PeerPrefix, at now: Instant) {
        if until <= now { origins.removeAll() }
        origins.insert(origin)
        until = now + MeshLimit.unreliableFor
    }

    func contains(_ origin: PeerPrefix, at now: Instant) -> Bool {
        now < until && origins.contains(origin)
    }
}
