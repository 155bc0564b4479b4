import LatticeCore
import LatticeMesh

/// One peer of a world: the real mesh, and what stands around it on a machine.
struct SimulatedPeer {
    let id: PeerID
    /// Nothing while the peer is down.
    var mesh: Mesh?
    /// Which start of it this is; never used twice.
    var instance: UInt64 = 0
    /// When the earliest wake-up that is on its way comes, in milliseconds.
    var wakeAt = Int64.max
    /// In milliseconds; says how long the present life has lasted.
    var startedAt: Int64 = 0
    var clock = HybridClock()
    /// How far its wall clock is ahead of true time, in milliseconds.
    var clockSkew: Int64 = 0
    /// How much later than others it gets to whatever reaches it, in milliseconds.
    var slowness: Int64 = 0
    var hostility: Hostility?
    /// Links of this peer that are up.
    var links: [LinkID] = []
    /// Whom it takes for connected, by what its mesh has told of states; in the order in which they came.
    var view: [Int32] = []

    init(id: PeerID) {
        self.id = id
    }

    var isUp: Bool { mesh != nil }
    var isHonest: Bool { hostility == nil }
}
