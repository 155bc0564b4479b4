/// How to find differences with few bytes: a range that differs is told in parts, or listed, whichever is likely to cost
/// less by what the rest of the message says of how much differs.
///
/// The reference splits what differs until fewer than 32 items are left, and then both sides list theirs. Where much
/// differs that costs more than sending every id. Here only the responder lists; small ranges are still split where few
/// items differ, and large ones listed where many do. Where every range differs nothing is known of how much does: then
/// the responder lists a sample, and the parts are few.
struct Thrift: Sendable {
    /// What to do with a range that differs.
    enum Plan: Equatable, Sendable {
        case list
        case split(parts: Int)
        /// Its first items are listed, the others told in parts.
        case sample(parts: Int)
    }

    /// Items in a sample.
    static let sampleItems = 32
    /// A fingerprint with its bound: 17 bytes and what the bound takes.
    private static let partBytes = 24.0
    /// To ask for a list and to begin it: two bounds of some 8 bytes, their modes and counts.
    private static let listBytes = 20.0
    private static let idBytes = 32.0
    /// Where nothing is known of how much differs, ranges up to this are listed: a split would cost 5 % of that.
    private static let unknownItemsMax = 48
    /// Ranges of about one size that have to differ, all of them, before nothing is known.
    private static let unknownRangesMin = 8
    /// Items in lists to judge by, and the share that one side has to lack of them for lists to be cheapest everywhere.
    private static let evidenceItemsMin = 24
    private static let denseShare = 0.125
    /// From here on only as many parts as can be: fewer cost less, but a message more each time.
    private static let fewItemsMax = 512

    /// By the number of items in them, in powers of two: ranges heard of, and those of them that differ.
    private var heard = [Int](repeating: 0, count: Int.bitWidth + 3)
    private var differing = [Int](repeating: 0, count: Int.bitWidth + 3)
    /// Of items in lists, without the one in each that may have made its range differ.
    private var listed = 0
    private var lacked = 0
    /// Of items in lists, who has them.
    private var theirs = 0
    private var ours = 0
    private var plansBlind = 0
    /// What is still to be said of what was planned so far, by either side.
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

    /// - Parameter samples: whether a list can be given here, and not only be asked for.
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
        // Two of the first sixteen: what differs here may not there.
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

    /// The best way on, and what it and all that follows from it is likely to cost. Parts of parts are of half, a quarter …
    /// of the items, so the costs of all are found from the smallest up.
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

    /// How long the other side's list of a range is likely to be in which we have so many items.
    private func listLength(of items: Int) -> Int {
        ours >= Self.evidenceItemsMin ? Int(Double(items) * Double(theirs) / Double(ours)) : items
    }

    /// Whether all ranges of about this size differ, so that they tell nothing of how much in them does.
    private func isUnknown(_ items: Int) -> Bool {
        let (heard, differing) = counts(of: items)
        return heard == differing && heard >= Self.unknownRangesMin
    }

    private var isDense: Bool { evidence.map { $0 >= Self.denseShare } ?? false }

    /// The share of listed items that one side lacks.
    private var evidence: Double? {
        listed < Self.evidenceItemsMin ? nil : max(0.5, Double(lacked)) / Double(listed)
    }

    /// How likely a range of so many items is equal, then one of half of them, and so on: if items differ here and there, and
    /// a share s of ranges is equal, then of their n parts s^(1/n) are.
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

    /// Of ranges with up to four times as many items or as few.
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
