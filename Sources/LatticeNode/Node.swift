package import LatticeAPI
import LatticeCore
import LatticeCrypto
package import LatticeLink
import LatticeMesh
import LatticeSession
import LatticeWire
package import Logging

/// Owns the mesh, feeds it one event at a time and carries out its effects. Only here do the modules meet.
package actor Node: MeshNode {
    /// A little more than a link may take to flush its queue. A service must stop within 2 s, including the store's last
    /// writes.
    private static let farewellTimeout: Duration = .milliseconds(1_400)
    /// The event loop of the node and its links.
    nonisolated let loop: NodeLoop
    /// Runs tasks there as well, for handlers that answer data at once and never block.
    package nonisolated var taskExecutor: LoopTaskExecutor { loop.taskExecutor }
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }
    /// Data between programs over this node; never stored.
    package nonisolated let data = DataExchange()
    package nonisolated let streams: StreamExchange
    let configuration: NodeConfiguration
    let arrivals: Arrivals
    let logger: Logger
    nonisolated var archive: Archive? { configuration.archive }
    let clock: NodeClock

    var mesh: Mesh
    let publisher: Publisher
    var personas: Personas
    let rooms: PersonaRooms
    let announcer: Announcer
    var links: LinkTable
    var waits = Waits()
    var network: LocalNetwork
    var meter: Meter
    let notifier: Notifier
    private var end = NodeEnd()
    var hasStopped: Bool { end.hasBegun }

    let ingest: Ingest
    let sync: SyncService
    /// `nil` if nothing is stored.
    let maintenance: Maintenance?
    var contacts: Contacts

    let mail: MailService
    /// `nil` if nothing is stored.
    let blobs: BlobService?

    /// Binds a port; nothing is announced before `run`.
    package init(
        _ configuration: NodeConfiguration, logger: Logger,
        noticeText: @escaping @Sendable (Notice) -> String = LogMessages.message
    ) async throws(ListenError) {
        loop = NodeLoop(configuration.machine.network?.eventLoop)
        notifier = Notifier(logger, noticeText: noticeText)
        let session = SessionIdentity(identity: configuration.identity, meshKey: configuration.meshKey)
        let me = configuration.identity.peer
        let options = configuration.meshOptions
        clock = NodeClock(machine: configuration.machineClock)
        let store = configuration.archive?.store
        await configuration.archive?.takeCard(of: configuration.invitations.card, logger)
        ingest = Ingest(store, clock, logger)
        publisher = Publisher(store, clock, logger, after: await clock.learn(from: configuration.archive))
        maintenance = await Maintenance.of(configuration.archive, clock, logger)
        contacts = Contacts(configuration.people, of: me, in: configuration.mesh)
        blobs = BlobService.of(configuration, clock, logger)
        let links = try await LinkTable.listening(
            for: configuration, session, clock: clock, on: loop.turn, exchangesBlobs: blobs != nil, logger: logger)
        self.links = links
        streams = StreamExchange(data: data, session: session, face: links.face)
        arrivals = Arrivals(for: me, clock: clock, logger: logger)
        network = LocalNetwork(configuration, port: links.transport.port, at: clock.now, logger: logger)
        // Before anything is announced: the name of a private room must not leak.
        let owner = Persona(
            owner: configuration, privacy: await RoomPrivacy.found(in: configuration.archive, configuration),
            at: Clocks.now)
        personas = Personas(owner: owner)
        mesh = Mesh(
            me: me, presence: owner.presence(isBrief: configuration.isBrief), options: options,
            seed: configuration.machine.network?.seed ?? SecureRandom.word())
        let earlier = await Urgency.Counted.found(in: store, at: clock.now, logger: logger)
        _ = mesh.handle(.urgentRemembered(earlier), at: Clocks.now)
        rooms = PersonaRooms(configuration.joinedRooms, clock, logger)
        announcer = Announcer(clock)
        self.configuration = configuration
        self.logger = logger
        meter = Meter(NodeMetrics(configuration.metrics))
        let server = RecordServer(
            store: store, clock: clock, metrics: meter.metrics, logger: logger, linksMax: LinkTable.linksMax)
        sync = SyncService(configuration.compares ? store.map { Reconciliation(store: $0) } : nil, server)
        mail = MailService(clock: clock, fresh: configuration.archive?.mail.fresh ?? FreshMessages())
        if let store { onCommits(of: store, loop.turn) }
    }

    /// Serves until `stop` or until its task is cancelled.
    package func run() async {
        let carry: @Sendable () -> Void = { [weak self] in self?.onLoop { $0.data.carry(for: $0) } }
        data.onNews { [turn = loop.turn] in turn.perform(carry) }
        let sendWaiting: @Sendable (PeerID) -> Void = { [weak self] peer in self?.onLoop { $0.sendWaiting(to: peer) } }
        streams.onKeyed { [turn = loop.turn] peer in turn.perform { sendWaiting(peer) } }
        // What was due before is due with the first event, too.
        loop.alarm.onRing { [weak self] in self?.onLoop { $0.handle(.woke) } }
        Contacts.start(for: self)
        rooms.remember(of: personas.owner.id, entered: personas.owner.rooms.first, for: self)
        handle(.presenceChanged(mesh.presences.own))
        LocalNetwork.begin(for: self)
        await withDiscardingTaskGroup { group in
            group.addTask { [transport = links.transport] in await transport.run(owner: self) }
            group.addTask { await LocalNetwork.run(for: self) }
            group.addTask(executorPreference: self.taskExecutor) { [arrivals] in await arrivals.run(for: self) }
            group.addTask { await self.serve { await $0.notifier.run(for: $0) } }
            group.addTask { await self.serve { await $0.sync.run(for: $0) } }
            group.addTask { await self.serve { await $0.publisher.noteConfirmations(for: $0) } }
            if archive != nil, configuration.hasMail { group.addTask { await self.mail.run(for: self) } }
            group.addTask { await self.serve { await $0.blobs?.recover(for: $0) } }
            group.addTask { await self.lookAround() }
            group.addTask { await self.streams.run(on: self.taskExecutor) }
            await end.wait()
            // Ends all waits for data.
            data.finish()
            group.cancelAll()
        }
        loop.alarm.silence()
        // Only now have all links ended, and pending writes are complete.
        await ingest.storeRest(for: self)
        await Contacts.save(isLast: true, for: self)
        await maintenance?.noteComparisons(for: self)
        await blobs?.close()
        Meter.measure(self)
        personas.finish()
    }

    /// Runs something of this node's until it ends.
    func serve<Value: Sendable>(_ work: @Sendable (isolated Node) async -> Value) async -> Value {
        await work(self)
    }

    /// Says goodbye to all peers, flushes send queues (1.4 s at most), and ends `run`.
    package func stop() async {
        guard end.begin() else { return }
        await streams.stop()
        Contacts.noteWhoIsHere(for: self)
        announcer.end(for: self)
        // After this there are no neighbours.
        sync.countNeighbours(for: self)
        handle(.leaving)
        // Stopping does not wait for new strangers.
        if !links.isEmpty { await wait(for: .unlinked, until: Clocks.now.advanced(by: Self.farewellTimeout)) }
        waits.finish()
        end.saidGoodbyes()
    }

    package func events() -> NodeEvents {
        personas.events(of: personas.owner.visit)
    }

    // MARK: - One event at a time

    /// Effects of effects are carried out with the first ones.
    private var isCarryingOut = false

    func handle(_ event: MeshEvent) {
        let now = Clocks.now
        var effects: [MeshEffect] = []
        mesh.handle(event, at: now, into: &effects)
        carryOut(effects, at: now)
    }

    func handle(_ events: some Sequence<MeshEvent>) {
        let now = Clocks.now
        var effects: [MeshEffect] = []
        for event in events { mesh.handle(event, at: now, into: &effects) }
        carryOut(effects, at: now)
    }

    /// Reads the mesh in place. An ordinary read copies all its parts, which for every line takes as long as half a
    /// signature.
    func ask<Answer>(_ question: (inout Mesh) -> Answer) -> Answer {
        question(&mesh)
    }

    private func carryOut(_ effects: [MeshEffect], at now: Instant) {
        let isWithin = isCarryingOut
        isCarryingOut = true
        for effect in effects { carryOut(effect) }
        guard !isWithin else { return }
        isCarryingOut = false
        if !waits.isEmpty {
            if mesh.broadcast.outbox.linesCount == 0 { waits.resolve(.flushed) }
            waits.expire(at: now)
        }
        sync.tellProgress(at: now, for: self)
        ingest.submitDue(at: now, for: self)
        blobs?.passed(at: now, for: self)
        setAlarm(at: now)
    }

    /// Set for the earliest deadline. Runs with every event, so it makes no arrays.
    func setAlarm(at now: Instant) {
        var next = mesh.nextDeadline
        func consider(_ deadline: Instant?) {
            if let deadline { next = min(next ?? deadline, deadline) }
        }
        consider(sync.status.progressDeadline)
        consider(waits.deadline)
        consider(ingest.deadline)
        consider(blobs?.deadline)
        if let next { loop.alarm.set(next, now: now) }
    }

    /// Submits one of our records to the mesh.
    ///
    /// - Returns: its id, or `nil` if there was no space for it.
    @discardableResult
    func submit(_ record: VerifiedRecord) -> RecordID? {
        guard ask({ $0.facts.isOwn(record.author) }) else { return nil }
        let now = Clocks.now
        var effects: [MeshEffect] = []
        mesh.handle(.submitted(record), at: now, into: &effects)
        carryOut(effects, at: now)
        let isRefused = effects.contains { if case .outboxFull = $0 { true } else { false } }
        return isRefused ? nil : record.id
    }

    /// Who this node is.
    package var me: Me { me(personas.owner) }
}
