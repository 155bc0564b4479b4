import DequeModule
import LatticeCore
import LatticeWire
import OrderedCollections

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

/// No speaker is so loud that others are not heard: what comes in is measured, what goes out on a busy link takes turns.
///
/// Each speaker may say so much and each neighbour may bring so much, this peer included; one token a started KiB.
struct Fairness: Sendable {
    private struct Row: Sendable {
        var records = TokenBucket()
        var newcomers = TokenBucket()
    }

    private let originRate: TokenBucket.Rate
    private let linkRate: TokenBucket.Rate
    /// As in `LinkRegister`: one for each link, in the same order.
    private var rows: [Row] = []
    private var own = TokenBucket()
    private var origins: [PeerPrefix: TokenBucket] = [:]
    /// The keys of `origins`, in the order in which they are checked next.
    private var order: Deque<PeerPrefix> = []
    private var newcomers = Newcomers()
    /// What waits for each busy link. A link is busy as long as it has a queue here.
    private var backlogs: OrderedDictionary<LinkID, FairQueue> = [:]
    private(set) var refused = RefusedCounts()
    /// Presences of unknown keys that were one too many.
    private(set) var refusedNewcomersCount = 0

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

    /// Speakers that spoke lately, as far as that is remembered.
    var originCount: Int { origins.count }

    // MARK: - Links

    mutating func linkOpened() {
        rows.append(Row())
    }

    mutating func linkRemoved(_ id: LinkID, at index: Int) {
        rows.remove(at: index)
        backlogs[id] = nil
    }

    mutating func linkBusy(_ link: LinkID, in register: LinkRegister) {
        guard register.isConnected(link), backlogs[link] == nil else { return }
        backlogs[link] = FairQueue()
    }

    // MARK: - Others

    /// These keys are never counted as newcomers.
    mutating func trustedChanged(_ peers: Set<PeerID>) {
        newcomers.trusted = peers
    }

    func trusts(_ peer: PeerID) -> Bool {
        newcomers.trusted.contains(peer)
    }

    /// Whether a new record that came by this link is taken. What is refused is not marked as seen, so that another copy can still
    /// bring it. Copies of what is known cost nothing: a neighbour that repeats an old record must not silence its author.
    ///
    /// - Parameter isOfNewcomer: whether it is the presence of an unknown key.
    mutating func admits(_ record: VerifiedRecord, isOfNewcomer: Bool, on index: Int, at now: Instant) -> Bool {
        if isOfNewcomer, !newcomers.admits(by: &rows[index].newcomers, at: now) {
            refusedNewcomersCount += 1
            return false
        }
        return admits(record, on: index, at: now)
    }

    /// Takes what a new record costs from its author's bucket and from that of the link it came by, or from neither.
    ///
    /// The last half of a link's bucket is for authors who have said little: those who say much leave some for the rest.
    private mutating func admits(_ record: VerifiedRecord, on index: Int, at now: Instant) -> Bool {
        let cost = Self.cost(of: record.signed.bytes.count)
        let author = record.author.prefix
        var bucket = origins[author] ?? TokenBucket()
        guard bucket.holds(cost, of: originRate, at: now) else {
            refused.byOrigin += 1
            return false
        }
        let isLoud = !bucket.holds(originRate.burst / 2, of: originRate, at: now)
        guard rows[index].records.take(cost, of: isLoud ? linkRate.halved : linkRate, at: now) else {
            refused.byLink += 1
            return false
        }
        bucket.charge(cost, of: originRate, at: now)
        remember(bucket, of: author, at: now)
        return true
    }

    /// A full bucket is as good as none, so those are forgotten; each newcomer has two checked. If nobody can be
    /// forgotten, a newcomer is measured by its link alone.
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

    /// A record of a blocked author was dropped.
    mutating func droppedBlocked() {
        refused.byBlock += 1
    }

    // MARK: - Ourselves

