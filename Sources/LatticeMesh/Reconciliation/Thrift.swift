/// Finds differences with few bytes: a range that differs is split or listed, whichever is likely to cost less, judged
/// by how much differs in the rest of the message.
///
/// The reference splits until fewer than 32 items are left, and then both sides list theirs. If much differs, that
/// costs more than sending every id. Here only the responder lists; small ranges are still split if few items differ,
/// and large ones are listed if many do. If every range differs, the amount is unknown: then the responder lists a
/// sample, and there are few parts.
struct Thrift: Sendable {
    enum Plan: Equatable, Sendable {
        case list
        case split(parts: Int)
        /// Its first items are listed and the others split.
        case sample(parts: Int)
    }

    static let sampleItems = 32
    /// A fingerprint (17 bytes with its mode) and its bound.
    private static let partBytes = 24.0
    /// A request for a list and the list's own header: two bounds of some 8 bytes, their modes and counts.
    private static let listBytes = 20.0
    private static let idBytes = 32.0
    /// While the amount is unknown, ranges up to this size are listed: a split would cost 5 % of that.
    private static let unknownItemsMax = 48
    /// Ranges of similar size that must all differ before the amount counts as unknown.
    private static let unknownRangesMin = 8
    /// Listed items that are needed as evidence, and the share lacked by one side from which lists are cheapest
    /// everywhere.
    private static let evidenceItemsMin = 24
    private static let denseShare = 0.125
    /// From this size on always as many parts as possible: fewer cost less, but an additional message each time.
    private static let fewItemsMax = 512

    /// Ranges seen, and those of them that differ, by the power of two of their size.
    private var heard = [Int](repeating: 0, count: Int.bitWidth + 3)
    private var differing = [Int](repeating: 0, count: Int.bitWidth + 3)
    /// Items in lists, and those that one side lacks; one in each list is not counted, because it may be why the range
    /// differed.
    private var listed = 0
    private var lacked = 0
    /// Items in lists, by side.
    private var theirs = 0
    private var ours = 0
    private var plansBlind = 0
    /// Bytes that both sides will still send for the plans so far.
    private(set) var promisedBytes = 0.0

    mutating func heard(items: Int, differ: Bool) {
        heard[Self.size(items)] += 1
        if differ { differing[Self.size(items)] += 1 }
    }

    mutating func listed(theirs: Int, have: Int, need: Int) {
        listed += max(0, theirs + have - 1)
        lacked += max(0, have + need - 1)
        self.theirs += theirs
        ours += theirs - need + have
    }

    /// - Parameter samples: whether we can send a list ourselves rather than only ask for one.
    mutating func plan(items: Int, samples: Bool) -> Plan {
        let isBlind = evidence == nil && isUnknown(items)
        let likely = cheapest(of: items)
        let parts = isBlind ? Self.unknownParts(of: items) : isDense ? 1 : likely.parts
        guard parts > 1 else {
            promisedBytes += Self.bytes(ofList: listLength(of: items))
            return .list
        }
        promisedBytes += likely.bytes
        guard isBlind, samples, items > Self.sampleItems * 2 else { return .split(parts: parts) }
        plansBlind += 1
        // Samples come from two of the first sixteen ranges, because other ranges may differ in other ways.
        return plansBlind == 1 || plansBlind == 9 ? .sample(parts: parts) : .split(parts: parts)
    }

    private static func unknownParts(of items: Int) -> Int {
        switch items {
        case ...unknownItemsMax: 1
        case ...(unknownItemsMax * 4): 2
        case ..<4_096: 4
        default: RangeAnswer.partsMax
        }
    }

    /// The best plan, and its likely total cost with all that follows. Parts of parts have half, a quarter … of the
    /// items, so costs are computed from the smallest size up.
    private func cheapest(of items: Int) -> (parts: Int, bytes: Double) {
        guard items > 1 else { return (1, Self.bytes(ofList: items)) }
        let equal = sharesEqual(from: items)
        var best = [(parts: Int, bytes: Double)](repeating: (1, 0), count: equal.count)
        for level in equal.indices.reversed() {
            best[level] = (1, Self.bytes(ofList: items >> level))
            for step in (items >> level < Self.fewItemsMax ? 1 : 4)...4 where level + step < equal.count {
                let differ = equal[level] < 1 ? (1 - equal[level + step]) / (1 - equal[level]) : 1
                let bytes = Double(1 << step) * (Self.partBytes + differ * best[level + step].bytes)
                if bytes < best[level].bytes { best[level] = (1 << step, bytes) }
            }
        }
        return best[0]
    }

    /// The likely length of the other side's list in a range where we have this many items.
    private func listLength(of items: Int) -> Int {
        ours >= Self.evidenceItemsMin ? Int(Double(items) * Double(theirs) / Double(ours)) : items
    }

    /// Whether all ranges of about this size differ, so that they do not show how much differs within them.
    private func isUnknown(_ items: Int) -> Bool {
        let (heard, differing) = counts(of: items)
        return heard == differing && heard >= Self.unknownRangesMin
    }

    private var isDense: Bool { evidence.map { $0 >= Self.denseShare } ?? false }

    /// The share of listed items that one side lacks.
    private var evidence: Double? {
        listed < Self.evidenceItemsMin ? nil : max(0.5, Double(lacked)) / Double(listed)
    }

    /// The probability that a range of this many items is equal, then one of half as many, and so on: if differences
    /// are spread evenly and a share s of ranges is equal, then a share s^(1/n) of their n parts is.
    private func sharesEqual(from items: Int) -> [Double] {
        let (heard, differing) = counts(of: items)
        let levels = 0..<Int.bitWidth - items.leadingZeroBitCount
        if heard == differing, let evidence { return levels.map { Self.power(1 - evidence, items >> $0) } }
        var equal = heard > 0 ? max(0.5, Double(heard - differing)) / Double(heard) : 0.5
        return levels.map { _ in
            defer { equal.formSquareRoot() }
            return equal
        }
    }

    /// Counts ranges with up to four times as many items or as few.
    private func counts(of items: Int) -> (heard: Int, differing: Int) {
        let size = Self.size(items)
        return (heard[size - 1...size + 1].reduce(0, +), differing[size - 1...size + 1].reduce(0, +))
    }

    private static func size(_ items: Int) -> Int { 1 + Int.bitWidth - items.leadingZeroBitCount }

    private static func bytes(ofList items: Int) -> Double { Double(items) * idBytes + listBytes }

    private static func power(_ base: Double, _ exponent: Int) -> Double {
        var (power, square, left) = (1.0, base, exponent)
        while left > 0 {
            if left % 2 == 1 { power *= square }
            square *= square
            left /= 2
        }
        return power
    }
}
