package import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
package import LatticeLink
import LatticeMesh
import LatticeSession
import LatticeStore
import LatticeWire
package import Logging
import NIOCore
import NIOPosix

/// Owns the mesh, feeds it one event at a time and carries out what it wants: the only place where the rooms meet.
package actor Node: MeshNode {
    /// A little more than a link may take to hand over what waits. A service is gone within 2 s, what the store still has to take
    /// included.
    private static let farewellTimeout: Duration = .milliseconds(1_400)
    /// Where it and its links run.
    nonisolated let executor: LoopExecutor
    /// Runs tasks there, too: for whoever answers data at once and does not block.
    package nonisolated var taskExecutor: LoopTaskExecutor { links.taskExecutor }
    private let turn: LoopTurn
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    /// What programs send one another over it, and nobody keeps.
    package nonisolated let data = DataExchange()
    nonisolated let streams: StreamExchange
    let configuration: NodeConfiguration
    let links: Links
    let discovery: Discovery
    var announcement: Announcement
    let face: PublicFace
    let verifier = CachingVerifier()
    let alarm: Alarm
    let logger: Logger
    let metrics: NodeMetrics
    let wall: Wall?
    let clock: NodeClock
    /// `nil` where nothing is stored, or nothing is reconciled.
    let reconciliation: Reconciliation?
    let server: RecordServer
    private let stopping: AsyncStream<Never>
    private let stopInput: AsyncStream<Never>.Continuation
    private let arrivals: AsyncStream<Arrival>
    let arrivalInput: AsyncStream<Arrival>.Continuation
    private let busyLinks: AsyncStream<Link>
    let busyInput: AsyncStream<Link>.Continuation

    var mesh: Mesh
    var judge = TimeJudge(start: Clocks.now)
    var sleep = SleepWatch()
    var publisher: Publisher
    /// Of presences, which tell what our clock says: nobody's dates carry it along.
    var presenceDates = HybridClock()
    var personas: Personas
    var roomMemory: RoomMemory
    var live: [LinkID: Link] = [:]
    /// Links that took in nothing for a while: whoever speaks waits for them no more.
    var stalled: Set<LinkID> = []
    /// Links on which so much waits that the mesh keeps back what others said; each is waited for once.
    var busy: Set<LinkID> = []
    var discoveryNow: String
    var isReadyTold = false
    var probeWaiters: [UInt64: CheckedContinuation<ProbeOutcome, Never>] = [:]
    var flushWaiters = FlushWaiters()
    /// Lines said since links last had their turn.
    var linesInTurn = 0
    var emptyWaiters: [CheckedContinuation<Void, Never>] = []
    private(set) var hasStopped = false

    /// What was turned down here: links at fault, and what the store did not take.
    var refusals = RefusalCounts()
    /// As much of it as the metrics were told.
    var refusedMeasured = RefusalCounts()
    var ingest = Ingest()
    /// Lines made before this node began, until the store says whether it has told of them before; each waits in `ingest`.
    var unjudged: [RecordID: Message] = [:]
    let startedAt: WallTime
    /// Records that were fetched and kept since this node began.
    var fetchedCount = 0
    /// Stored records whose effects on posts and people are still to be read.
    var addedRecords: [VerifiedRecord] = []
    let addedSignals: AsyncStream<Void>
    let addedInput: AsyncStream<Void>.Continuation
    /// Something was written to the store since it was last looked after.
    var hasWritten = true
    /// It is not known when the next record's time is over.
    var isExpiryUnknown = true
    /// Something was turned away for want of room since neighbours were told what is kept here.
    var isStoreFull = false
    /// When the next record's time is over; `nil` if none is there.
    var nextExpiry: WallTime?
    var maintainedAt: Instant?

    var keepingTold: Keeping?
    var mustLookAtKeeping = true
    var keepingToldAt: Instant?
    var isProgressUntold = false
    var progressToldAt: Instant?
    var ledger = SyncLedger()

    var acquaintances = Acquaintances()
    /// What is told of them.
    var standing = Standing()
    /// The state of their file that is known.
    var bookMark: FileMark?
    var peopleSeenAt: Instant?
    /// Something of somebody who is blocked may be in the store.
    var isBlockedUnswept = false
    var hasToldOfPeople = false

    /// There was no room for what was submitted last.
    var hasOutboxRefused = false
    var outbox = Outbox()
    /// Up to where in the store fronts were told of what this person wrote.
    var lastOwnTold: Int64?
    let confirmSignals: AsyncStream<Void>
    let confirmInput: AsyncStream<Void>.Continuation
    let mail: MailService
    /// Of private rooms: whose older keys and which public namesakes people were told of.
    var strangersTold: Set<String> = []
    /// The store does not take anything, and people were told.
    var hasToldOfStore = false
    var misses = Misses()
    var hosts = Hosts()

    /// Takes a port; nothing is announced before `run`.
    package init(_ configuration: NodeConfiguration, logger: Logger) async throws(ListenError) {
        turn = LoopTurn(MultiThreadedEventLoopGroup.singleton.next())
        executor = LoopExecutor(turn)
        let session = SessionIdentity(identity: configuration.identity, meshKey: configuration.meshKey)
        let me = configuration.identity.peer
        let options = configuration.meshOptions
        clock = NodeClock(machine: configuration.machineClock)
        startedAt = clock.now
        publisher = Publisher(after: await Self.newestDate(in: configuration.wall, for: clock))
        lastOwnTold = await Self.newestWaiting(in: configuration.wall)
        links = try await Self.links(of: configuration, session, turn, logger)
        face = PublicFace(
            session: session, instance: SecureRandom.word(), port: links.port, isBrief: configuration.isBrief,
            name: configuration.name, clock: clock)
        streams = StreamExchange(data: data, session: session, face: face)
        announcement = Announcement(key: configuration.meshKey)
        discovery = Discovery(
            mode: configuration.discovery, interface: configuration.interface,
            advertisement: announcement.advertisement(of: configuration, port: links.port, at: clock.now),
            logger: logger)
        // Before anything is announced: the name of a private room is told to nobody.
        let owner = Persona(
            owner: configuration, privacy: await RoomPrivacy.found(in: configuration.wall, configuration),
            at: Clocks.now)
        personas = Personas(owner: owner)
        mesh = Mesh(
            me: me, presence: owner.presence(isBrief: configuration.isBrief), options: options,
            seed: SecureRandom.word())
        alarm = Alarm(eventLoop: turn.eventLoop)
        roomMemory = RoomMemory(configuration.joinedRooms)
        // Under `auto` a guess, put right by the first thing discovery tells, which is before anybody is linked with.
        discoveryNow = (configuration.discovery == .auto ? DiscoveryMode.embedded : configuration.discovery).rawValue
        self.configuration = configuration
        self.logger = logger
        metrics = NodeMetrics(configuration.metrics)
        (stopping, stopInput) = AsyncStream.makeStream()
        // Each link waits for its own, so there are never more than links.
        (arrivals, arrivalInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.busyLinksMax))
        (busyLinks, busyInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.busyLinksMax))
        wall = configuration.wall
        (addedSignals, addedInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (confirmSignals, confirmInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        reconciliation = configuration.compares ? configuration.wall.map { Reconciliation(store: $0.store) } : nil
        server = RecordServer(
            store: configuration.wall?.store, clock: clock, metrics: metrics, logger: logger,
            linksMax: Self.busyLinksMax)
        mail = MailService(clock: clock)
        if let store = configuration.wall?.store { onCommits(of: store, turn) }
    }

    /// Serves until `stop` or until its task is cancelled.
    package func run() async {
        let carry: @Sendable () -> Void = { [weak self] in self?.onLoop { $0.carryData() } }
        data.onNews { [turn] in turn.perform(carry) }
        meetKnownPeople()
        rememberRooms(of: personas.owner.id, entered: personas.owner.rooms.first)
        handle(.presenceChanged(mesh.presences.own))
        if configuration.discovery != .off { handle(.visibilityChanged(false)) }
        for address in configuration.given {
            handle(.sighted(Sighting(source: .given, peer: nil, name: nil, meshTag: nil, address: address)))
        }
        if configuration.discovery != .auto { tellReady() }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.links.run(owner: self) }
            group.addTask { await self.discovery.run() }
            group.addTask { for await event in self.discovery.events { await self.discovered(event) } }
            group.addTask(executorPreference: self.taskExecutor) {
                for await _ in self.alarm.rings { await self.handle(.woke) }
            }
            group.addTask(executorPreference: self.taskExecutor) { await self.watchBusyLinks(self.busyLinks) }
            group.addTask { await self.judgeArrivals(self.arrivals) }
            group.addTask { await self.announceWhatCame() }
            if let reconciliation { group.addTask { await reconciliation.run(for: self) } }
            group.addTask { await self.server.run() }
            group.addTask { await self.rememberConfirmations() }
            if wall != nil, configuration.hasMail { group.addTask { await self.mail.run(for: self) } }
            group.addTask { await self.lookAround() }
            group.addTask { await self.watchNetwork() }
            group.addTask { await self.streams.run() }
            for await _ in stopping {}
            // Whoever waits for data does so no longer.
            data.finish()
            group.cancelAll()
        }
        // Only now nobody hears anything any more, and what was being written is.
        await keepTheRest()
        await savePeople(isLast: true)
        if let wall { await noteComparisons(in: wall) }
        measure()
        personas.finish()
    }

    /// Tells everybody that we leave, hands over what waits to be sent (1.4 s at most), and ends `run`.
    package func stop() async {
        guard !hasStopped else { return }
        hasStopped = true
        await streams.stop()
        noteWhoIsHere()
        showOwnerToVisitors(isHere: false)
        sendAway(personas.visitorIDs)
        submit(sign(mesh.presences.own.ended, by: configuration.identity))
        // Nobody is a neighbour any more after this.
        countNeighbours()
        handle(.leaving)
        await waitUntilEmpty(atMost: Self.farewellTimeout)
        for (_, waiter) in probeWaiters { waiter.resume(returning: .timedOut) }
        probeWaiters = [:]
        flushWaiters.releaseAll()
        stopInput.finish()
    }

    package func events() -> NodeEvents {
        personas.events(of: personas.owner.visit)
    }

    /// However many strangers keep coming, we go.
    private func waitUntilEmpty(atMost limit: Duration) async {
        guard !live.isEmpty else { return }
        await withDiscardingTaskGroup { group in
            group.addTask {
                do {
                    try await Task.sleep(for: limit)
                    await self.releaseEmptyWaiters()
                } catch {
                    // Cancelled: everybody is gone.
                }
            }
            await withCheckedContinuation { emptyWaiters.append($0) }
            group.cancelAll()
        }
    }

    func releaseEmptyWaiters() {
        for waiter in emptyWaiters { waiter.resume() }
        emptyWaiters = []
    }

    // MARK: - One event at a time

    /// What follows of an effect is looked after with what it follows of.
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

    /// Asks the mesh where it lies. To read it in the ordinary way makes a copy of all its parts, which for every line that is said takes
    /// as long as half a signature.
    func ask<Answer>(_ question: (inout Mesh) -> Answer) -> Answer {
        question(&mesh)
    }

    private func carryOut(_ effects: [MeshEffect], at now: Instant) {
        let isWithin = isCarryingOut
        isCarryingOut = true
        for effect in effects { carryOut(effect) }
        guard !isWithin else { return }
        isCarryingOut = false
        if !flushWaiters.isEmpty { flushWaiters.release(at: now, isFlushed: mesh.broadcast.outbox.linesCount == 0) }
        if isProgressUntold { tellProgress(at: now) }
        if ingest.hasWork { storeWhatCame() }
        setAlarm(at: now)
    }

    /// For whatever is due first. With every event: it makes no arrays.
    private func setAlarm(at now: Instant) {
        var next = mesh.nextDeadline
        func consider(_ deadline: Instant?) {
            if let deadline { next = min(next ?? deadline, deadline) }
        }
        consider(progressDeadline)
        consider(flushWaiters.deadline)
        if let next { alarm.set(next, now: now) }
    }

    /// Gives something of ours to the mesh.
    ///
    /// - Returns: its id, or `nil` if there was no room for it.
    @discardableResult
    func submit(_ record: VerifiedRecord) -> RecordID? {
        guard ask({ $0.facts.isOwn(record.author) }) else { return nil }
        hasOutboxRefused = false
        handle(.submitted(record))
        return hasOutboxRefused ? nil : record.id
    }

    /// The first thing told is that we are ready.
    func tell(_ event: NodeEvent) {
        tellOwner(event)
        if event.isForEverybody { personas.deliverToVisitors(event) }
    }

    /// What concerns one persona alone.
    func deliver(_ event: NodeEvent, to id: PeerID) {
        if id == personas.owner.id { tellOwner(event) } else { personas.deliver(event, to: id) }
    }

    /// What is nobody else's business.
    func tellOwner(_ event: NodeEvent) {
        tellReady()
        // Of a service nobody may read events.
        if case .notice(let notice) = event, notice.level == .problem {
            logger.warning("\(notice.text)", metadata: ["code": "\(notice.code)"])
        }
        personas.deliver(event, to: personas.owner.id)
    }

    func tellReady() {
        guard !isReadyTold else { return }
        isReadyTold = true
        personas.deliver(.ready(me), to: personas.owner.id)
        personas.deliverToVisitors(.ready(me))
    }

    /// Who this node is.
    package var me: Me { me(personas.owner) }
}
