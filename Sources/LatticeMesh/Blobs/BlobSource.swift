import LatticeCore
import LatticeWire
import OrderedCollections

/// A neighbour that may have a blob that is wanted here.
struct BlobSource: Sendable {
    let ask: UInt32
    private let pieceCount: Int
    /// How many links away it said that the pieces are; `nil` until it said what it has.
    private(set) var away: UInt8?
    private(set) var hasAll = false
    /// `nil` until it named pieces.
    private(set) var has: PieceSet?
    /// Pieces that it was asked for, in that order.
    var owed: OrderedDictionary<Int, BlobPace.Mark> = [:]
    /// Pieces that were cancelled; some of them may still come.
    var excused: Set<Int> = []
    var heardAt: Instant
    var lateCount = 0
    /// Where it was asked last.
    var segment: Int?
    /// It is asked for nothing until then, because it was busy.
    private(set) var restsUntil: Instant?
    private var busyCount = 0
    /// Pieces that it declined although it had said that it has them.
    private var declined: PieceSet?
    /// Those of them that it says it has after all.
    private var claimed: PieceSet?
    /// When that is believed.
    private(set) var believedAt: Instant?
    private var brokenCount = 0

    init(ask: UInt32, of pieceCount: Int, at now: Instant) {
        (self.ask, self.pieceCount, heardAt) = (ask, pieceCount, now)
    }

    func holds(_ number: Int) -> Bool { hasAll || has?.contains(number) ?? false }

    /// Whether it said that it has, or that behind it there is, anything of the blob.
    var hasAny: Bool { hasAll || !(has?.isEmpty ?? true) }

    // MARK: - What it says

    /// - Parameter pieces: `nil` stands for all.
    mutating func claims(_ pieces: PieceRanges?, away: UInt8, at now: Instant) {
        self.away = min(self.away ?? away, away)
        // What it says is no reason to wait longer for pieces.
        if owed.isEmpty { heardAt = now }
        if pieces == nil, declined == nil { return hasAll = true }
        var has = has ?? PieceSet(of: pieceCount)
        let ranges = (pieces?.ranges ?? [0..<pieceCount]).map { $0.clamped(to: 0..<pieceCount) }
        guard let declined else {
            for range in ranges { has.insert(range) }
            return self.has = has
        }
        var claimed = claimed ?? PieceSet(of: pieceCount)
        for range in ranges {
            has.insert(range)
            var next = declined.first(from: range.lowerBound)
            while let number = next, number < range.upperBound {
                claimed.insert(number)
                has.remove(number)
                next = declined.first(from: number + 1)
            }
        }
        (self.has, self.claimed) = (has, claimed)
    }

    /// It is the same neighbour under another ask, and still has what it said.
    mutating func remember(_ earlier: BlobSource) {
        (away, hasAll, has) = (earlier.away, earlier.hasAll, earlier.has)
    }

    /// It has not got these. What it claims of them from now on is believed after a while, each time a longer one.
    mutating func declines(_ numbers: [Int], at now: Instant) {
        let broken = numbers.filter { holds($0) }
        guard !broken.isEmpty else { return }
        if hasAll {
            var all = PieceSet(of: pieceCount)
            all.insert(0..<pieceCount)
            (hasAll, has) = (false, all)
        }
        var declined = declined ?? PieceSet(of: pieceCount)
        for number in broken {
            has?.remove(number)
            declined.insert(number)
        }
        self.declined = declined
        guard believedAt == nil else { return }
        believedAt = now.advanced(by: BlobLimit.doubted(brokenCount))
        brokenCount += 1
    }

    /// - Returns: whether it may be asked for more than before.
    mutating func believe(at now: Instant) -> Bool {
        var isMore = false
        if let until = restsUntil, until <= now {
            restsUntil = nil
            isMore = true
        }
        guard let time = believedAt, time <= now else { return isMore }
        for range in claimed?.ranges ?? [] { has?.insert(range) }
        isMore = isMore || !(claimed?.isEmpty ?? true)
        (believedAt, declined, claimed) = (nil, nil, nil)
        return isMore
    }

    /// - Returns: whether it has been busy too often.
    mutating func wasBusy(at now: Instant, waitSeconds: Int) -> Bool {
        busyCount += 1
        restsUntil = now.advanced(by: max(BlobLimit.busy, .seconds(waitSeconds)))
        return busyCount > BlobLimit.busyMax
    }

    mutating func wasLate(with numbers: [Int], at now: Instant) {
        lateCount += 1
        heardAt = now
        excused.formUnion(numbers)
    }

    /// A piece came as it was asked for.
    mutating func gave(at now: Instant) {
        heardAt = now
        (lateCount, busyCount, brokenCount) = (0, 0, 0)
    }
}

/// A neighbour that is no source of one blob for a while.
struct BlobOutcast: Sendable {
    /// `nil` once it was asked again.
    var until: Instant?
    /// How often it sent a wrong piece or nothing.
    private var faultCount = 0
    /// How often it ended an ask.
    private var endCount = 0

    init() {}

    mutating func wasAtFault(at now: Instant) {
        until = now.advanced(by: min(BlobLimit.outFirst * (1 << min(faultCount, 10)), BlobLimit.outLast))
        faultCount += 1
    }

    /// A piece of it was kept.
    mutating func gave() { (faultCount, endCount) = (0, 0) }

    mutating func ended(at now: Instant, waitSeconds: Int) {
        until = now.advanced(by: max(BlobLimit.doubted(endCount), .seconds(waitSeconds)))
        endCount += 1
    }
}
