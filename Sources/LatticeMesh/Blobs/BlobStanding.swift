import LatticeCore
import OrderedCollections

/// Which peers are trusted to send true pieces. It outlives their links.
struct BlobStandings: Sendable {
    private var all: OrderedDictionary<PeerID, BlobStanding> = [:]

    var count: Int { all.count }

    func isShunned(_ peer: PeerID, at now: Instant) -> Bool { all[peer]?.isShunned(at: now) ?? false }

    /// - Returns: whether the peer is shunned from now on.
    mutating func wasWrong(_ peer: PeerID, at now: Instant) -> Bool {
        change(peer) { $0.wasWrong(at: now) }
    }

    mutating func shun(_ peer: PeerID, at now: Instant) {
        change(peer) { $0.shun(at: now) }
    }

    private mutating func change<Result>(_ peer: PeerID, _ change: (inout BlobStanding) -> Result) -> Result {
        defer { if all.count > BlobLimit.standingsMax { all.removeFirst() } }
        return change(&all[peer, default: BlobStanding()])
    }
}

/// How far a peer is trusted to send true pieces.
private struct BlobStanding: Sendable {
    private var wrongAt: [Instant] = []
    private var shunnedUntil: Instant = .zero
    private var shunnedCount = 0

    func isShunned(at now: Instant) -> Bool { shunnedUntil > now }

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
