/// The sorted items of one peer. Counts and sums are maintained with every change, so that the fingerprint of any range
/// costs a few hundred additions, however many items there are.
///
/// Items are in chunks, and chunks in groups. A million items make some fifty groups of a hundred chunks of two hundred
/// items: a range is found and summed by walking one list of each kind, and a change moves items of one chunk only.
package struct ReconciliationSet: Sendable {
    /// Items in a chunk: an insertion moves at most 10 kB.
    static let chunkItemsMax = 256
    /// Chunks in a group: with these, the three lists are about equally long for a million items.
    static let groupChunksMax = 128

    struct Chunk: Sendable {
        var items: [ReconciliationItem]
        var sum: ReconciliationSum

        var first: ReconciliationItem { items[0] }
        var last: ReconciliationItem { items[items.count - 1] }
    }

    struct Group: Sendable {
        var chunks: [Chunk]
        var sum: ReconciliationSum

        init(_ chunks: [Chunk]) {
            self.chunks = chunks
            sum = ReconciliationSum()
            for chunk in chunks { sum += chunk.sum }
        }

        var first: ReconciliationItem { chunks[0].first }
        var last: ReconciliationItem { chunks[chunks.count - 1].last }
    }

    /// Neither a group nor a chunk is ever empty.
    private(set) var groups: [Group] = []
    package private(set) var sum = ReconciliationSum()

    package init() {}

    /// Much faster than single insertions; sorted input is not sorted again.
    package init(_ items: [ReconciliationItem]) {
        var sorted = items
        if !zip(items, items.dropFirst()).allSatisfy(<) {
            sorted.sort()
            sorted = sorted.enumerated().filter { $0 == 0 || sorted[$0 - 1] != $1 }.map(\.element)
        }
        // Three quarters full, so that the next insertions need no split.
        var chunks: [Chunk] = []
        for start in stride(from: 0, to: sorted.count, by: Self.chunkItemsMax * 3 / 4) {
            chunks.append(Self.chunk(sorted[start..<min(sorted.count, start + Self.chunkItemsMax * 3 / 4)]))
        }
        for start in stride(from: 0, to: chunks.count, by: Self.groupChunksMax * 3 / 4) {
            let group = Group(Array(chunks[start..<min(chunks.count, start + Self.groupChunksMax * 3 / 4)]))
            sum += group.sum
            groups.append(group)
        }
    }

    package var count: Int { sum.count }

    /// - Returns: whether it is new.
    @discardableResult
    package mutating func insert(_ item: ReconciliationItem) -> Bool {
        guard !groups.isEmpty else {
            self = ReconciliationSet([item])
            return true
        }
        let (group, chunk, place) = self.place(of: item)
        if place < groups[group].chunks[chunk].items.count, groups[group].chunks[chunk].items[place] == item {
            return false
        }
        let one = ReconciliationSum(item.id)
        groups[group].chunks[chunk].items.insert(item, at: place)
        groups[group].chunks[chunk].sum += one
        groups[group].sum += one
        sum += one
        splitIfFull(group, chunk)
        return true
    }

    /// - Returns: whether it was there.
    @discardableResult
    package mutating func remove(_ item: ReconciliationItem) -> Bool {
        guard !groups.isEmpty else { return false }
        let (group, chunk, place) = self.place(of: item)
        guard place < groups[group].chunks[chunk].items.count, groups[group].chunks[chunk].items[place] == item else {
            return false
        }
        let one = ReconciliationSum(item.id)
        groups[group].chunks[chunk].items.remove(at: place)
        groups[group].chunks[chunk].sum -= one
        groups[group].sum -= one
        sum -= one
        joinIfSmall(group, chunk)
        return true
    }

    /// The position of an item, or where it belongs.
    private func place(of item: ReconciliationItem) -> (group: Int, chunk: Int, place: Int) {
        let group = max(0, Self.count(of: groups.count) { groups[$0].first <= item } - 1)
        let chunks = groups[group].chunks
        let chunk = max(0, Self.count(of: chunks.count) { chunks[$0].items[0] <= item } - 1)
        let items = chunks[chunk].items
        return (group, chunk, Self.count(of: items.count) { items[$0] < item })
    }

    private mutating func splitIfFull(_ group: Int, _ chunk: Int) {
        guard groups[group].chunks[chunk].items.count > Self.chunkItemsMax else { return }
        let items = groups[group].chunks[chunk].items
        let halves = [Self.chunk(items[..<(items.count / 2)]), Self.chunk(items[(items.count / 2)...])]
        groups[group].chunks.replaceSubrange(chunk...chunk, with: halves)
        guard groups[group].chunks.count > Self.groupChunksMax else { return }
        let chunks = groups[group].chunks
        let middle = chunks.count / 2
        groups.replaceSubrange(group...group, with: [Group(Array(chunks[..<middle])), Group(Array(chunks[middle...]))])
    }

    /// Removes an empty chunk, and merges two that together fill half of one. Otherwise a set that has shrunk, as every
    /// store does when records expire, would be as slow as before.
    private mutating func joinIfSmall(_ group: Int, _ chunk: Int) {
        if groups[group].chunks[chunk].items.isEmpty {
            groups[group].chunks.remove(at: chunk)
        } else if chunk + 1 < groups[group].chunks.count {
            let next = groups[group].chunks[chunk + 1]
            guard groups[group].chunks[chunk].items.count + next.items.count <= Self.chunkItemsMax / 2 else { return }
            groups[group].chunks[chunk].items += next.items
            groups[group].chunks[chunk].sum += next.sum
            groups[group].chunks.remove(at: chunk + 1)
        }
        if groups[group].chunks.isEmpty {
            groups.remove(at: group)
        } else if group + 1 < groups.count {
            let chunks = groups[group].chunks.count + groups[group + 1].chunks.count
            guard chunks <= Self.groupChunksMax / 2 else { return }
            groups[group] = Group(groups[group].chunks + groups[group + 1].chunks)
            groups.remove(at: group + 1)
        }
    }

    private static func chunk(_ items: ArraySlice<ReconciliationItem>) -> Chunk {
        var sum = ReconciliationSum()
        for item in items { sum += ReconciliationSum(item.id) }
        return Chunk(items: Array(items), sum: sum)
    }

    /// Binary search: the number of leading indices below `count` that pass. Indices that pass come before all that
    /// fail.
    static func count(of count: Int, where passes: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if passes(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
