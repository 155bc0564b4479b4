import LatticeCore

/// How far a peer is trusted to send true pieces.
struct BlobStanding: Sendable {
    private var wrongAt: [Instant] = []
    private var shunnedUntil: Instant = .zero
    private var shunnedCount = 0

    func isShunned(at now: Instant) -> Bool { shunnedUntil > now }

    /// - Returns: whether it is shunned from now on.
    mutating func wasWrong(at now: Instant) -> Bool {
        wrongAt.removeAll { $0.duration(to: now) > .seconds(3_600) }
        wrongAt.append(now)
        guard wrongAt.count >= BlobLimit.wrongMax else { return false }
        wrongAt.removeAll()
        shun(at: now)
        return true
    }

    mutating func shun(at now: Instant) {
        let time = min(BlobLimit.shunnedFirst * (1 << min(shunnedCount, 10)), BlobLimit.shunnedLast)
        shunnedUntil = now.advanced(by: time)
        shunnedCount += 1
    }
}
