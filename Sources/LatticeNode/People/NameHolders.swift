/// Who is known by one name, best known first. Insertion costs a binary search, however many share the name.
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

    /// Its index, or the index where it would be inserted.
    private func index(of rank: Rank) -> Int {
        var (low, high) = (0, ranks.count)
        while low < high {
            let middle = (low + high) / 2
            if ranks[middle] < rank { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
