import LatticeCore
import LatticeWire
import OrderedCollections

/// On whose behalf a blob is looked for.
struct BlobAsker: Hashable, Sendable {
    /// The neighbour that asked.
    let link: LinkID
    /// Whether that neighbour wants it itself: who passes on what others want asks for fewer hops. It may lie, but then
    /// it spends its own turns.
    let isNear: Bool
}

/// A blob that is being fetched.
struct BlobWant: Sendable {
    enum Purpose: Equatable, Sendable {
        /// A person or a rule here wants all of it.
        case whole
        /// Neighbours want pieces of it. The first of them is named.
        case passing(for: BlobAsker)
        /// It was offered, and is kept for others: unless they ask for it, only who offered it is asked.
        case keeping
    }

    typealias Source = BlobSource

    /// Whether there is space for it on the disk.
    enum Space: Sendable {
        /// Nobody asked yet. Next: asked.
        case unknown
        /// Next: ready, or the end of it.
        case asked
        case ready
    }

    let name: BlobName
    let shape: BlobShape
    var purpose: Purpose
    var space = Space.unknown
    private(set) var have: PieceSet
    /// Pieces that are wanted, not here, not owed and not being checked.
    private(set) var open: PieceSet
    private(set) var checking: Set<Int> = []
    /// Pieces that came before what proves them: they are asked for again once that is here.
    private var early: PieceSet
    private(set) var owedBy: [Int: [LinkID]] = [:]
    var sources: OrderedDictionary<LinkID, Source> = [:]
    /// Links over which it is not fetched for a while.
    var out: OrderedDictionary<LinkID, BlobOutcast> = [:]
    /// How far it has been looked for: over how many more links, and how often over the most.
    var ring = 0
    var seekAt: Instant?
    /// The most hops with which it was looked for on behalf of others.
    var reach: UInt8 = 0
    var pausedUntil: Instant?
    var pause = BlobLimit.pauseFirst
    /// When it was looked at last whether somebody waits for one that is fetched for others, and whether nobody did.
    var idleSince: Instant?
    var isIdle = false
    var hasToldNobody = false
    /// When pieces are old enough that an idle source is asked for them, too.
    var doubleAt: Instant?
    /// Pieces that came twice.
    private var wastedCount = 0
    var untoldCount = 0
    /// When neighbours that ask heard last what is here and behind other links, and when they hear it next.
    var toldAt: Instant?
    var tellAt: Instant?

    init(_ name: BlobName, _ purpose: Purpose, have: PieceSet) {
        (self.name, self.purpose, self.have) = (name, purpose, have)
        shape = BlobShape(name)
        open = PieceSet(of: shape.pieceCount)
        early = open
        if asker == nil { wantAll(purpose) }
    }

    /// On whose behalf it was looked for first; `nil` if it is not wanted for others only.
    var asker: BlobAsker? {
        if case .passing(let asker) = purpose { asker } else { nil }
    }

    /// Over how many more links than one its neighbours look for it.
    var hops: UInt8 {
        switch purpose {
        case .whole: UInt8(min(ring, Int(Want.hopsMax)))
        case .passing, .keeping: UInt8(max(0, ring))
        }
    }

    var isComplete: Bool { have.isComplete }
    /// Whether pieces are wanted that are not here.
    var lacks: Bool { !open.isEmpty || !owedBy.isEmpty || !checking.isEmpty }

    /// - Returns: whether it must be made space for now.
    mutating func begins() -> Bool {
        guard space == .unknown else { return false }
        space = .asked
        return true
    }

    // MARK: - What is wanted

    mutating func wantAll(_ purpose: Purpose) {
        (self.purpose, space, idleSince) = (purpose, .ready, nil)
        for number in 0..<shape.pieceCount { demand(number) }
    }

    /// Wants pieces for neighbours, and what proves them.
    mutating func want(_ numbers: [Int]) {
        for number in numbers {
            var next: Int? = number
            while let piece = next, !have.contains(piece), !open.contains(piece) {
                demand(piece)
                next = shape.parent(of: piece)?.number
            }
        }
    }

    private mutating func demand(_ number: Int) {
        guard !have.contains(number), owedBy[number] == nil, !checking.contains(number), !early.contains(number)
        else { return }
        open.insert(number)
    }

    /// These pieces are here already.
    mutating func found(_ pieces: PieceSet) {
        for range in pieces.ranges {
            have.insert(range)
            open.remove(range)
            early.remove(range)
        }
        reopenEarly()
    }

    /// Early pieces are asked for again if what proves them is here.
    private mutating func reopenEarly() {
        var next = early.first()
        while let number = next {
            next = early.first(from: number + 1)
            guard let parent = shape.parent(of: number)?.number, have.contains(parent) else { continue }
            early.remove(number)
            open.insert(number)
        }
    }

