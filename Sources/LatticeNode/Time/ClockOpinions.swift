import LatticeCore
import OrderedCollections

/// Other peers' clocks as far as they are known, and whose is wrong if they differ.
///
/// Each clock is stored as its lead over our monotonic clock, so a jump of our own clock changes nothing here.
struct ClockOpinions {
    /// Differences below this are normal; larger ones are reported.
    static let skewReported: Duration = .seconds(120)
    /// Clocks this close are right or wrong together.
    static let agreement: Duration = .seconds(60)
    /// This many other peers that agree are trusted over one.
    static let agreeingMin = 2
    /// As many peers as a person reads in a list; 100 kB.
    static let peersMax = 512
    /// A clock further off is ignored: 69 years, which still accepts 1970 and avoids overflow.
    private static let saneMilliseconds: Int64 = 1 << 41

    enum Verdict: Equatable {
        /// The lead of this peer's clock over ours; negative if it is behind.
        case theirs(Duration)
        /// The lead of our clock over that of several peers who agree; negative if it is behind.
        case ours(Duration, peers: Int)
    }

    private struct Opinion {
        /// In milliseconds; `nil` until it is reliable.
        var ahead: Int64?
        /// The last presence's date and lead. If somebody held it back for a minute or two it seems that far behind; the next
        /// one does not.
        var presence: (said: WallTime, ahead: Int64)?
        var links = 0
        var reportedAhead = false
        var reportedBehind = false
    }

    private var opinions: OrderedDictionary<PeerID, Opinion> = [:]
    private var reportedOurs: (ahead: Bool, behind: Bool) = (false, false)

    /// A neighbour's clock, from its handshake.
    mutating func linked(_ peer: PeerID, clock: WallTime, at now: Instant) {
        var opinion = opinions[peer] ?? Opinion()
        opinion.links += 1
        opinion.ahead = Self.ahead(clock, at: now)
        note(opinion, of: peer)
    }

    mutating func unlinked(_ peer: PeerID) {
        opinions[peer]?.links -= 1
    }

    /// The date of a presence, which comes only from its author's clock.
    mutating func heard(_ peer: PeerID, said: WallTime, at now: Instant) {
        guard let ahead = Self.ahead(said, at: now) else { return }
        var opinion = opinions[peer] ?? Opinion()
        // Copies of one presence arrive over every link.
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

    /// Whose clock is wrong, after `peer` was heard; reported once for each peer and direction.
    mutating func verdict(on peer: PeerID, ours: WallTime, at now: Instant) -> Verdict? {
        guard let opinion = opinions[peer], let ahead = opinion.ahead else { return nil }
        let own = ours.milliseconds - now.milliseconds
        let skew = Duration.milliseconds(ahead - own)
        guard abs(skew) >= Self.skewReported else { return nil }
        if let (median, peers) = majority(against: own) {
            let error = Duration.milliseconds(own - median)
            guard error > .zero ? !reportedOurs.ahead : !reportedOurs.behind else { return nil }
            if error > .zero { reportedOurs.ahead = true } else { reportedOurs.behind = true }
            return .ours(error, peers: peers)
        }
        guard skew > .zero ? !opinion.reportedAhead : !opinion.reportedBehind else { return nil }
        if skew > .zero { opinions[peer]?.reportedAhead = true } else { opinions[peer]?.reportedBehind = true }
        return .theirs(skew)
    }

    /// How far `ours` is ahead of the median of all other clocks, and how many there are; `nil` if none is known.
    func lead(of ours: WallTime, at now: Instant) -> (Duration, peers: Int)? {
        let all = opinions.values.compactMap(\.ahead).sorted()
        guard !all.isEmpty else { return nil }
        let own = ours.milliseconds - now.milliseconds
        return (.milliseconds(own.subtractingClamped(all[all.count / 2])), all.count)
    }

    /// The largest group of agreeing peers, if it disagrees with us and outnumbers those that agree with us.
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
        let withUs = all.filter { abs($0 - own) < Self.skewReported.wholeMilliseconds }.count
        guard abs(median - own) >= Self.skewReported.wholeMilliseconds, best.count > withUs else { return nil }
        return (median, best.count)
    }

    /// In ascending order, without clocks that are provably wrong.
    private func neighbours(at now: Instant) -> [(ahead: Int64, peer: PeerID)] {
        let aheadMin = WallClock.earliest.milliseconds - now.milliseconds
        var found: [(ahead: Int64, peer: PeerID)] = []
        for (peer, opinion) in opinions where opinion.links > 0 {
            if let ahead = opinion.ahead, ahead >= aheadMin { found.append((ahead, peer)) }
        }
        return found.sorted { ($0.ahead, $0.peer) < ($1.ahead, $1.peer) }
    }

    /// The median of the neighbours' plausible clocks, for a node whose own clock is wrong.
    func lender(at now: Instant) -> (time: WallTime, peer: PeerID)? {
        let able = neighbours(at: now)
        guard !able.isEmpty else { return nil }
        let median = able[(able.count - 1) / 2]
        return (WallTime(milliseconds: median.ahead + now.milliseconds), median.peer)
    }

    /// The number of neighbours whose clocks are within `tolerance` of this time.
    func agreeing(with time: WallTime, within tolerance: Duration, at now: Instant) -> Int {
        let own = time.milliseconds - now.milliseconds
        return neighbours(at: now).filter { abs($0.ahead - own) <= tolerance.wholeMilliseconds }.count
    }

    /// Whether two neighbours that agree within `tolerance` have an earlier time, by more than `margin`.
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
