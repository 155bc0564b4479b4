import LatticeCore

/// Which peers reach each other directly.
struct InMemoryWays: Sendable {
    private var groups: [PeerID: Int] = [:]
    /// Both orders of each pair.
    private var cuts: [PeerID: Set<PeerID>] = [:]

    func isOpen(_ one: PeerID, _ other: PeerID) -> Bool {
        // Peers that no group names are together in one.
        groups[one] == groups[other] && cuts[one]?.contains(other) != true
    }

    mutating func partition(_ parts: [Set<PeerID>]) {
        groups = [:]
        for (number, part) in parts.enumerated() {
            for peer in part {
                precondition(groups[peer] == nil, "a peer is in one group")
                groups[peer] = number
            }
        }
    }

    mutating func cut(_ one: PeerID, _ other: PeerID) {
        cuts[one, default: []].insert(other)
        cuts[other, default: []].insert(one)
    }

    mutating func heal() {
        (groups, cuts) = ([:], [:])
    }
}
