import LatticeCore

/// When to dial everybody again after a network change: at once, but not too often.
struct NetworkChanges: Sendable {
    private(set) var seekAt: Instant?
    private var seeks = TokenBucket()

    private static let cost = MeshLimit.networkSeekInterval.components.seconds

    mutating func changed(at now: Instant) {
        guard seekAt == nil else { return }
        let isAtOnce = seeks.holds(Self.cost, of: MeshLimit.networkSeeks, at: now)
        seekAt = isAtOnce ? now : now + MeshLimit.networkSeekInterval
    }

    /// - Returns: whether it is due.
    mutating func seeks(at now: Instant) -> Bool {
        guard let time = seekAt, time <= now else { return false }
        seekAt = nil
        seeks.charge(Self.cost, of: MeshLimit.networkSeeks, at: now)
        return true
    }
}
