/// Connected components of the honest peers that are up.
struct Components {
    /// The component of each peer; -1 for peers that are down or hostile.
    private var numbers: [Int]
    private(set) var count = 0

    init(of world: World, neighbours: (Int) -> [Int]) {
        numbers = Array(repeating: -1, count: world.peers.count)
        for start in world.peers.indices where numbers[start] < 0 && Self.counts(start, in: world) {
            numbers[start] = count
            var waiting = [start]
            while let peer = waiting.popLast() {
                for other in neighbours(peer) where numbers[other] < 0 && Self.counts(other, in: world) {
                    numbers[other] = count
                    waiting.append(other)
                }
            }
            count += 1
        }
    }

    static func possible(in world: World) -> Components {
        if case .full = world.network.adjacency.topology { return Components(full: world) }
        return Components(of: world, neighbours: world.network.adjacency.neighbours)
    }

    /// In a full topology all are connected; it has too many pairs to visit each.
    private init(full world: World) {
        numbers = world.peers.indices.map { Self.counts($0, in: world) ? 0 : -1 }
        count = numbers.contains(0) ? 1 : 0
    }

    subscript(_ peer: Int) -> Int { numbers[peer] }

    func first(with peer: Int) -> Int? {
        numbers.firstIndex(of: numbers[peer])
    }

    private static func counts(_ peer: Int, in world: World) -> Bool {
        world.isUp(peer) && world.isHonest(peer)
    }
}
