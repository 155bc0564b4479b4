import LatticeCore
import LatticeMesh
import LatticeWire

/// A whole mesh of real `Mesh` values, simulated in one thread from one seed.
///
/// A plan of weather goes in, the clock runs, and judges watch every turn. All times are whole milliseconds; events of
/// the same millisecond happen in the order in which they were sent. `World` runs the peers and composes the rest:
/// `Schedule` knows what happens when, `Network` carries frames, `Records` follows what was said, `Stores` keeps it,
/// and `Safety` judges it.
package struct World {
    package let seed: UInt64
    let settings: MeshSettings
    let sabotage: Sabotage
    /// Whether peers announce presence; with thousands of peers the announcements would drown what is measured.
    let isPresenceOn: Bool

    var schedule = Schedule()
    var generator: SeededGenerator
    var network: Network
    var peers: [SimulatedPeer]
    package internal(set) var records: Records
    var stores: Stores
    private var lastInstance: UInt64 = 0
    /// A buffer that every turn reuses, so that no turn allocates.
    var effects: [MeshEffect] = []

    package internal(set) var tally = FrameTally()
    package internal(set) var ledger = SyncLedger()
    package internal(set) var dials = 0
    package private(set) var events = 0
    var safety = Safety()
    package var story = Story()
    /// Hash of all effects of all peers since this was set. `nil` unless requested, since it takes a third of the time.
    package var effectTrace: EffectTrace?

    package init(
        _ topology: Topology, seed: UInt64, network: NetworkConditions = NetworkConditions(),
        settings: MeshSettings = MeshSettings(), sabotage: Sabotage = .none, isPresenceOn: Bool = true,
        stores: [StoreSettings] = []
    ) {
        precondition(stores.isEmpty || stores.count == topology.count, "every peer has a store, or none has")
        self.seed = seed
        self.settings = settings
        self.sabotage = sabotage
        self.isPresenceOn = isPresenceOn
        generator = SeededGenerator(seed: seed)
        self.network = Network(Adjacency(topology, seed: seed), network, seed: seed)
        let registry = Registry(seed: seed)
        peers = (0..<topology.count).map { SimulatedPeer(id: registry.peer($0), name: Registry.name(of: $0)) }
        records = Records(registry)
        self.stores = Stores(stores, registry: registry, sabotage: sabotage, seed: seed)
        schedule.addInspection(after: Safety.inspectionInterval)
    }

    package mutating func plan(_ coming: [Weather]) {
        for event in coming { schedule.add(event) }
    }

    package mutating func run(until milliseconds: Int64) {
        while let occurrence = schedule.next(until: milliseconds) {
            events += 1
            happen(occurrence)
        }
        schedule.advance(to: milliseconds)
    }

    package var milliseconds: Int64 { schedule.now }

    private mutating func happen(_ occurrence: Schedule.Occurrence) {
        switch occurrence {
        case .weather(let weather): befall(weather)
        case .errand(let event, let life): if isLived(life) { turn(of: life.peer, event) }
        case .delivery(let event, let link): arrived(event, over: link)
        case .heard(let entry): heard(entry)
        case .woke(let life): if isLived(life) { woke(life.peer) }
        case .opened(let dialling): opened(dialling)
        case .mischief(let life): if isLived(life) { mischief(of: life.peer) }
        case .store(let errand, let life): if isLived(life) { runStore(errand, of: life.peer) }
        case .writable(let link): becameWritable(to: link)
        case .inspection:
            inspect()
            schedule.addInspection(after: Safety.inspectionInterval)
        }
    }

    func life(of peer: Int) -> Life { Life(peer: peer, instance: peers[peer].instance) }

    func isLived(_ life: Life) -> Bool { peers[life.peer].isUp && peers[life.peer].instance == life.instance }

    func wallMilliseconds(of peer: Int) -> Int64 { peers[peer].wallMilliseconds(at: milliseconds) }

    mutating func start(_ peer: Int, withDisk: Bool) {
        guard !peers[peer].isUp else { return }
        if !withDisk { peers[peer].clock = HybridClock() }
        records.died(peer, withDisk: withDisk)
        let presence = Presence(isHere: true, name: peers[peer].name, rooms: [])
        lastInstance += 1
        let mesh = Mesh(me: peers[peer].id, presence: presence, options: settings.options(), seed: generator.next())
        peers[peer].start(mesh, instance: lastInstance, at: milliseconds)
        beginMischief(of: peer)
        ledger.started(peer)
        stores.open(life(of: peer), withDisk: withDisk, in: &schedule)
        if isPresenceOn { turn(of: peer, .presenceChanged(presence)) }
    }

    mutating func end(_ peer: Int, as end: LinkEnd) {
        guard peers[peer].isUp else { return }
        network.breakLinks(of: peer, as: end, in: &schedule, using: &generator)
        peers[peer].stop(at: milliseconds)
    }

    mutating func errand(_ event: MeshEvent, for peer: Int, after wait: Int64) {
        schedule.add(event, for: life(of: peer), after: wait)
    }
}