    // MARK: - Pieces

    /// What came.
    struct Arrival {
        /// How it was asked for.
        let mark: BlobPace.Mark
        /// Links that need not send it any more.
        let others: [LinkID]
        /// Whether it is of no use, because what proves it is not here.
        let isEarly: Bool
        /// Whether its source was asked for what proves it before.
        let isOutOfOrder: Bool
    }

    /// A piece came.
    ///
    /// - Returns: `nil` if it was not asked for on this link.
    mutating func came(_ number: Int, on link: LinkID, at now: Instant) -> Arrival? {
        guard let index = sources.index(forKey: link), let order = sources.values[index].owed.index(forKey: number),
            let mark = sources.values[index].owed[number]
        else { return nil }
        let parent = shape.parent(of: number)?.number
        let isEarly = parent.map { !have.contains($0) && !checking.contains($0) } ?? false
        let isOutOfOrder =
            isEarly && parent.flatMap { sources.values[index].owed.index(forKey: $0) }.map { $0 < order } ?? false
        sources.values[index].owed[number] = nil
        let others = (owedBy.removeValue(forKey: number) ?? []).filter { $0 != link }
        for other in others { cancel(number, at: other) }
        if isEarly {
            early.insert(number)
        } else {
            sources.values[index].gave(at: now)
            checking.insert(number)
        }
        return Arrival(mark: mark, others: others, isEarly: isEarly, isOutOfOrder: isOutOfOrder)
    }

    private mutating func cancel(_ number: Int, at link: LinkID) {
        guard let index = sources.index(forKey: link) else { return }
        sources.values[index].owed[number] = nil
        sources.values[index].excused.insert(number)
    }

    mutating func wasExcused(_ number: Int, on link: LinkID) -> Bool {
        guard let index = sources.index(forKey: link) else { return false }
        guard sources.values[index].excused.remove(number) != nil else { return false }
        wastedCount += 1
        return true
    }

    /// The result of checking a piece.
    mutating func checked(_ number: Int, isKept: Bool) {
        guard checking.remove(number) != nil else { return }
        if isKept {
            have.insert(number)
            untoldCount += 1
            reopenEarly()
        } else {
            open.insert(number)
        }
    }

    /// A piece could not be verified, because the store lacks what proves it. It waits for that.
    ///
    /// - Returns: whether the store has lost what proves it.
    mutating func again(_ number: Int) -> Bool {
        guard let parent = shape.parent(of: number)?.number else {
            checked(number, isKept: false)
            return true
        }
        if checking.remove(number) != nil { early.insert(number) }
        guard have.remove(parent) else { return false }
        open.insert(parent)
        return true
    }

    /// This source will not send these.
    ///
    /// - Returns: how many it owed.
    mutating func release(_ numbers: some Sequence<Int>, of link: LinkID) -> Int {
        guard let index = sources.index(forKey: link) else { return 0 }
        var count = 0
        for number in numbers where sources.values[index].owed.removeValue(forKey: number) != nil {
            count += 1
            owedBy[number]?.removeAll { $0 == link }
            guard owedBy[number]?.isEmpty ?? true else { continue }
            owedBy[number] = nil
            if !have.contains(number) { open.insert(number) }
        }
        return count
    }

    /// - Returns: how many pieces it owed.
    mutating func drop(_ link: LinkID) -> Int {
        guard let source = sources[link] else { return 0 }
        let count = release(Array(source.owed.keys), of: link)
        sources[link] = nil
        return count
    }

    // MARK: - Picking

    /// Pieces to ask a source for, ascending; they are owed from now on.
    ///
    /// A leaf is only asked for if its parent is here or on its way over the same link.
    mutating func pick(
        _ count: Int, from link: LinkID, _ mark: BlobPace.Mark, using generator: inout SeededGenerator
    ) -> [Int] {
        guard count > 0, let index = sources.index(forKey: link) else { return [] }
        guard !open.isEmpty else { return double(count, from: link, mark) }
        guard sources.values[index].hasAny else { return [] }
        var picked: Set<Int> = []
        var tried: Set<Int> = []
        var segment = sources.values[index].segment ?? firstSegment(using: &generator)
        while true {
            pick(count, in: segment, from: sources.values[index], &picked)
            if !picked.isEmpty { sources.values[index].segment = segment }
            tried.insert(segment)
            guard picked.count < count, tried.count < BlobLimit.triesMax,
                let next = nextSegment(after: segment, for: sources.values[index], link, except: tried)
            else { break }
            segment = next
        }
        // What proves the rest may be on its way over another link only.
        if picked.isEmpty { return double(count, from: link, mark) }
        let numbers = picked.sorted()
        for number in numbers { owe(number, to: index, link, mark) }
        return numbers
    }

