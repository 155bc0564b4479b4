/// Access by rank: the number of items before one.
extension ReconciliationSet {
    /// The position before an item.
    struct Cut {
        /// The sum of all items before it; its count is the rank.
        let before: ReconciliationSum
        /// `nil` at the beginning.
        let last: ReconciliationItem?
        /// `nil` at the end.
        let next: ReconciliationItem?
    }

    package func contains(_ item: ReconciliationItem) -> Bool {
        let rank = sum(before: ReconciliationBound(before: item)).count
        return rank < count && self.item(at: rank) == item
    }

    /// Count and sum of the items from one rank to before another.
    package func sum(in ranks: Range<Int>) -> ReconciliationSum {
        cut(at: ranks.upperBound).before - cut(at: ranks.lowerBound).before
    }

    /// - Parameter rank: below `count`.
    package func item(at rank: Int) -> ReconciliationItem {
        guard let item = cut(at: rank).next else { preconditionFailure("a rank is below the count") }
        return item
    }

    package func forEach(in ranks: Range<Int>, _ body: (ReconciliationItem) -> Void) {
        guard !ranks.isEmpty else { return }
        precondition(ranks.lowerBound >= 0 && ranks.upperBound <= count, "ranks are those of items")
        var (group, chunk, place, _) = walk(to: ranks.lowerBound)
        var left = ranks.count
        while left > 0 {
            let items = groups[group].chunks[chunk].items[place...].prefix(left)
            for item in items { body(item) }
            left -= items.count
            place = 0
            chunk += 1
            if chunk == groups[group].chunks.count { (group, chunk) = (group + 1, 0) }
        }
    }

    /// Count and sum of the items before a bound; the count is its rank.
    func sum(before bound: ReconciliationBound) -> ReconciliationSum {
        let group = Self.count(of: groups.count) { bound.isBehind(groups[$0].first) } - 1
        guard group >= 0 else { return ReconciliationSum() }
        let chunks = groups[group].chunks
        let chunk = Self.count(of: chunks.count) { bound.isBehind(chunks[$0].first) } - 1
        let items = chunks[chunk].items
        let place = Self.count(of: items.count) { bound.isBehind(items[$0]) }
        return sum(before: place, ofChunk: chunk, in: group)
    }

    /// - Parameter rank: 0…`count`.
    func cut(at rank: Int) -> Cut {
        precondition((0...count).contains(rank), "a rank is at most the count")
        guard rank < count else { return Cut(before: sum, last: groups.last?.last, next: nil) }
        let (group, chunk, place, chunksBefore) = walk(to: rank)
        let items = groups[group].chunks[chunk].items
        var before = chunksBefore
        before += Self.sum(of: items, before: place, whole: groups[group].chunks[chunk].sum)
        let last: ReconciliationItem? =
            if place > 0 { items[place - 1] } else if chunk > 0 {
                groups[group].chunks[chunk - 1].last
            } else if group > 0 {
                groups[group - 1].last
            } else { nil }
        return Cut(before: before, last: last, next: items[place])
    }

    private func sum(before place: Int, ofChunk chunk: Int, in group: Int) -> ReconciliationSum {
        var sum = ReconciliationSum()
        for index in 0..<group { sum += groups[index].sum }
        let chunks = groups[group].chunks
        for index in 0..<chunk { sum += chunks[index].sum }
        sum += Self.sum(of: chunks[chunk].items, before: place, whole: chunks[chunk].sum)
        return sum
    }

    /// The sum of the first items of a chunk, added up from the nearer end.
    private static func sum(
        of items: [ReconciliationItem], before place: Int, whole: ReconciliationSum
    ) -> ReconciliationSum {
        guard place > items.count / 2 else {
            var sum = ReconciliationSum()
            for index in 0..<place { sum += ReconciliationSum(items[index].id) }
            return sum
        }
        var sum = whole
        for index in place..<items.count { sum -= ReconciliationSum(items[index].id) }
        return sum
    }

    /// - Returns: the position of the item of a rank below `count`, and the sum of all chunks before its own.
    private func walk(to rank: Int) -> (group: Int, chunk: Int, place: Int, before: ReconciliationSum) {
        var before = ReconciliationSum()
        var group = 0
        while before.count + groups[group].sum.count <= rank {
            before += groups[group].sum
            group += 1
        }
        let chunks = groups[group].chunks
        var chunk = 0
        while before.count + chunks[chunk].sum.count <= rank {
            before += chunks[chunk].sum
            chunk += 1
        }
        return (group, chunk, rank - before.count, before)
    }
}
