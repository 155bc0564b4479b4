import LatticeCore
import LatticeWire
import OrderedCollections

/// What is exchanged over one link.
struct BlobLink: Sendable {
    let peer: PeerID

    // MARK: As a wanter

    /// Our open asks there.
    var asksOut: OrderedDictionary<UInt32, BlobName> = [:]
    private(set) var lastAskOut: UInt32 = 0
    /// The number of pieces that may still arrive for asks that have ended.
    var excusedCount = 0
    private var unasked = TokenBucket()
    /// The blob that is asked for first the next time.
    var refillTurn = 0
    var pace = BlobPace()
    private var passed = TokenBucket()
    /// Pieces that were asked for and have not come, of all asks.
    var owedCount = 0

    // MARK: As a giver

    var asksIn: OrderedDictionary<UInt32, GivenAsk> = [:]
    private var lastAskIn: UInt32 = 0
    /// The ask whose turn it is.
    private var turn = 0
    /// Pieces that wait in the link's own queue, as far as is known.
    private var queuedCount = 0
    /// Pieces are being read for it.
    private var isReading = false
    private var opens = TokenBucket()
    private var seeks = TokenBucket()
    private var passedForIt = TokenBucket()
    private var passedForOthers = TokenBucket()
    var accusations = TokenBucket()
    var offersIn = TokenBucket()

    // MARK: Offers

    /// What was offered there, and what is offered next.
    private var offered: OrderedSet<BlobName> = []
    private var offering: OrderedSet<BlobName> = []
    private var offersOut = TokenBucket()
    /// When the next offer may be sent; `nil` if none waits.
    private(set) var offerAt: Instant?

    init(_ peer: PeerID) { self.peer = peer }

    mutating func open(_ name: BlobName) -> UInt32 {
        lastAskOut += 1
        asksOut[lastAskOut] = name
        return lastAskOut
    }

    /// Whether it is asked on behalf of others: never for what it asks for itself. Of the slots and turns that are left,
    /// who has more gets none while as many as it has are not free: the last are for those who have few.
    ///
    /// - Parameters:
    ///   - asker: on whose behalf a blob is wanted.
    ///   - taken: turns that this asker had lately.
    mutating func mayPass(
        _ name: BlobName, hops: UInt8, asker: (BlobName) -> BlobAsker?, taken: Int, at now: Instant
    ) -> Bool {
        guard !asksIn.values.contains(where: { $0.name == name }) else { return false }
        let askers = asksOut.values.compactMap(asker)
        guard hops > 0 else { return askers.count < BlobLimit.passingOfLinkMax }
        let its = asker(name)
        guard askers.count + askers.count(where: { $0 == its }) < BlobLimit.furtherOfLinkMax,
            passed.holds(1 + Int64(taken), of: BlobLimit.passed, at: now)
        else { return false }
        passed.charge(1, of: BlobLimit.passed, at: now)
        return true
    }

    func noteDeadlines(_ note: (Instant?) -> Void) {
        note(offerAt)
        for ask in asksIn.values {
            if case .sought(let until) = ask.held { note(until) }
        }
    }

    /// - Returns: whether a piece that was not asked for is excused.
    mutating func excuses(_ ask: UInt32, at now: Instant) -> Bool {
        if ask <= lastAskOut, excusedCount > 0 {
            excusedCount -= 1
            return true
        }
        return unasked.take(of: BlobLimit.unasked, at: now)
    }

    // MARK: - Giving

    /// - Returns: whether the number is greater than all before.
    mutating func isNew(_ ask: UInt32) -> Bool {
        guard ask > lastAskIn else { return false }
        lastAskIn = ask
        return true
    }

    /// - Returns: whether a neighbour may ask for one blob more now.
    mutating func admits(hops: UInt8, at now: Instant) -> Bool {
        opens.take(of: BlobLimit.opens, at: now) && (hops == 0 || seeks.take(of: BlobLimit.seeks, at: now))
    }

    /// - Parameter isNear: whether it wants the blob itself.
    /// - Returns: whether one blob more may be looked for on its behalf.
    mutating func maySeek(isNear: Bool, at now: Instant) -> Bool {
        guard soughtCount < BlobLimit.soughtOfLinkMax else { return false }
        if isNear { return passedForIt.take(of: BlobLimit.passedForIt, at: now) }
        return passedForOthers.take(of: BlobLimit.passedForOthers, at: now)
    }

    /// Turns that it had lately.
    func taken(isNear: Bool, at now: Instant) -> Int {
        isNear
            ? passedForIt.taken(of: BlobLimit.passedForIt, at: now)
            : passedForOthers.taken(of: BlobLimit.passedForOthers, at: now)
    }

    /// Blobs that are looked for on its behalf.
    private var soughtCount: Int {
        asksIn.values.count { ask in
            if case .sought = ask.held { true } else { false }
        }
    }

    /// - Returns: whether there was space for these pieces to wait.
    mutating func add(_ ranges: PieceRanges, to ask: UInt32) -> Bool {
        guard let given = asksIn[ask], given.waitingCount + ranges.pieceCount <= BlobLimit.waitingOfAskMax,
            waitingCount + ranges.pieceCount <= BlobLimit.waitingOfLinkMax
        else { return false }
        asksIn[ask]?.add(ranges.ranges)
        return true
    }

    /// The link's own queue has space again.
    mutating func hasRoom() { queuedCount = BlobLimit.givenAtOnce - 1 }

    mutating func gave(_ count: Int) {
        isReading = false
        queuedCount += count
    }

