import DequeModule
import LatticeCore
import LatticeWire

/// How many records were turned down, by reason.
package struct RefusedCounts: Hashable, Sendable {
    /// Their author had said too much.
    package var byOrigin = 0
    /// The neighbour that brought them had brought too much.
    package var byLink = 0
    /// Too much waited for a busy link, and of nobody more than of their author.
    package var byBacklog = 0
    /// A person has blocked their author.
    package var byBlock = 0

    package init(byOrigin: Int = 0, byLink: Int = 0, byBacklog: Int = 0, byBlock: Int = 0) {
        self.byOrigin = byOrigin
        self.byLink = byLink
        self.byBacklog = byBacklog
        self.byBlock = byBlock
    }
}

/// How much each speaker may still say and each neighbour still bring, ourselves included; one token a started KiB.
struct Fairness: Sendable {
    private let originRate: TokenBucket.Rate
    private let linkRate: TokenBucket.Rate
    private var own = TokenBucket()
    private var origins: [PeerPrefix: TokenBucket] = [:]
    /// The keys of `origins`, in the order in which they are to be looked at next.
    private var order: Deque<PeerPrefix> = []
    var refused = RefusedCounts()

    init(originRate: Int64, linkRate: Int64) {
        self.originRate = Self.rate(originRate)
        self.linkRate = Self.rate(linkRate)
        precondition(self.originRate.burst >= Self.cost(of: Record.bytesMax), "the longest record fits every bucket")
        precondition(self.linkRate.burst >= 2 * Self.cost(of: Record.bytesMax), "and half of a link's")
    }

    private static func rate(_ perSecond: Int64) -> TokenBucket.Rate {
        TokenBucket.Rate(perSecond: perSecond, burst: perSecond * MeshLimit.burstSeconds)
    }

    private static func cost(of bytes: Int) -> Int64 {
        Int64((bytes + 1_023) / 1_024)
    }

    /// Speakers of whom it is remembered that they spoke lately.
    var originCount: Int { origins.count }

    // MARK: - Others

    /// Takes what a new record costs from its author's bucket and from that of the link it came by, or from neither.
    ///
    /// The last half of a link's bucket is for authors who have said little: those who say much leave room for the rest.
    mutating func admits(_ record: VerifiedRecord, by link: inout TokenBucket, at now: Instant) -> Bool {
        let cost = Self.cost(of: record.signed.bytes.count)
        let author = record.author.prefix
        var bucket = origins[author] ?? TokenBucket()
        guard bucket.holds(cost, of: originRate, at: now) else {
            refused.byOrigin += 1
            return false
        }
        let isLoud = !bucket.holds(originRate.burst / 2, of: originRate, at: now)
        guard link.take(cost, of: isLoud ? linkRate.halved : linkRate, at: now) else {
            refused.byLink += 1
            return false
        }
        bucket.charge(cost, of: originRate, at: now)
        remember(bucket, of: author, at: now)
        return true
    }

    /// A full bucket is as good as none, so those are forgotten; with each newcomer two are looked at. Where nobody can be
    /// forgotten a newcomer is measured by its link alone.
    private mutating func remember(_ bucket: TokenBucket, of author: PeerPrefix, at now: Instant) {
        if origins[author] == nil {
            for _ in 0..<2 {
                guard let oldest = order.popFirst() else { break }
                if origins[oldest]?.isFull(at: now) ?? true { origins[oldest] = nil } else { order.append(oldest) }
            }
            guard origins.count < MeshLimit.peopleMax else { return }
            order.append(author)
        }
        origins[author] = bucket
    }

    // MARK: - Ourselves

    /// Our own speech is not refused; it is to be paced.
    mutating func said(_ record: VerifiedRecord, at now: Instant) {
        own.charge(Self.cost(of: record.signed.bytes.count), of: originRate.halved, at: now)
    }

    /// When we may speak again; `nil` if we may now. We keep to half of the burst that others allow us: what was held up on its
    /// way comes all at once.
    func quietUntil(at now: Instant) -> Instant? {
        own.emptyUntil(of: originRate.halved, at: now).map { $0 + MeshLimit.paceSlack }
    }
}
