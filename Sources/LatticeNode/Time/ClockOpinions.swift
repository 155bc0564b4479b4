import LatticeCore
import OrderedCollections

/// What others' clocks say, as far as it was heard, and whose is off if they differ.
///
/// It holds each clock as what it is ahead of the monotonic clock here, so that a leap of our own changes nothing in it.
struct ClockOpinions {
    /// Beyond this people are told; below it clocks of ordinary machines differ.
    static let skewTold: Duration = .seconds(120)
    /// Clocks that are so close are right or wrong together.
    static let agreement: Duration = .seconds(60)
    /// So many others that agree know better than one.
    static let agreeingMin = 2
    /// As many peers as anybody looks at in a list, and 100 kB.
    static let peersMax = 512
    /// A clock further off than this says nothing at all: 69 years, so that 1970 does and sums stay sums.
    private static let saneMilliseconds: Int64 = 1 << 41

    /// What people are to be told.
    enum Verdict: Equatable {
        /// This peer's clock is ahead of ours, or behind where it is negative.
        case theirs(Duration)
        /// So many agree that ours is ahead of theirs, or behind where it is negative.
        case ours(Duration, peers: Int)
    }

    private struct Opinion {
        /// In milliseconds; `nil` until it counts.
        var ahead: Int64?
        /// What the last presence said, and its date: one that was kept by somebody for a minute or two seems behind by that, the
        /// next does not.
        var presence: (said: WallTime, ahead: Int64)?
        var links = 0
        var toldAhead = false
        var toldBehind = false
    }

    private var opinions: OrderedDictionary<PeerID, Opinion> = [:]
    private var toldOfOurs: (ahead: Bool, behind: Bool) = (false, false)

    // MARK: Hearing

    /// A neighbour's clock, in its handshake.
    mutating func linked(_ peer: PeerID, clock: WallTime, at now: Instant) {
        var opinion = opinions[peer] ?? Opinion()
        opinion.links += 1
        opinion.ahead = Self.ahead(clock, at: now)
        note(opinion, of: peer)
    }

    mutating func unlinked(_ peer: PeerID) {
        opinions[peer]?.links -= 1
    }

    /// When a presence of somebody's, which nothing but its clock dates, was made.
    mutating func heard(_ peer: PeerID, said: WallTime, at now: Instant) {
        guard let ahead = Self.ahead(said, at: now) else { return }
        var opinion = opinions[peer] ?? Opinion()
        // Copies of one come over every link.
        guard opinion.presence?.said != said else { return }
        if let before = opinion.presence?.ahead { opinion.ahead = max(before, ahead) }
        opinion.presence = (said, ahead)
        note(opinion, of: peer)
    }

    private mutating func note(_ opinion: Opinion, of peer: PeerID) {
        if opinions[peer] == nil, opinions.count >= Self.peersMax {
            opinions.remove(at: opinions.values.firstIndex { $0.links <= 0 } ?? 0)
        }
        opinions[peer] = opinion
    }

    private static func ahead(_ clock: WallTime, at now: Instant) -> Int64? {
        guard abs(clock.milliseconds.subtractingClamped(WallClock.earliest.milliseconds)) < saneMilliseconds else {
            return nil
        }
        return clock.milliseconds - now.milliseconds
    }

    // MARK: Judging

    /// Whose clock is off, once for each peer and direction, after `peer` was heard.
    mutating func verdict(on peer: PeerID, ours: WallTime, at now: Instant) -> Verdict? {
        guard let opinion = opinions[peer], let ahead = opinion.ahead else { return nil }
        let own = ours.milliseconds - now.milliseconds
        let skew = Duration.milliseconds(ahead - own)
        guard abs(skew) >= Self.skewTold else { return nil }
        if let (median, peers) = majority(against: own) {
            let error = Duration.milliseconds(own - median)
            guard error > .zero ? !toldOfOurs.ahead : !toldOfOurs.behind else { return nil }
            if error > .zero { toldOfOurs.ahead = true } else { toldOfOurs.behind = true }
            return .ours(error, peers: peers)
        }
        guard skew > .zero ? !opinion.toldAhead : !opinion.toldBehind else { return nil }
        if skew > .zero { opinions[peer]?.toldAhead = true } else { opinions[peer]?.toldBehind = true }
        return .theirs(skew)
    }

    /// How far `ours` is ahead of the median of all others' clocks, and how many those are; `nil` where nobody told.
    func lead(of ours: WallTime, at now: Instant) -> (Duration, peers: Int)? {
        let all = opinions.values.compactMap(\.ahead).sorted()
        guard !all.isEmpty else { return nil }
        let own = ours.milliseconds - now.milliseconds
        return (.milliseconds(own.subtractingClamped(all[all.count / 2])), all.count)
    }

    /// The most others that agree with one another, where they do not agree with us and are more than do.
    private func majority(against own: Int64) -> (ahead: Int64, peers: Int)? {
        let all = opinions.values.compactMap(\.ahead).sorted()
        let window = Self.agreement.wholeMilliseconds
        var best: Range<Int> = 0..<0
        var first = 0
        for index in all.indices {
            while all[index] - all[first] > window { first += 1 }
            if index + 1 - first > best.count { best = first..<index + 1 }
        }
        guard best.count >= Self.agreeingMin else { return nil }
        let median = all[(best.lowerBound + best.upperBound) / 2]
        let withUs = all.filter { abs($0 - own) < Self.skewTold.wholeMilliseconds }.count
        guard abs(median - own) >= Self.skewTold.wholeMilliseconds, best.count > withUs else { return nil }
        return (median, best.count)
    }

    // MARK: Neighbours' clocks

    /// In ascending order; a clock that is provably wrong is none.
    private func neighbours(at now: Instant) -> [(ahead: Int64, peer: PeerID)] {
        let aheadMin = WallClock.earliest.milliseconds - now.milliseconds
        var found: [(ahead: Int64, peer: PeerID)] = []
        for (peer, opinion) in opinions where opinion.links > 0 {
            if let ahead = opinion.ahead, ahead >= aheadMin { found.append((ahead, peer)) }
        }
        return found.sorted { ($0.ahead, $0.peer) < ($1.ahead, $1.peer) }
    }

    /// The median of the neighbours' clocks that may be right, for one whose own is not.
    func lender(at now: Instant) -> (time: WallTime, peer: PeerID)? {
        let able = neighbours(at: now)
        guard !able.isEmpty else { return nil }
        let median = able[(able.count - 1) / 2]
        return (WallTime(milliseconds: median.ahead + now.milliseconds), median.peer)
    }

    /// How many neighbours' clocks are within `tolerance` of this time.
    func agreeing(with time: WallTime, within tolerance: Duration, at now: Instant) -> Int {
        let own = time.milliseconds - now.milliseconds
        return neighbours(at: now).filter { abs($0.ahead - own) <= tolerance.wholeMilliseconds }.count
    }

    /// Whether two neighbours that agree within `tolerance` say that it is earlier by more than `margin`.
    func sayEarlier(than time: WallTime, by margin: Duration, tolerance: Duration, at now: Instant) -> Bool {
        let limit = time.milliseconds - now.milliseconds - margin.wholeMilliseconds
        let earlier = neighbours(at: now).map(\.ahead).filter { $0 < limit }
        return zip(earlier, earlier.dropFirst()).contains { $1 - $0 <= tolerance.wholeMilliseconds }
    }
}

extension Duration {
    var wholeMilliseconds: Int64 { nanoseconds / 1_000_000 }
}

extension Int64 {
    fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min + 1 : .max) : difference
    }
}
