import LatticeCore

/// Compares a message with the set: what to do about each range.
struct RangeSurvey {
    enum Finding {
        /// Nothing to answer.
        case settled
        /// The fingerprints differ.
        case differing(theirsIsEmpty: Bool)
        /// The responder must list its ids.
        case listed
    }

    struct Range {
        let bound: ReconciliationBound
        /// The sum of all items before the end of the range.
        let upper: ReconciliationSum
        let finding: Finding
    }

    private(set) var ranges: [Range] = []
    private(set) var thrift = Thrift()
    /// Its reply is not set yet.
    private(set) var step = Reconciler.Step()
    /// An initiator has found as many differences as one message may bring; everything after the last range is asked
    /// for again.
    private(set) var isCut = false

    private let reconciler: Reconciler
    private let set: ReconciliationSet
    private var lower: ReconciliationSum
    private let fingerprintOfNothing: RangeFingerprint

    init(of reconciler: Reconciler, with set: ReconciliationSet, from start: ReconciliationSum) {
        self.reconciler = reconciler
        self.set = set
        lower = start
        fingerprintOfNothing = ReconciliationSum().fingerprint(reconciler.sha256)
    }

    mutating func hear(_ range: HeardRange, in reader: RangeReader) {
        guard !isCut else { return }
        var upper = set.sum(before: range.bound)
        if upper.count < lower.count { upper = lower }
        switch range.content {
        case .skip:
            end(.settled, range.bound, upper)
        case .fingerprint(let theirs):
            let ours = upper - lower
            let isEqual = theirs == ours.fingerprint(reconciler.sha256)
            thrift.heard(items: ours.count, differ: !isEqual)
            end(isEqual ? .settled : .differing(theirsIsEmpty: theirs == fingerprintOfNothing), range.bound, upper)
        case .ids where reconciler.role == .responder:
            end(.listed, range.bound, upper)
        case .ids(let places):
            let theirs = stride(from: places.lowerBound, to: places.upperBound, by: 32).map { reader.id(at: $0) }
            guard let rank = compare(theirs.sorted(), with: lower.count..<upper.count) else {
                return end(.settled, range.bound, upper)
            }
            let cut = set.cut(at: rank)
            end(.settled, cut.next.map(ReconciliationBound.init(before:)) ?? range.bound, cut.before)
            isCut = true
        }
    }

    private mutating func end(_ finding: Finding, _ bound: ReconciliationBound, _ upper: ReconciliationSum) {
        ranges.append(Range(bound: bound, upper: upper, finding: finding))
        lower = upper
    }

    /// Compares the other side's list of all its ids in a range with ours. The ids are sorted and searched, not hashed,
    /// because a stranger chooses them.
    ///
    /// - Returns: the rank of the first item over the limit that is only here; `nil` if there is none.
    private mutating func compare(_ theirs: [Bytes32], with ranks: Swift.Range<Int>) -> Int? {
        var isHere = [Bool](repeating: false, count: theirs.count)
        let before = (have: step.have.count, need: step.need.count)
        let haveMax = reconciler.manner == .thrifty ? Reconciler.haveMax : .max
        var rank = ranks.lowerBound
        var cut: Int?
        // If their list is empty, only as many of our items are read as the limit allows.
        let room = haveMax - step.have.count
        let looked = theirs.isEmpty && room < ranks.count ? ranks.prefix(room + 1) : ranks
        set.forEach(in: looked) { item in
            let place = ReconciliationSet.count(of: theirs.count) { theirs[$0] < item.id }
            if place < theirs.count, theirs[place] == item.id {
                isHere[place] = true
            } else if step.have.count < haveMax {
                step.have.append(item.id)
            } else if cut == nil {
                cut = rank
            }
            rank += 1
        }
        // Only the first of repeated ids is marked; the others are recognised because an equal one precedes them.
        for (place, id) in theirs.enumerated() where !isHere[place] && (place == 0 || theirs[place - 1] != id) {
            step.need.append(id)
        }
        thrift.listed(
            theirs: theirs.count, have: step.have.count - before.have, need: step.need.count - before.need)
        return cut
    }
}