    private mutating func owe(_ number: Int, to index: Int, _ link: LinkID, _ mark: BlobPace.Mark) {
        open.remove(number)
        owedBy[number, default: []].append(link)
        if sources.values[index].owed.isEmpty { sources.values[index].heardAt = mark.at }
        sources.values[index].owed[number] = mark
    }

    /// Several sources begin at different places.
    private func firstSegment(using generator: inout SeededGenerator) -> Int {
        let count = (shape.pieceCount + BlobLimit.segmentCount - 1) / BlobLimit.segmentCount
        return sources.count > 1 ? Int.random(in: 0..<count, using: &generator) : 0
    }

    private func pick(_ count: Int, in segment: Int, from source: Source, _ picked: inout Set<Int>) {
        let start = segment * BlobLimit.segmentCount
        var next = open.first(from: start)
        while let number = next, number < start + BlobLimit.segmentCount, picked.count < count {
            next = open.first(from: number + 1)
            guard source.holds(number), !picked.contains(number) else { continue }
            // The nodes above it that are lacking come first, if this source can send them.
            var chain = [number]
            var isProvable = true
            while let parent = shape.parent(of: chain[0])?.number, !isUnderWay(parent, from: source),
                !picked.contains(parent)
            {
                guard open.contains(parent), source.holds(parent) else {
                    isProvable = false
                    break
                }
                chain.insert(parent, at: 0)
            }
            if isProvable { picked.formUnion(chain.prefix(count - picked.count)) }
        }
    }

    private func isUnderWay(_ number: Int, from source: Source) -> Bool {
        have.contains(number) || checking.contains(number) || source.owed[number] != nil
    }

    /// The rarest of the next segments with open pieces that this source has, and that no other source is asked for.
    private func nextSegment(after segment: Int, for source: Source, _ link: LinkID, except tried: Set<Int>) -> Int? {
        let taken = Set(sources.compactMap { $0.key == link ? nil : $0.value.segment })
        let isUneven = sources.values.contains { !$0.hasAll }
        var best: (segment: Int, rank: Rank)?
        func first(from number: Int) -> Int? {
            source.hasAll ? open.first(from: number) : source.has.flatMap { open.first(from: number, in: $0) }
        }
        var number = first(from: (segment + 1) * BlobLimit.segmentCount) ?? first(from: 0)
        for order in 0..<Self.segmentsLooked {
            guard let found = number else { break }
            let current = found / BlobLimit.segmentCount
            if !tried.contains(current), source.holds(found) {
                let holders = isUneven ? sources.values.count { $0.holds(found) } : 0
                let rank = Rank(isTaken: taken.contains(current), holders: holders, order: order)
                if best.map({ rank < $0.rank }) ?? true { best = (current, rank) }
                if !isUneven, !rank.isTaken { break }
            }
            number = first(from: (current + 1) * BlobLimit.segmentCount) ?? first(from: 0)
        }
        return best?.segment
    }

    private static let segmentsLooked = 64

    private struct Rank: Comparable {
        let isTaken: Bool
        let holders: Int
        let order: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (left.isTaken ? 1 : 0, left.holders, left.order) < (right.isTaken ? 1 : 0, right.holders, right.order)
        }
    }

    /// Near the end an idle source is asked for what a slow one owes: each piece of two sources at most.
    private mutating func double(_ count: Int, from link: LinkID, _ mark: BlobPace.Mark) -> [Int] {
        guard let index = sources.index(forKey: link), sources.values[index].owed.isEmpty,
            wastedCount < BlobLimit.doubledMax + have.count / BlobLimit.doubledShare
        else { return [] }
        var (old, young): ([(number: Int, at: Instant)], Instant?) = ([], nil)
        for (other, source) in sources where other != link {
            for (number, owed) in source.owed where owedBy[number]?.count == 1 && sources.values[index].holds(number) {
                guard shape.parent(of: number).map({ have.contains($0.number) }) ?? true else { continue }
                let time = owed.at.advanced(by: BlobLimit.doubledAfter)
                if time <= mark.at {
                    old.append((number, owed.at))
                } else {
                    young = min(young ?? time, time)
                }
            }
        }
        if old.isEmpty, let young { doubleAt = min(doubleAt ?? young, young) }
        let numbers = old.sorted { ($0.at, $0.number) < ($1.at, $1.number) }.map(\.number)
            .prefix(min(count, BlobLimit.doubledMax)).sorted()
        for number in numbers { owe(number, to: index, link, mark) }
        return numbers
    }
}
