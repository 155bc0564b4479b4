import LatticeCore
import Synchronization

/// What both ends of a connection share.
final class InMemoryWire: Sendable {
    /// Counts the connections of a network.
    let id: UInt64
    private let broken = Atomic(false)

    init(id: UInt64) {
        self.id = id
    }

    /// The way between the two was closed since they connected, though it may be open again: from then on nothing passes, so
    /// that no stream has a hole, and both ends break off.
    var isBroken: Bool { broken.load(ordering: .acquiring) }

    func breakOff() {
        broken.store(true, ordering: .releasing)
    }
}

/// A connection, until both ends have closed.
struct InMemoryConnection: Sendable {
    let wire: InMemoryWire
    /// Their sessions need not listen any more.
    let peers: (dialler: PeerID, listener: PeerID)
    /// The end that has dialled.
    let near: InMemoryChannel
    let far: InMemoryChannel
    var openEnds = 2

    var ends: [InMemoryChannel] { [near, far] }
}
