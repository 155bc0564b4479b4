import LatticeCore

/// Limits how many keys that nobody here knows may appear: to make a key costs nothing, and each that appears costs every peer of the mesh.
struct Newcomers: Sendable {
    /// Keys that this person knows: these are never counted as newcomers.
    var trusted: Set<PeerID> = []
    private var all = TokenBucket()

    /// A link that has brought many newcomers lately leaves half of what all links may bring to the others.
    mutating func admits(by link: inout TokenBucket, at now: Instant) -> Bool {
        let (linkRate, allRate) = (MeshLimit.newcomersPerLink, MeshLimit.newcomers)
        guard link.holds(1, of: linkRate, at: now) else { return false }
        let hasBroughtMany = !link.holds(linkRate.burst / 2, of: linkRate, at: now)
        guard all.take(of: hasBroughtMany ? allRate.halved : allRate, at: now) else { return false }
        link.charge(1, of: linkRate, at: now)
        return true
    }
}
