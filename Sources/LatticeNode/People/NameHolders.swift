/// Who is known under one name, the best known first. However many share it, to take one in takes as many comparisons as a binary search.
struct NameHolders<Rank: Comparable & Sendable>: Equatable, Sendable {
    private(set) var ranks: [Rank] = []

    var isEmpty: Bool { ranks.isEmpty }

    mutating func insert(_ rank: Rank) {
        let index = index(of: rank)
        guard index == ranks.count || ranks[index] != rank else { return }
        ranks.insert(rank, at: index)
    }

    mutating func remove(_ rank: Rank) {
        let index = index(of: rank)
        guard index < ranks.count, ranks[index] == rank else { return }
        ranks.remove(at: index)
    }

    /// Where it stands, or would stand.
    private func index(of rank: Rank) -> Int {
        var (low, high) = (0, ranks.count)
        while low < high {
            let middle = (low + high) / 2
            if ranks[middle] < rank { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
