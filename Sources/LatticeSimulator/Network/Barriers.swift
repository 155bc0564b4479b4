/// Barriers between peers that the topology joins: cuts in either direction, and partitions.
struct Barriers {
    /// Ordered pairs, as `from << 32 | to`.
    private var cuts: Set<UInt64> = []
    /// The side of each peer in the partition; empty without one.
    private var sides: [Int32] = []

    var isNone: Bool { cuts.isEmpty && sides.isEmpty }

    func stops(from: Int, to: Int) -> Bool {
        if !sides.isEmpty, sides[from] != sides[to] { return true }
        return !cuts.isEmpty && cuts.contains(Self.pair(from, to))
    }

    mutating func cut(from: Int, to: Int) {
        cuts.insert(Self.pair(from, to))
    }

    mutating func mend(_ left: Int, _ right: Int) {
        cuts.remove(Self.pair(left, right))
        cuts.remove(Self.pair(right, left))
    }

    /// Peers in none of the groups form a side of their own.
    mutating func part(_ groups: [[Int]], of count: Int) {
        sides = Array(repeating: -1, count: count)
        for (number, group) in groups.enumerated() {
            for peer in group where sides.indices.contains(peer) { sides[peer] = Int32(number) }
        }
    }

    mutating func heal() {
        sides = []
    }

    mutating func mendAll() {
        cuts = []
        sides = []
    }

    private static func pair(_ from: Int, _ to: Int) -> UInt64 {
        UInt64(from) << 32 | UInt64(to)
    }
}