    /// What to read and give next. Asks take turns, a few pieces at a time.
    ///
    /// - Parameter isHere: whether a piece of an ask is here.
    mutating func nextToGive(_ isHere: (GivenAsk) -> (Int) -> Bool) -> (ask: UInt32, name: BlobName, numbers: [Int])? {
        guard !isReading, queuedCount <= BlobLimit.givenAtOnce else { return nil }
        for step in 0..<asksIn.count {
            let index = (turn + step) % asksIn.count
            let (ask, given) = asksIn.elements[index]
            guard given.waitingCount > 0 else { continue }
            let numbers = asksIn.values[index].take(BlobLimit.givenAtOnce, where: isHere(given))
            guard !numbers.isEmpty else { continue }
            (turn, isReading) = (index + 1, true)
            return (ask, given.name, numbers)
        }
        return nil
    }

    // MARK: - Offers

    var offerCount: Int { max(offered.count, offering.count) }

    func wasOffered(_ name: BlobName) -> Bool { offered.contains(name) || offering.contains(name) }

    /// A full queue takes no more.
    mutating func offer(_ name: BlobName, at now: Instant) {
        guard !wasOffered(name), offering.count < BlobLimit.offersMax else { return }
        offering.append(name)
        offerAt = offerAt ?? now
    }

    /// - Returns: what to offer now; the rest waits, because the neighbour drops what comes faster.
    mutating func nextOffers(at now: Instant) -> [BlobName] {
        guard let time = offerAt, time <= now else { return [] }
        var due: [BlobName] = []
        while let name = offering.first, offersOut.take(of: BlobLimit.offersSent, at: now) {
            offering.removeFirst()
            offered.append(name)
            due.append(name)
        }
        while offered.count > BlobLimit.offersMax { offered.removeFirst() }
        offerAt = offering.isEmpty ? nil : offersOut.emptyUntil(of: BlobLimit.offersSent, at: now)
        return due
    }

    var waitingCount: Int { asksIn.values.reduce(0) { $0 + $1.waitingCount } }
}

/// A neighbour's ask.
struct GivenAsk: Sendable {
    enum Held: Sendable {
        /// The store is being asked.
        case unknown
        /// Looked for at other links until then.
        case sought(until: Instant)
        case all
        case some(PieceSet)
        /// Fetched here at this moment: what there is grows.
        case coming
    }

    let name: BlobName
    let shape: BlobShape
    let hops: UInt8
    var held: Held = .unknown
    /// Pieces to give, in the order in which they were asked for.
    private(set) var waiting: [Range<Int>] = []
    /// Ranges told in `have` frames cover this many pieces of what is fetched here.
    var toldCount = 0
    /// The last `have` frame about pieces behind other links: how far away they are, and how many.
    var toldBehind: (away: UInt8, count: Int)?

    init(_ name: BlobName, hops: UInt8) {
        (self.name, self.hops) = (name, hops)
        shape = BlobShape(name)
    }

    /// The pieces that are here; `nil` if all are, or if that is not known yet.
    ///
    /// - Parameter fetched: those of a blob that is being fetched.
    func here(_ fetched: PieceSet?) -> PieceSet? {
        switch held {
        case .some(let pieces): pieces
        case .coming: fetched
        case .all, .unknown, .sought: nil
        }
    }

    func isHere(_ fetched: PieceSet?) -> (Int) -> Bool {
        if case .all = held { return { _ in true } }
        let pieces = here(fetched)
        return { pieces?.contains($0) ?? false }
    }

    /// What it hears of sources behind other links: only what is nearer or more than before.
    mutating func news(of behind: (away: UInt8, pieces: PieceSet?), ask: UInt32) -> [Holds] {
        let now = (away: behind.away + 1, count: behind.pieces?.count ?? shape.pieceCount)
        guard toldBehind.map({ now.away < $0.away || now.count > $0.count }) ?? true else { return [] }
        toldBehind = now
        guard let pieces = behind.pieces else { return [.have(ask: ask, away: now.away, pieces: nil)] }
        return PieceRanges.frames(of: pieces).map { .have(ask: ask, away: now.away, pieces: $0) }
    }

    var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

    mutating func add(_ ranges: some Sequence<Range<Int>>) {
        for range in ranges {
            let inside = range.clamped(to: 0..<shape.pieceCount)
            if !inside.isEmpty { waiting.append(inside) }
        }
    }

    /// - Returns: what was removed.
    mutating func remove(_ removed: PieceRanges) -> PieceRanges {
        var gone: [Int] = []
        for range in removed.ranges {
            for (index, own) in waiting.enumerated().reversed() where own.overlaps(range) {
                gone += own.clamped(to: range)
                let parts = [
                    own.lowerBound..<max(own.lowerBound, range.lowerBound),
                    min(own.upperBound, range.upperBound)..<own.upperBound,
                ]
                waiting.replaceSubrange(index...index, with: parts.filter { !$0.isEmpty })
            }
        }
        return PieceRanges(asking: Set(gone).sorted())
    }

    /// The first pieces that wait and that `isHere`; those are removed.
    mutating func take(_ count: Int, where isHere: (Int) -> Bool) -> [Int] {
        let taken = Array(waiting.lazy.joined().filter(isHere).prefix(count))
        for number in taken {
            guard let index = waiting.firstIndex(where: { $0.contains(number) }) else { continue }
            let range = waiting[index]
            let parts = [range.lowerBound..<number, number + 1..<range.upperBound]
            waiting.replaceSubrange(index...index, with: parts.filter { !$0.isEmpty })
        }
        return taken
    }

    /// Pieces that wait and are not here.
    func missing(where isHere: (Int) -> Bool) -> [Int] {
        Set(waiting.joined().filter { !isHere($0) }).sorted()
    }
}
