package import LatticeAPI
import LatticeConcurrency
package import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeWire

/// Copies records between a node and a broker that keeps no history, until the node ends.
///
/// Out: the node's records are published in the order of its store. In: what others publish is put into the node as it comes.
/// What was missed is found by comparing with another bridge, and asked for; the answers are ordinary records, so that all who
/// lack them get them at once. So everything is everywhere as long as two bridges meet of which one has it.
package actor LiveBridge: EngineBridge {
    /// Records that are compared: each takes 40 bytes. If there are more, the oldest are left out.
    static let itemsMax = 250_000
    /// A record that expires sooner is neither published nor compared.
    static let lifeMin: Duration = .seconds(60)
    /// After a longer gap the broker may have kept less than all.
    private static let gapMax: Duration = .seconds(30)
    private static let tickLength: Duration = .milliseconds(250)
    private static let outboxMax = 256
    /// How long those who lack something may go on asking before a bridge that runs once ends.
    private static let holdMax: Duration = .seconds(600)

    private let executor = BlockingExecutor("lattice.live")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let node: any MeshNode & FeedNode
    let broker: any LiveBroker
    let wrapping: LiveWrapping
    let topics: LiveTopics
    let state: LiveState
    let time: BridgeTime
    let itemsMax: Int
    let me: LiveBridgeID
    var random: SeededGenerator
    /// The records that are compared with other bridges.
    var items = ReconciliationSet()
    /// Earlier records are not compared.
    var floor: UInt64 = 0
    /// What the node did not take, or does not have any more: nobody is asked for it.
    var unwanted = RecentSet<Bytes32>(countMax: 65_536)
    /// What was just published comes back.
    var echoes = RecentSet<RecordID>(countMax: 8_192)
    var asker: LiveAsker
    var answerer = LiveAnswerer()
    /// The confirmed position of the feed.
    var fed: FeedPosition?
    var flow = LiveFlow()
    var link = LiveLink()
    private var outbox: [LiveMessage] = []
    private let outboxSignal = Signal()
    package var openFeed: Int? { flow.feed }
    package internal(set) var status = BridgeStatus()

    /// - Parameters:
    ///   - random: for waits and for numbers of questions.
    ///   - itemsMax: how many records are compared.
    package init(
        node: any MeshNode & FeedNode, broker: any LiveBroker, wrapping: LiveWrapping, state: LiveState,
        time: BridgeTime, random: SeededGenerator, itemsMax: Int = LiveBridge.itemsMax
    ) {
        (self.node, self.broker, self.wrapping, self.state, self.time) = (node, broker, wrapping, state, time)
        (self.random, self.itemsMax) = (random, itemsMax)
        me = state.bridge
        topics = LiveTopics(tag: wrapping.tag, me: me)
        asker = LiveAsker(me: me)
    }

    /// - Throws: `RequestError` if the node has ended or does not understand, `BrokerFault` if the broker refuses us,
    ///   `BridgeState.Fault` if the file cannot be written.
    package func run() async throws {
        (fed, items, floor) = (try state.feed(), try state.compared(), try state.floor())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.listen() }
            group.addTask { try await self.readFeed() }
            group.addTask { try await self.publishFeed() }
            group.addTask { try await self.answerWants() }
            group.addTask { try await self.sendNotes() }
            group.addTask { try await self.tick() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    package func close() throws { try state.close() }

    /// The node's records are published, nothing is missing of what the others who are here have, and who lacks something has had
    /// the time to ask for it.
    package var isComplete: Bool {
        link.isUp && link.isFed && asker.isSettled(at: time.now()) && !isHolding && status.obstacleIn == nil
            && status.obstacleOut == nil
    }

    private var isHolding: Bool {
        guard let told = asker.toldLackingAt else { return false }
        let last = min(max(answerer.askedAt ?? told, told), told + Self.holdMax)
        return time.now() - last <= LiveAsker.patience
    }

    // MARK: - The broker comes and goes

    func connected(hasSession: Bool) {
        let now = time.now()
        let isShort = link.lostAt.map { now - $0 <= Self.gapMax } ?? false
        link.up()
        status.obstacleIn = nil
        asker.connected(mayHaveMissed: !hasSession || !isShort, at: now)
    }

    func disconnected(_ why: String) {
        link.down(at: time.now())
        status.isLive = false
        asker.disconnected()
        answerer.removeAll()
        outbox = []
        status.obstacleIn = .broker(.unreachable(why))
    }

    // MARK: - What is said to other bridges

    private func tick() async throws {
        var pruned = time.now()
        while !Task.isCancelled {
            await time.sleep(Self.tickLength)
            let now = time.now()
            if now - pruned >= .seconds(10) {
                pruned = now
                try expire()
            }
            status.bridges = asker.presence.count
            // There are no streams here; this is the sum.
            status.behind = asker.missing == 0 ? [:] : [.week: UInt64(asker.missing)]
            // A look at the others with nothing found is no news.
            status.isLive = link.isUp && link.isFed && asker.missing == 0 && (status.isLive || asker.isSettled(at: now))
            guard link.isUp else { continue }
            var sink: [LiveAsker.Sending] = []
            asker.tick(items, from: floor, at: now, using: &random, &sink)
            send(sink)
            if answerer.isDue(at: now) { link.answerSignal.raise() }
            lookForEcho(at: now)
        }
    }

    private func lookForEcho(at now: Duration) {
        let deafness = BridgeStatus.Obstacle.broker(
            .refused(
                "what we publish does not come back; a right to read or write lattice/1/\(wrapping.tag)/# may be missing"
            ))
        if asker.presence.isDeaf(at: now) {
            status.obstacleIn = deafness
        } else if status.obstacleIn == deafness {
            status.obstacleIn = nil
        }
    }

    private func expire() throws {
        let end = time.wallTime().milliseconds + Self.lifeMin.nanoseconds / 1_000_000
        for item in try state.expire(by: WallTime(milliseconds: end)) {
            if let compared = item.compared { items.remove(compared) }
        }
    }

    func send(_ sendings: [LiveAsker.Sending]) {
        for sending in sendings {
            let topic =
                switch sending.to {
                case .all: topics.greetings
                case .questions(let bridge): topics.questions(to: bridge)
                }
            send(sending.content, on: topic)
        }
    }

    /// What does not fit is dropped: who waits for it asks again.
    func send(_ content: LiveNote.Content, on topic: String) {
        guard outbox.count < Self.outboxMax else { return }
        outbox.append(wrapping.message(of: LiveNote(from: me, content), on: topic))
        outboxSignal.raise()
    }

    private func sendNotes() async throws {
        while !Task.isCancelled {
            await outboxSignal.wait()
            while !outbox.isEmpty, !Task.isCancelled {
                let messages = outbox
                outbox = []
                _ = await broker.publish(messages)
            }
        }
    }

    // MARK: - What is compared

    /// - Parameter position: how far the feed has come with them, if they are the node's own.
    func keep(_ kept: [LiveItem], fed position: FeedPosition? = nil) throws {
        let kept = kept.filter { $0.created.rawValue >= floor }
        if let position { try state.fed(position, kept) } else { try state.keep(kept) }
        for item in kept {
            if let compared = item.compared { items.insert(compared) }
        }
        guard items.count > itemsMax else { return }
        let dropped = items.count - itemsMax + itemsMax / 16
        var oldest: [ReconciliationItem] = []
        items.forEach(in: 0..<dropped) { oldest.append($0) }
        for item in oldest { items.remove(item) }
        floor = items.count > 0 ? items.item(at: 0).timestamp : floor
        try state.raise(floor: floor, without: oldest.map { RecordID($0.id) })
    }

    /// The node has another store.
    func beginAnew() throws {
        try state.beginAnew()
        (fed, items, floor) = (nil, ReconciliationSet(), 0)
        flow.end()
        unwanted.removeAll()
        echoes.removeAll()
        link.isFed = false
        asker.wish(at: time.now())
    }
}

extension LiveState {
    /// How other bridges address this one.
    package var bridge: LiveBridgeID { LiveBridgeID(rawValue: derived("lattice bridge live v1")) }

    /// Under this name the broker keeps what comes while we are away. Others do not learn it, since a broker ends a connection
    /// when another one takes its name.
    package var client: String { "lattice" + LiveBridgeID(rawValue: derived("lattice bridge client v1")).hex }

    private func derived(_ purpose: String) -> UInt64 { Digest.blake2b256(Array(purpose.utf8) + name).leadingWord }
}
