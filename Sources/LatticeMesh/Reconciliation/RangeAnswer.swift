import LatticeCore

/// Writes the answer to a message. In the manner `reference` it makes the same choices as that implementation wherever
/// the specification leaves one, so that both write the same bytes.
struct RangeAnswer {
    /// Parts a range is split into.
    static let partsMax = 16
    /// Bytes kept free at the end of a frame for the range that covers the rest.
    private static let frameBytesReserved = 200

    private let reconciler: Reconciler
    private let set: ReconciliationSet
    private let bytesMax: Int
    private var writer = RangeWriter()
    private var thrift = Thrift()
    /// Where the next range begins.
    private var lower: ReconciliationSum
    private var lowerBound = ReconciliationBound.start
    /// Skipped ranges before `lowerBound` are not yet written, so that adjacent ones become one.
    private var skipIsDue = false

    init(of reconciler: Reconciler, with set: ReconciliationSet, from start: ReconciliationSum) {
        self.reconciler = reconciler
        self.set = set
        lower = start
        bytesMax = reconciler.frameBytesMax.map { $0 - Self.frameBytesReserved } ?? .max
    }

    var bytes: [UInt8] { writer.bytes }

    /// The first message: one range over everything.
    mutating func begin() {
        let count = set.count - lower.count
        switch reconciler.manner {
        case .reference where count < Self.partsMax * 2: writer.ids(lower.count..<set.count, of: set, to: .infinity)
        case .thrifty where count == 0: writer.ids(0..<0, of: set, to: .infinity)
        // Most sessions find nothing, and parts of so few items tell little.
        case .thrifty where count < Self.partsMax * 2: writeFingerprint(from: lower, to: set.sum, .infinity)
        case .reference, .thrifty: split(to: set.sum, .infinity, into: Self.partsMax)
        }
    }

    mutating func write(_ survey: RangeSurvey) {
        thrift = survey.thrift
        for range in survey.ranges {
            guard write(range) else { return }
            (lower, lowerBound) = (range.upper, range.bound)
        }
        guard survey.isCut else { return }
        _ = write(RangeSurvey.Range(bound: .infinity, upper: set.sum, finding: .differing(theirsIsEmpty: false)))
    }

    /// - Returns: whether there is space for more.
    private mutating func write(_ range: RangeSurvey.Range) -> Bool {
        switch (range.finding, reconciler.manner) {
        case (.settled, _):
            skipIsDue = true
            return true
        case (.differing(let theirsIsEmpty), .reference):
            return writeParts(of: range, theirsIsEmpty: theirsIsEmpty)
        case (.differing, .thrifty):
            return writeThriftily(range)
        case (.listed, _):
            return writeList(of: range)
        }
    }

    /// Lists few items by their ids; more are split into parts with fingerprints.
    ///
    /// If that does not fit the frame, it is removed, together with the skip before it, and one fingerprint stands for
    /// the rest behind this range, as in the reference. The other side takes the fingerprint for everything after the
    /// last written bound, finds that it differs, and splits all of that. Only if the other side has nothing in this
    /// range may both fingerprints be equal, and it would never see our items. So if it says that it has nothing, the
    /// fingerprint includes this range; only there do the bytes differ from the reference's.
    private mutating func writeParts(of range: RangeSurvey.Range, theirsIsEmpty: Bool) -> Bool {
        let mark = writer.mark
        writeSkipIfDue()
        let count = range.upper.count - lower.count
        if count < Self.partsMax * 2 {
            writer.ids(lower.count..<range.upper.count, of: set, to: range.bound)
        } else {
            split(to: range.upper, range.bound, into: Self.partsMax)
        }
        guard writer.bytes.count > bytesMax else { return true }
        writer.takeBack(to: mark)
        writeFingerprint(from: theirsIsEmpty ? lower : range.upper, to: set.sum, .infinity)
        return false
    }

    private mutating func writeThriftily(_ range: RangeSurvey.Range) -> Bool {
        guard thrift.promisedBytes <= Double(bytesMax) else {
            endWithRest()
            return false
        }
        let isResponder = reconciler.role == .responder
        let plan = thrift.plan(items: range.upper.count - lower.count, samples: isResponder)
        if plan == .list, isResponder { return writeList(of: range) }
        writeSkipIfDue()
        let (mark, start) = (writer.mark, lower)
        switch plan {
        case .list:
            // An empty list is answered with everything in the range.
            writer.ids(0..<0, of: set, to: range.bound)
        case .split(let parts):
            split(to: range.upper, range.bound, into: parts)
        case .sample(let parts):
            writeSample()
            split(to: range.upper, range.bound, into: parts)
        }
        guard writer.bytes.count > bytesMax else { return true }
        writer.takeBack(to: mark)
        lower = start
        endWithRest()
        return false
    }

    /// Lists the first items of a range that has more.
    private mutating func writeSample() {
        let cut = set.cut(at: lower.count + Thrift.sampleItems)
        guard let next = cut.next else { preconditionFailure("a sample is a part of a range") }
        writer.ids(lower.count..<cut.before.count, of: set, to: ReconciliationBound(before: next))
        lower = cut.before
    }

    /// Lists as many ids of a range as fit.
    private mutating func writeList(of range: RangeSurvey.Range) -> Bool {
        let fitting = (bytesMax - writer.bytes.count) / 32 + 1
        writeSkipIfDue()
        var (end, upper) = (range.bound, range.upper)
        if fitting < upper.count - lower.count {
            let cut = set.cut(at: lower.count + fitting)
            end = cut.next.map(ReconciliationBound.init(before:)) ?? end
            upper = cut.before
        }
        writer.ids(lower.count..<upper.count, of: set, to: end)
        guard writer.bytes.count > bytesMax else { return true }
        writeFingerprint(from: upper, to: set.sum, .infinity)
        return false
    }

    /// It always fits: see `frameBytesReserved`.
    private mutating func endWithRest() {
        writeSkipIfDue()
        writeFingerprint(from: lower, to: set.sum, .infinity)
    }

    private mutating func writeSkipIfDue() {
        if skipIsDue { writer.skip(to: lowerBound) }
        skipIsDue = false
    }

    /// The first parts take the remainder.
    private mutating func split(to upper: ReconciliationSum, _ bound: ReconciliationBound, into parts: Int) {
        let (share, larger) = (upper.count - lower.count).quotientAndRemainder(dividingBy: parts)
        var start = lower
        for part in 0..<parts {
            let rank = start.count + share + (part < larger ? 1 : 0)
            let cut = rank < upper.count ? set.cut(at: rank) : nil
            let end = cut?.before ?? upper
            var next = bound
            if let last = cut?.last, let first = cut?.next { next = ReconciliationBound(between: last, and: first) }
            writeFingerprint(from: start, to: end, next)
            start = end
        }
    }

    private mutating func writeFingerprint(
        from start: ReconciliationSum, to end: ReconciliationSum, _ bound: ReconciliationBound
    ) {
        writer.fingerprint((end - start).fingerprint(reconciler.sha256), to: bound)
    }
}
