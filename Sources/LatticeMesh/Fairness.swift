import DequeModule
package import LatticeCore
import LatticeWire
import OrderedCollections

/// Keeps a loud speaker from drowning out others: it limits what comes in, and shares a busy link by turns.
///
/// Each author and each link has a token bucket, this peer included; a record costs one token per KiB or part of one.
package struct Fairness: Sendable {
    private struct Row: Sendable {
        var records = TokenBucket()
        var newcomers = TokenBucket()
        var urgent = TokenBucket()
    }

    /// What becomes of a new record.
    enum Admission {
        case refused
        case asUsual
        /// It goes before others in every queue.
        case asUrgent
    }

    private let originRate: TokenBucket.Rate
    private let linkRate: TokenBucket.Rate
    /// Row `i` belongs to link `i` of `LinkRegister`.
    private var rows: [Row] = []
    /// Records that programs of this person bring from other networks share the limits of one link.
    private var supply = Row()
    private var own = TokenBucket()
    private var origins: [PeerPrefix: TokenBucket] = [:]
    /// The keys of `origins`, in the order in which they are checked next.
    private var order: Deque<PeerPrefix> = []
    private var newcomers = Newcomers()
    /// The queue of each busy link. A link is busy while it has a queue here.
    private var backlogs: OrderedDictionary<LinkID, FairQueue> = [:]
    private(set) var refused = RefusalCounts()

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

    /// Authors whose buckets are remembered.
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

    /// `nil` is what programs of this person bring.
    private subscript(_ index: Int?) -> Row {
        get { index.map { rows[$0] } ?? supply }
        set { if let index { rows[index] = newValue } else { supply = newValue } }
    }

    // MARK: - Others

    /// Whether a record that a program brought late is accepted.
    mutating func takesSupplied(_ record: VerifiedRecord, at now: Instant) -> Bool {
        let isTaken = supply.records.take(Self.cost(of: record.signed.bytes.count), of: linkRate, at: now)
        if !isTaken { refused.add(.link) }
        return isTaken
    }

    mutating func trustedChanged(_ peers: Set<PeerID>) {
        newcomers.trusted = peers
    }

    func trusts(_ peer: PeerID) -> Bool {
        newcomers.trusted.contains(peer)
    }

    /// Whether a new record from this link is accepted. A refused record is not marked as seen, so another copy can
    /// still bring it. Copies of known records cost nothing: a neighbour that repeats an old record must not silence
    /// its author.
    ///
    /// - Parameters:
    ///   - isOfNewcomer: whether it is the presence of an unknown key.
    ///   - isUrgent: whether its author may have one more urgent record.
    mutating func admits(
        _ record: VerifiedRecord, isOfNewcomer: Bool, isUrgent: Bool, on index: Int?, at now: Instant
    ) -> Admission {
        if isOfNewcomer, let index, !newcomers.admits(by: &rows[index].newcomers, at: now) {
            refused.add(.newcomers)
            return .refused
        }
        let isUrgent = isUrgent && mayBeUrgent(record, on: index, at: now)
        guard admits(record, isUrgent: isUrgent, on: index, at: now) else { return .refused }
        guard isUrgent else { return .asUsual }
        _ = takesUrgent(record, on: index, at: now)
        return .asUrgent
    }

    /// Charges an urgent record to its link, whether the link brought it or served it.
    ///
    /// - Returns: `false` if the link has brought too many; then the record is as any other.
    mutating func takesUrgent(_ record: VerifiedRecord, on index: Int?, at now: Instant) -> Bool {
        self[index].urgent.take(Self.cost(of: record.signed.bytes.count), of: urgentRate(of: record.author), at: now)
    }

    private mutating func mayBeUrgent(_ record: VerifiedRecord, on index: Int?, at now: Instant) -> Bool {
        self[index].urgent.holds(Self.cost(of: record.signed.bytes.count), of: urgentRate(of: record.author), at: now)
    }

    /// The second half of a link's bucket is for people whom this person knows: strangers can make any number of keys.
    private func urgentRate(of author: PeerID) -> TokenBucket.Rate {
        trusts(author) ? MeshLimit.urgent : MeshLimit.urgent.halved
    }

    /// Charges a new record to its author's bucket and to its link's bucket, or to neither. An urgent one has a bucket of
    /// its own, so that it is accepted even if the link is over its limit.
    ///
    /// The second half of a link's bucket is for authors who have said little, so that loud ones leave space for the
    /// rest.
    private mutating func admits(
        _ record: VerifiedRecord, isUrgent: Bool, on index: Int?, at now: Instant
    ) -> Bool {
        let cost = Self.cost(of: record.signed.bytes.count)
        let author = record.author.prefix
        var bucket = origins[author] ?? TokenBucket()
        guard bucket.holds(cost, of: originRate, at: now) else {
            refused.add(.origin)
            return false
        }
        let isLoud = !bucket.holds(originRate.burst / 2, of: originRate, at: now)
        guard isUrgent || self[index].records.take(cost, of: isLoud ? linkRate.halved : linkRate, at: now) else {
            refused.add(.link)
            return false
        }
        bucket.charge(cost, of: originRate, at: now)
        remember(bucket, of: author, at: now)
        return true
    }

    /// A full bucket equals no bucket, so full ones are removed; each new author has two others checked. If none can be
    /// removed, the new author is limited only by its link.
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

    mutating func droppedBlocked() {
        refused.add(.blocked)
    }

    // MARK: - Ourselves

    /// Our own speech is paced, not refused.
    mutating func said(_ record: VerifiedRecord, at now: Instant) {
        own.charge(Self.cost(of: record.signed.bytes.count), of: originRate.halved, at: now)
    }

    /// When we may speak again; `nil` if we may now. We use half of the burst that others accept, because records that
    /// were held up on their way arrive all at once.
    package func quietUntil(at now: Instant) -> Instant? {
        own.emptyUntil(of: originRate.halved, at: now).map { $0 + MeshLimit.paceSlack }
    }

    // MARK: - Busy links

    /// Whether records of others are held back for this link.
    package func isBusy(_ link: LinkID) -> Bool {
        backlogs[link] != nil
    }

    /// Records held back for busy links.
    package var backlogCount: Int {
        backlogs.values.reduce(0) { $0 + $1.count }
    }

    /// Since when the oldest held-back record waits; `nil` if nothing waits.
    package var backlogSince: Instant? {
        backlogs.values.lazy.compactMap(\.oldest).min()
    }

    mutating func neighbourHas(_ id: RecordID, on link: LinkID) {
        if !backlogs.isEmpty { backlogs[link]?.needsNoMore(id) }
    }

    mutating func neighbourHas(_ have: Have, on link: LinkID) {
        guard backlogs[link] != nil else { return }
        for entry in have.entries { backlogs[link]?.needsNoMore(entry.id) }
    }

    /// Releases a portion. If more is left, the link stays busy and will be reported free again.
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
                // It has aged while it waited.
                effects.append(
                    .handPresence(
                        entry.record, timeToLive: entry.timeToLive, hops: entry.hops,
                        ageMilliseconds: UInt32(clamping: (now - entry.since).nanoseconds / 1_000_000), to: [link]))
                continue
            }
            effects.append(
                .forward(
                    entry.record, timeToLive: entry.timeToLive, hops: entry.hops, isStray: entry.isStray,
                    isUrgent: entry.isUrgent, to: [link]))
        }
        if backlogs[link]?.isEmpty ?? true { backlogs[link] = nil }
    }

    /// Records of others for busy links are moved to the queues; every other effect stays. Urgent ones pass, as long as
    /// they are few.
    ///
    /// Our own records are not held back: our speech is paced by what links accept, and a pong must confirm every own
    /// record sent before its ping.
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

    var isAnyBusy: Bool { !backlogs.isEmpty }

    /// - Returns: what remains to be done now.
    private mutating func keepBack(_ effect: MeshEffect, _ facts: MeshFacts, at now: Instant) -> MeshEffect? {
        guard case .forward(let record, let timeToLive, let hops, let isStray, let isUrgent, let links) = effect,
            !facts.isOwn(record.author)
        else { return effect }
        let entry = FairQueue.Entry(
            record: record, timeToLive: timeToLive, hops: hops, isStray: isStray, isUrgent: isUrgent, since: now)
        var free: [LinkID] = []
        for link in links {
            if backlogs[link]?.passes(entry) ?? true {
                free.append(link)
            } else {
                refused.add(.backlog, backlogs[link]?.push(entry) ?? 0)
            }
        }
        guard !free.isEmpty else { return nil }
        return .forward(record, timeToLive: timeToLive, hops: hops, isStray: isStray, isUrgent: isUrgent, to: free)
    }
}
