import LatticeCore
import LatticeWire
import OrderedCollections

/// A blob that is being fetched.
struct BlobWant: Sendable {
    enum Purpose: Sendable {
        /// A person or a rule here wants all of it.
        case whole
        /// Neighbours want pieces of it.
        case passing
    }

    /// A neighbour that may have it.
    struct Source: Sendable {
        let ask: UInt32
        /// How many links away it said that the pieces are; `nil` until it said what it has.
        var away: UInt8?
        var hasAll = false
        /// `nil` until it named pieces.
        var has: PieceSet?
        /// Pieces that it was asked for, in that order.
        var owed: OrderedDictionary<Int, BlobPace.Mark> = [:]
        /// Pieces that were cancelled; some of them may still come.
        var excused: Set<Int> = []
        var heardAt: Instant
        var lateCount = 0
        /// Where it was asked last.
        var segment: Int?

        func holds(_ number: Int) -> Bool { hasAll || has?.contains(number) ?? false }
    }

    let name: BlobName
    let shape: BlobShape
    var purpose: Purpose
    private(set) var have: PieceSet
    /// Pieces that are wanted, not here, not owed and not being checked.
    private(set) var open: PieceSet
    private var checking: [Int: LinkID] = [:]
    private var owedBy: [Int: [LinkID]] = [:]
    var sources: OrderedDictionary<LinkID, Source> = [:]
    /// Links over which it is not fetched for a while, and how often that happened.
    var out: [LinkID: (until: Instant, count: Int)] = [:]
    /// How far it has been looked for: over how many more links, and how often over the most.
    var ring = 0
    var seekAt: Instant?
    var pausedUntil: Instant?
    var pause = BlobLimit.pauseFirst
    /// Nobody waits for the pieces of a passing one since then.
    var idleSince: Instant?
    var hasToldNobody = false
    var untoldCount = 0

    init(_ name: BlobName, _ purpose: Purpose, have: PieceSet) {
        (self.name, self.purpose, self.have) = (name, purpose, have)
        shape = BlobShape(name)
        open = PieceSet(of: shape.pieceCount)
        if purpose == .whole { wantAll() }
    }

    var isComplete: Bool { have.isComplete }
    /// Whether pieces are wanted that are not here.
    var lacks: Bool { !open.isEmpty || !owedBy.isEmpty || !checking.isEmpty }
    var owedPieces: [Int: [LinkID]] { owedBy }

    // MARK: - What is wanted

    mutating func wantAll() {
        (purpose, idleSince) = (.whole, nil)
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
        guard !have.contains(number), owedBy[number] == nil, checking[number] == nil else { return }
        open.insert(number)
    }

    /// These pieces are here already.
    mutating func found(_ pieces: PieceSet) {
        for range in pieces.ranges {
            have.insert(range)
            open.remove(range)
        }
    }

    // MARK: - Pieces

    /// A piece that was asked for on this link came.
    ///
    /// - Returns: how it was asked for, and the other links that need not send it any more; `nil` if it was not asked for.
    mutating func came(_ number: Int, on link: LinkID, at now: Instant) -> (mark: BlobPace.Mark, others: [LinkID])? {
        guard let index = sources.index(forKey: link),
            let mark = sources.values[index].owed.removeValue(forKey: number)
        else { return nil }
        sources.values[index].heardAt = now
        sources.values[index].lateCount = 0
        let others = (owedBy.removeValue(forKey: number) ?? []).filter { $0 != link }
        for other in others { cancel(number, at: other) }
        checking[number] = link
        return (mark, others)
    }

    private mutating func cancel(_ number: Int, at link: LinkID) {
        guard let index = sources.index(forKey: link) else { return }
        sources.values[index].owed[number] = nil
        sources.values[index].excused.insert(number)
    }

    mutating func wasExcused(_ number: Int, on link: LinkID) -> Bool {
        guard let index = sources.index(forKey: link) else { return false }
        return sources.values[index].excused.remove(number) != nil
    }

    /// The result of checking a piece.
    mutating func checked(_ number: Int, isKept: Bool) {
        guard checking.removeValue(forKey: number) != nil else { return }
        if isKept {
            have.insert(number)
            untoldCount += 1
        } else {
            open.insert(number)
        }
    }

    /// A piece could not be verified, because the store lacks what proves it.
    mutating func again(_ number: Int) {
        checked(number, isKept: false)
        guard let parent = shape.parent(of: number)?.number, have.remove(parent) else { return }
        open.insert(parent)
    }

    /// Whether a source can send something that is wanted, or was asked for something.
    func isUseful(_ source: Source) -> Bool {
        guard source.away != nil else { return false }
        if source.hasAll || !source.owed.isEmpty { return true }
        return source.has.map { open.first(in: $0) != nil } ?? false
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

    /// A source lacks pieces that it said it has.
    mutating func lost(_ numbers: [Int], at link: LinkID) {
        guard let index = sources.index(forKey: link) else { return }
        if sources.values[index].hasAll {
            sources.values[index].hasAll = false
            var all = PieceSet(of: shape.pieceCount)
            all.insert(0..<shape.pieceCount)
            sources.values[index].has = all
        }
        for number in numbers { sources.values[index].has?.remove(number) }
    }

    /// A source that was silent; what it was asked for may still come.
    mutating func late(_ link: LinkID, _ numbers: [Int], at now: Instant) {
        guard let index = sources.index(forKey: link) else { return }
        sources.values[index].lateCount += 1
        sources.values[index].heardAt = now
        sources.values[index].excused.formUnion(numbers)
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
        let numbers = picked.sorted()
        for number in numbers { owe(number, to: index, link, mark) }
        return numbers
    }

    private mutating func owe(_ number: Int, to index: Int, _ link: LinkID, _ mark: BlobPace.Mark) {
        open.remove(number)
        owedBy[number, default: []].append(link)
        if sources.values[index].owed.isEmpty { sources.values[index].heardAt = mark.at }
        sources.values[index].owed[number] = mark
        sources.values[index].excused.remove(number)
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
        have.contains(number) || checking[number] != nil || source.owed[number] != nil
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

    /// Near the end an idle source is asked for what the slowest one owes.
    private mutating func double(_ count: Int, from link: LinkID, _ mark: BlobPace.Mark) -> [Int] {
        guard let index = sources.index(forKey: link), sources.values[index].owed.isEmpty else { return [] }
        let slowest = sources.filter { $0.key != link && !$0.value.owed.isEmpty }.min { left, right in
            (left.value.owed.values.first?.at ?? mark.at) < (right.value.owed.values.first?.at ?? mark.at)
        }
        guard let slowest else { return [] }
        let numbers = slowest.value.owed.keys.filter { number in
            guard owedBy[number]?.count == 1, sources.values[index].holds(number) else { return false }
            return shape.parent(of: number).map { have.contains($0.number) } ?? true
        }.prefix(min(count, BlobLimit.doubledMax)).sorted()
        for number in numbers { owe(number, to: index, link, mark) }
        return numbers
    }
}
