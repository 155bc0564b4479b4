import LatticeCore
import LatticeMesh
import LatticeWire

/// A whole mesh of real `Mesh` values, simulated in one thread from one seed.
///
/// A plan of weather goes in, the clock runs, and judges watch every turn. All times are whole milliseconds; events of
/// the same millisecond happen in the order in which they were sent.
package struct World {
    package let adjacency: Adjacency
    package let seed: UInt64
    package let settings: MeshSettings
    package internal(set) var network: NetworkConditions
    let wasRough: Bool
    let sabotage: Sabotage
    /// Whether peers announce presence; with thousands of peers the announcements would drown what is measured.
    let isPresenceOn: Bool
    let registry: Registry

    var queue = CalendarQueue()
    var generator: SeededGenerator
    var barriers = Barriers()
    var peers: [SimulatedPeer]
    var connections: [Connection] = []
    var weather: [Weather] = []
    var letters = Pool<MeshEvent>()
    var errands = Pool<Errand>()
    var diallings = Pool<Dialling>()
    /// Frames on connections that are cut, in order.
    var held: [Held] = []
    var records: [SimulatedRecord] = []
    /// One for each peer, or empty in worlds about broadcasts alone.
    var stores: [SimulatedStore]
    var desks: [StoreDesk] = []
    /// Which peers each peer shows as present.
    var sights: [Sights]
    var storeErrands = Pool<(instance: UInt64, errand: StoreErrand)>()
    /// A separate generator, so that broadcasts do not depend on whether there are stores.
    var storeGenerator: SeededGenerator
    package internal(set) var ledger = SyncLedger()
    /// A buffer that every turn reuses, so that no turn allocates.
    var effects: [MeshEffect] = []
    private var lastInstance: UInt64 = 0

    package internal(set) var tracks: [RecordTrack] = []
    package internal(set) var tally = FrameTally()
    package internal(set) var dials = 0
    package internal(set) var openConnections = 0
    package internal(set) var openedConnections = 0
    package internal(set) var events = 0
    var safety = Safety()
    /// The log of the run; empty unless `isTold`.
    var story: [String] = []
    package var isTold = false
    /// Hash of all effects of all peers since this was set. `nil` unless requested, since it takes a third of the time.
    package var effectTrace: EffectTrace?

    /// An event for one life of a peer.
    struct Errand {
        let instance: UInt64
        let event: MeshEvent
    }

    struct Dialling {
        let dialler: Int
        let instance: UInt64
        let target: Int
        let dial: DialID
    }

    struct Held {
        let entry: Entry
        let connection: Int
        let end: Int
    }

    struct SimulatedRecord {
        let verified: VerifiedRecord
        /// Bytes of the frame that carries it; TTL and hops never need a second byte.
        let frameBytes: Int
        /// Its number among the lines; `nil` for a presence.
        let track: Int?
        let author: Int
        /// In milliseconds.
        let saidAt: Int64
    }

    package init(
        _ topology: Topology, seed: UInt64, network: NetworkConditions = NetworkConditions(),
        settings: MeshSettings = MeshSettings(), sabotage: Sabotage = .none, isPresenceOn: Bool = true,
        stores: [StoreSettings] = []
    ) {
        adjacency = Adjacency(topology, seed: seed)
        self.seed = seed
        self.network = network
        wasRough = network.isRough
        self.settings = settings
        self.sabotage = sabotage
        self.isPresenceOn = isPresenceOn
        generator = SeededGenerator(seed: seed)
        let registry = Registry(seed: seed)
        self.registry = registry
        peers = (0..<topology.count).map { SimulatedPeer(id: registry.peer($0), name: Registry.name(of: $0)) }
        precondition(stores.isEmpty || stores.count == topology.count, "every peer has a store, or none has")
        self.stores = stores.enumerated().map { SimulatedStore(owner: registry.peer($0.offset), settings: $0.element) }
        desks = stores.map { _ in StoreDesk() }
        sights = peers.map { _ in Sights() }
        storeGenerator = SeededGenerator(seed: seed ^ 0x7374_6F72)
        safety.isHopsTrusted = true
        queue.push(Entry(.inspection), at: Safety.inspectionInterval)
    }

    package mutating func plan(_ coming: [Weather]) {
        for event in coming {
            queue.push(Entry(.weather, payload: weather.count), at: event.time)
            weather.append(event)
        }
    }

    package mutating func run(until milliseconds: Int64) {
        while let entry = queue.pop(until: milliseconds) {
            events += 1
            happen(entry)
        }
        queue.advance(to: milliseconds)
    }

    package var milliseconds: Int64 { queue.now }

    var now: Instant { Instant(nanoseconds: queue.now * 1_000_000) }

    private mutating func happen(_ entry: Entry) {
        switch entry.kind {
        case .weather: befall(weather[Int(entry.payload)])
        case .errand:
            let errand = errands.take(entry.payload)
            let peer = Int(entry.subject)
            guard peers[peer].isUp, peers[peer].instance == errand.instance else { return }
            turn(of: peer, errand.event)
        case .letter: arrived(letters.take(entry.payload), over: Int(entry.subject))
        case .heard: heard(entry)
        case .woke: woke(Int(entry.subject), instance: entry.payload)
        case .opened: opened(diallings.take(entry.payload))
        case .mischief: mischief(of: Int(entry.subject), instance: entry.payload)
        case .store: runStore(entry)
        case .inspection:
            inspect()
            queue.push(Entry(.inspection), at: queue.now + Safety.inspectionInterval)
        }
    }

    mutating func nextInstance() -> UInt64 {
        lastInstance += 1
        return lastInstance
    }
}