    /// Our own speech is not refused; it is paced.
    mutating func said(_ record: VerifiedRecord, at now: Instant) {
        own.charge(Self.cost(of: record.signed.bytes.count), of: originRate.halved, at: now)
    }

    /// When we may speak again; `nil` if we may now. We keep to half of the burst that others allow us: what was held up on its
    /// way comes all at once.
    func quietUntil(at now: Instant) -> Instant? {
        own.emptyUntil(of: originRate.halved, at: now).map { $0 + MeshLimit.paceSlack }
    }

    // MARK: - Busy links

    /// Whether records of others wait here for this link.
    func isBusy(_ link: LinkID) -> Bool {
        backlogs[link] != nil
    }

    /// Records that wait for busy links.
    var backlogCount: Int {
        backlogs.values.reduce(0) { $0 + $1.count }
    }

    /// When the record came that has waited longest for a busy link; `nil` if nothing waits.
    var backlogSince: Instant? {
        backlogs.values.lazy.compactMap(\.oldest).min()
    }

    /// A neighbour that has a record need not be sent it.
    mutating func neighbourHas(_ id: RecordID, on link: LinkID) {
        if !backlogs.isEmpty { backlogs[link]?.needsNoMore(id) }
    }

    mutating func neighbourHas(_ have: Have, on link: LinkID) {
        guard backlogs[link] != nil else { return }
        for entry in have.entries { backlogs[link]?.needsNoMore(entry.id) }
    }

    /// Releases a portion. The link stays busy while there is more; it is reported free again then.
    mutating func linkFree(
        _ link: LinkID, in register: LinkRegister, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard register.isConnected(link) else {
            backlogs[link] = nil
            return
        }
        for entry in backlogs[link]?.takePortion() ?? [] where !facts.blocked.contains(entry.record.author) {
            guard entry.record.kind != .presence else {
                // It has waited, and is not younger for that.
                effects.append(
                    .handPresence(
                        entry.record, timeToLive: entry.timeToLive, hops: entry.hops,
                        ageMilliseconds: UInt32(clamping: (now - entry.since).nanoseconds / 1_000_000), to: [link]))
                continue
            }
            effects.append(
                .forward(
                    entry.record, timeToLive: entry.timeToLive, hops: entry.hops, isStray: entry.isStray, to: [link]))
        }
        if backlogs[link]?.isEmpty ?? true { backlogs[link] = nil }
    }

    /// Records that were to be sent on busy links wait for their turn instead; everything else goes at once.
    ///
    /// Our own do not wait: our speech is paced by how fast links take it, and a pong confirms every record of ours that an
    /// effect sent before its ping.
    mutating func keepBack(from first: Int, _ facts: MeshFacts, at now: Instant, _ effects: inout [MeshEffect]) {
        var kept = first
        for index in first..<effects.count {
            if let effect = keepBack(effects[index], facts, at: now) {
                effects[kept] = effect
                kept += 1
            }
        }
        effects.removeSubrange(kept...)
    }

    /// Whether any link is busy.
    var isAnyBusy: Bool { !backlogs.isEmpty }

    /// - Returns: what is left of it to do now.
    private mutating func keepBack(_ effect: MeshEffect, _ facts: MeshFacts, at now: Instant) -> MeshEffect? {
        guard case .forward(let record, let timeToLive, let hops, let isStray, let links) = effect,
            !facts.isOwn(record.author)
        else { return effect }
        let entry = FairQueue.Entry(
            record: record, timeToLive: timeToLive, hops: hops, isStray: isStray, since: now)
        var free: [LinkID] = []
        for link in links {
            if backlogs[link] == nil {
                free.append(link)
            } else {
                refused.byBacklog += backlogs[link]?.push(entry) ?? 0
            }
        }
        guard !free.isEmpty else { return nil }
        return .forward(record, timeToLive: timeToLive, hops: hops, isStray: isStray, to: free)
    }
}
