import LatticeCore

/// The links that a topology allows. A full topology is computed; any other has a sorted list for each peer, so that
/// planning for thousands of peers does not visit every pair.
package struct Adjacency: Sendable {
    package let topology: Topology
    /// Empty for a full topology.
    private var lists: [[Int32]] = []

    package init(_ topology: Topology, seed: UInt64) {
        self.topology = topology
        let count = topology.count
        if case .full = topology { return }
        lists = Array(repeating: [], count: count)
        switch topology {
        case .full: break
        case .line: for peer in 1..<max(count, 1) { join(peer - 1, peer) }
        case .ring:
            for peer in 1..<max(count, 1) { join(peer - 1, peer) }
            if count > 2 { join(count - 1, 0) }
        case .grid(let width, _):
            for peer in 0..<count {
                if peer % width > 0 { join(peer - 1, peer) }
                if peer >= width { join(peer - width, peer) }
            }
        case .random(_, let degree): joinAtRandom(degree: degree, seed: seed)
        case .islands(let islands, let size): joinIslands(islands, size: size)
        }
        for peer in lists.indices { lists[peer].sort() }
    }

    package func areAdjacent(_ left: Int, _ right: Int) -> Bool {
        guard left != right else { return false }
        if lists.isEmpty { return left < topology.count && right < topology.count }
        return contains(right, in: lists[left])
    }

    package func neighbours(of peer: Int) -> [Int] {
        if lists.isEmpty { return (0..<topology.count).filter { $0 != peer } }
        return lists[peer].map(Int.init)
    }

    package func degree(of peer: Int) -> Int {
        lists.isEmpty ? topology.count - 1 : lists[peer].count
    }

    private mutating func join(_ left: Int, _ right: Int) {
        lists[left].append(Int32(right))
        lists[right].append(Int32(left))
    }

    private mutating func joinAtRandom(degree: Int, seed: UInt64) {
        let count = topology.count
        guard count > 1 else { return }
        var generator = SeededGenerator(seed: seed ^ 0x70_6F6C_6F67)
        for peer in 1..<count { join(Int.random(in: 0..<peer, using: &generator), peer) }
        let wanted = min(count * degree / 2, count * (count - 1) / 2)
        var pairs = count - 1
        // Random draws may never fill a dense graph; this many are enough for any other.
        for _ in 0..<wanted * 20 where pairs < wanted {
            let left = Int.random(in: 0..<count, using: &generator)
            let right = Int.random(in: 0..<count, using: &generator)
            guard left != right, !lists[left].contains(Int32(right)) else { continue }
            join(left, right)
            pairs += 1
        }
    }

    private mutating func joinIslands(_ islands: Int, size: Int) {
        for island in 0..<islands {
            let first = island * size
            for left in first..<first + size {
                for right in first..<left { join(right, left) }
            }
            guard island + 1 < islands else { continue }
            for right in first + size..<first + 2 * size { join(first + size - 1, right) }
        }
    }

    private func contains(_ peer: Int, in list: [Int32]) -> Bool {
        var range = 0..<list.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            if list[middle] == peer { return true }
            range = list[middle] < peer ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }
}
