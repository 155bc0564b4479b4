import LatticeCore
import LatticeMesh
import LatticeWire

// Queries about a world between its runs.
extension World {
    package func isUp(_ peer: Int) -> Bool { peers[peer].isUp }

    package func isHonest(_ peer: Int) -> Bool { peers[peer].isHonest }

    /// When its current life began, in milliseconds.
    package func startedAt(_ peer: Int) -> Int64 { peers[peer].startedAt }

    package func connectedCount(of peer: Int) -> Int { peers[peer].view.count }

    package func isConnected(_ peer: Int, with other: Int) -> Bool {
        peers[peer].view.contains(Int32(other))
    }

    /// Connections between two peers that both sides still consider open.
    package func openConnections(_ left: Int, _ right: Int) -> Int {
        peers[left].links.count { link in
            connections[link.connection].isOpen && connections[link.connection].peer(at: 1 - link.end) == right
        }
    }

    /// The other ends of a peer's open connections; a peer with two connections occurs twice.
    func openNeighbours(of peer: Int) -> [Int] {
        peers[peer].links.compactMap { link in
            let connection = connections[link.connection]
            return connection.isOpen ? connection.peer(at: 1 - link.end) : nil
        }
    }

    package mutating func unconfirmedCount(of peer: Int) -> Int {
        peers[peer].countUnconfirmed()
    }

    package func wasShown(_ track: Int, to peer: Int) -> Bool {
        tracks[track].shown(at: peer) != nil
    }

    /// Records in a store that are neither expired nor deleted.
    package func storedCount(of peer: Int) -> Int { stores[peer].sets.reduce(0) { $0 + $1.count } }

    /// Faults that the safety judges have found so far.
    package var faults: [Fault] { safety.faults }

    /// One-way latency between two peers, in milliseconds.
    package func latency(_ left: Int, _ right: Int) -> Int64 {
        network.latency(left, right, seed: seed)
    }

    mutating func inspect() {
        inspectStores()
        for peer in peers.indices where peers[peer].isUp {
            inspectSights(of: peer)
            safety.queuesWithinLimit.inspected(
                unconfirmed: unconfirmedCount(of: peer), links: peers[peer].links.count, of: peer, at: queue.now)
        }
    }

    private mutating func inspectSights(of peer: Int) {
        guard peers[peer].isHonest else { return }
        for (other, since) in sights[peer].here.sorted(by: { $0.key < $1.key }) where !peers[other].isUp {
            safety.deadGone.shown(other, endedAt: peers[other].endedAt, since: since, by: peer, at: queue.now)
        }
    }
}
