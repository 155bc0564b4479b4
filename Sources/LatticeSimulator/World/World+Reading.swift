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
        network.links(of: left).count { network.isOpen($0) && network.peer(across: $0) == right }
    }

    /// The other ends of a peer's open connections; a peer with two connections occurs twice.
    func openNeighbours(of peer: Int) -> [Int] {
        network.links(of: peer).compactMap { network.isOpen($0) ? network.peer(across: $0) : nil }
    }

    package mutating func unconfirmedCount(of peer: Int) -> Int {
        peers[peer].countUnconfirmed()
    }

    package func wasShown(_ track: Int, to peer: Int) -> Bool {
        records.wasShown(track, to: peer)
    }

    /// Records in a store that are neither expired nor deleted.
    package func storedCount(of peer: Int) -> Int { stores.all[peer].sets.reduce(0) { $0 + $1.count } }

    /// Faults that the safety judges have found so far.
    package var faults: [Fault] { safety.faults }
}
