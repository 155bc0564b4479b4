import LatticeCore
import LatticeMesh

/// One peer of a world: the real mesh, and what stands around it on a machine.
struct SimulatedPeer {
    let id: PeerID
    let name: PeerName
    /// Whether it runs; told apart from `mesh` because it is asked for at every turn.
    private(set) var isUp = false
    private var mesh: Mesh?
    /// Which start of it this is; never used twice.
    var instance: UInt64 = 0
    /// When the earliest wake-up that is on its way comes, in milliseconds.
    var wakeAt = Int64.max
    /// In milliseconds; says how long the present life has lasted.
    var startedAt: Int64 = 0
    /// When its last life ended, in milliseconds.
    var endedAt: Int64 = 0
    var clock = HybridClock()
    /// How far its wall clock is ahead of true time, in milliseconds.
    var clockSkew: Int64 = 0
    /// When its wall clock leapt last, in milliseconds; before everything if it never did.
    var leaptAt: Int64 = -1
    /// How much later than others it gets to whatever reaches it, in milliseconds.
    var slowness: Int64 = 0
    var hostility: Hostility?
    /// Its disk is full: the store takes nothing.
    var isStoreFailing = false
    /// Links of this peer that are up.
    var links: [LinkID] = []
    /// Whom it takes for connected, by what its mesh has told of states; in the order in which they came.
    var view: [Int32] = []

    init(id: PeerID, name: PeerName) {
        self.id = id
        self.name = name
    }

    var isHonest: Bool { hostility == nil }

    mutating func start(_ mesh: Mesh) {
        self.mesh = mesh
        isUp = true
    }

    mutating func stop() {
        mesh = nil
        isUp = false
        view.removeAll()
    }

    // The mesh is only reached from in here, and by mutating functions: read through the array of peers, all that it
    // holds would be copied.

    mutating func countUnconfirmed() -> Int { mesh?.unconfirmedCount ?? 0 }

    mutating func tellProgress() -> SyncProgress? { mesh?.syncProgress }

    mutating func handle(_ event: MeshEvent, at now: Instant, into effects: inout [MeshEffect]) {
        mesh?.handle(event, at: now, into: &effects)
    }

    /// When its mesh is to be woken, in milliseconds, if no wake-up that comes as early is on its way yet.
    mutating func wakeToAdd(at now: Int64) -> Int64? {
        guard let deadline = mesh?.nextDeadline else { return nil }
        let time = max((deadline.nanoseconds + 999_999) / 1_000_000, now)
        guard time < wakeAt else { return nil }
        wakeAt = time
        return time
    }

    /// - Returns: whether its mesh has something to do now.
    mutating func isWoken(at now: Instant) -> Bool {
        wakeAt = .max
        guard let deadline = mesh?.nextDeadline else { return false }
        return deadline <= now
    }
}
