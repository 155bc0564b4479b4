import LatticeCore

/// Limits how many unknown keys may appear: a key costs nothing to make, and each one that appears costs every peer of
/// the mesh.
struct Newcomers: Sendable {
    /// Keys known to this person; they never count as newcomers.
    var trusted: Set<PeerID> = []
    private var all = TokenBucket()

    /// A link that brought many newcomers lately must leave half of the common limit to the other links.
    mutating func admits(by link: inout TokenBucket, at now: Instant) -> Bool {
        let (linkRate, allRate) = (MeshLimit.newcomersPerLink, MeshLimit.newcomers)
        guard link.holds(1, of: linkRate, at: now) else { return false }
        let hasBroughtMany = !link.holds(linkRate.burst / 2, of: linkRate, at: now)
        guard all.take(of: hasBroughtMany ? allRate.halved : allRate, at: now) else { return false }
        link.charge(1, of: linkRate, at: now)
        return true
    }
}
