import LatticeCore
import LatticeMesh

/// A peer of a world: the real mesh and its surroundings on a machine.
struct SimulatedPeer {
    let id: PeerID
    let name: PeerName
    /// Whether it is running. Stored apart from `mesh`, because it is read at every turn.
    private(set) var isUp = false
    private var mesh: Mesh?
    /// The number of its current start; never reused.
    private(set) var instance: UInt64 = 0
    /// Time of the earliest pending wake-up, in milliseconds.
    private(set) var wakeAt = Int64.max
    /// Start of the current life, in milliseconds.
    private(set) var startedAt: Int64 = 0
    /// End of the last life, in milliseconds.
    private(set) var endedAt: Int64 = 0
    var clock = HybridClock()
    /// How far its wall clock is ahead of true time, in milliseconds.
    var clockSkew: Int64 = 0
    /// Time of the last leap of its wall clock, in milliseconds; negative if it never leapt.
    var leaptAt: Int64 = -1
    var hostility: Hostility?
    /// Whether its disk is full, so that the store accepts nothing.
    var isStoreFailing = false
    /// Peers that its mesh has reported as connected, in the order in which they came.
    private(set) var view: [Int32] = []
    var sights = Sights()

    init(id: PeerID, name: PeerName) {
        self.id = id
        self.name = name
    }

    var isHonest: Bool { hostility == nil }

    mutating func start(_ mesh: Mesh, instance: UInt64, at time: Int64) {
        self.mesh = mesh
        isUp = true
        self.instance = instance
        startedAt = time
        wakeAt = .max
        sights = Sights()
    }

    mutating func stop(at time: Int64) {
        mesh = nil
        isUp = false
        endedAt = time
        view.removeAll()
    }

    /// What a handshake with it proves.
    func opened(at address: PeerAddress, by dial: DialID?) -> OpenedLink {
        OpenedLink(peer: id, name: name, instance: instance, address: address, dial: dial)
    }

    mutating func see(_ other: Int, as state: LinkState) {
        view.removeAll { $0 == Int32(other) }
        if state == .connected { view.append(Int32(other)) }
    }

    /// Its wall clock, in milliseconds.
    func wallMilliseconds(at time: Int64) -> Int64 { max(Self.epoch + time + clockSkew, 0) }

    /// When worlds begin: late enough in 1970 that no skewed clock gets before it.
    private static let epoch: Int64 = 10_000_000_000

    /// The date of a new record.
    mutating func stamp(at time: Int64) -> HybridTime {
        clock.next(at: WallTime(milliseconds: wallMilliseconds(at: time)))
    }

    // The mesh is only accessed in here, by mutating functions: reading it through the array of peers would copy all it
    // contains.

    mutating func countUnconfirmed() -> Int { mesh?.broadcast.outbox.count ?? 0 }

    /// Whether its mesh holds records back for this link.
    mutating func isBusy(_ link: LinkID) -> Bool { mesh?.fairness.isBusy(link) ?? false }

    mutating func tellProgress() -> ReconcileProgress? { mesh?.antiEntropy.progress }

    mutating func handle(_ event: MeshEvent, at now: Instant, into effects: inout [MeshEffect]) {
        mesh?.handle(event, at: now, into: &effects)
    }

    /// The time at which its mesh must be woken, in milliseconds, unless an earlier wake-up is pending.
    mutating func wakeToAdd(at now: Int64) -> Int64? {
        guard let deadline = mesh?.nextDeadline else { return nil }
        let time = max((deadline.nanoseconds + 999_999) / 1_000_000, now)
        guard time < wakeAt else { return nil }
        wakeAt = time
        return time
    }

    /// - Returns: whether its mesh is due.
    mutating func isWoken(at now: Instant) -> Bool {
        wakeAt = .max
        guard let deadline = mesh?.nextDeadline else { return false }
        return deadline <= now
    }
}
