import LatticeConcurrency
package import LatticeCore
package import Logging

/// Finds peers on the local network and lets them find us; it never connects.
package final class Discovery: Sendable {
    private enum Message: Sendable {
        case report(ResponderReport, DiscoveryMachine.Session)
        case rename(PeerName)
        case refresh
        case tick
        case retag(UInt32)
        case inform(DiscoveryInfo)
        case roles(DiscoveryRoles)
    }

    /// Space for finding and losing every peer once at all its addresses.
    static let eventCountMax = 2 * SightingTable.peerCountMax * SightingTable.addressCountMax
    /// How often the interfaces are checked; it costs a tenth of a millisecond.
    static let tickDelay = Duration.seconds(1)
    /// A goodbye takes milliseconds; a daemon that hangs must not keep the program from ending.
    static let farewellMillisecondsMax: Int32 = 2_000

    /// Events in order. For one reader; ends with `run`.
    package let events: AsyncStream<DiscoveryEvent>

    private let outlet: BoundedOutlet<DiscoveryEvent>
    private let inbox: AsyncStream<Message>
    private let inboxOutlet: BoundedOutlet<Message>
    private let mode: DiscoveryMode
    private let interface: String?
    private let roles: DiscoveryRoles
    private let advertisement: Advertisement
    private let logger: Logger

    /// - Parameters:
    ///   - interface: the name of the only network interface to use; `nil` for all.
    ///   - roles: what to do at first; with none, nothing reaches the network before `play`.
    package init(
        mode: DiscoveryMode, interface: String?, advertisement: Advertisement, roles: DiscoveryRoles = .both,
        logger: Logger
    ) {
        self.roles = roles
        self.mode = mode
        self.interface = interface
        self.advertisement = advertisement
        self.logger = logger
        (events, outlet) = BoundedOutlet.make("discovery events", countMax: Self.eventCountMax, logger: logger)
        (inbox, inboxOutlet) = BoundedOutlet.make("responder reports", countMax: Self.eventCountMax, logger: logger)
    }

    /// Advertises and browses, as its roles say, until the task is cancelled. Then it withdraws the announcements, so that
    /// others notice at once, and returns. Call it once.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.tick() }
            await supervise()
            group.cancelAll()
        }
        outlet.finish()
    }

    /// Announces us under another instance name.
    package func rename(_ name: PeerName) {
        inboxOutlet.send(.rename(name))
    }

    /// Announces another mesh tag; that of a closed mesh changes every day.
    package func retag(_ meshTag: UInt32) {
        inboxOutlet.send(.retag(meshTag))
    }

    /// Announces something else about us.
    package func inform(_ info: DiscoveryInfo) {
        inboxOutlet.send(.inform(info))
    }

    /// From now on does this. What was found is reported as lost when browsing ends.
    package func play(_ roles: DiscoveryRoles) {
        inboxOutlet.send(.roles(roles))
    }

    /// Looks up everybody again soon: somebody came or went, and may come back under the same name with another port.
    package func refresh() {
        inboxOutlet.send(.refresh)
    }

    /// Checks the interfaces now instead of at the next tick.
    package func networkChanged() {
        inboxOutlet.send(.tick)
    }

    private func tick() async {
        // Without discovery there are no interfaces to check.
        guard mode != .off else { return }
        do {
            try await Task.sleep(for: DiscoveryMachine.answerDelayMax)
            while true {
                inboxOutlet.send(.tick)
                try await Task.sleep(for: Self.tickDelay)
            }
        } catch {
            return  // cancelled
        }
    }

    private func supervise() async {
        var desk = Desk(discovery: self)
        desk.began()
        for await message in inbox { desk.heed(message) }
        inboxOutlet.finish()
        await desk.close()
    }

    /// Carries out what the machine decides. Lives as long as `run`.
    private struct Desk {
        private let discovery: Discovery
        private var machine: DiscoveryMachine
        private var order: Order
        private var responders: [DiscoveryMachine.Session: Orders] = [:]
        private var ending: [Orders] = []
        private var refusedCountToLog = 1
        private var hasBegun = false

        init(discovery: Discovery) {
            self.discovery = discovery
            machine = DiscoveryMachine(mode: discovery.mode, ownPeer: discovery.advertisement.peer)
            order = Order(
                advertisement: discovery.advertisement, roles: discovery.roles, interface: .all, addresses: [])
        }

        mutating func began() {
            begin()
        }

        /// No responder starts before there is something to do.
        private mutating func begin() {
            guard !hasBegun, !order.roles.isEmpty else { return }
            hasBegun = true
            lookAtNetwork()
            carryOut(.began)
        }

        mutating func heed(_ message: Message) {
            switch message {
            case .report(let report, let session):
                discovery.log(report, session)
                carryOut(.report(report, session))
                logRefused()
            case .rename(let name):
                order.advertisement.name = name
                spreadOrder()
            case .retag(let meshTag):
                order.advertisement.meshTag = meshTag
                spreadOrder()
            case .refresh:
                order.refreshes += 1
                spreadOrder()
            case .inform(let info):
                order.advertisement.info = info
                spreadOrder()
            case .roles(let roles):
                order.roles = roles
                spreadOrder()
                begin()
            case .tick:
                guard hasBegun else { return }
                lookAtNetwork()
                carryOut(.woke)
            }
        }

        /// Ends every thread, and waits for their goodbyes.
        mutating func close() async {
            for orders in responders.values { orders.change { $0.isEnding = true } }
            let threads = ending + responders.values
            responders = [:]
            await withCheckedContinuation { continuation in
                DedicatedThread.start {
                    for orders in threads { orders.end.wait(millisecondsMax: Discovery.farewellMillisecondsMax) }
                    continuation.resume()
                }
            }
        }

        private mutating func lookAtNetwork() {
            guard discovery.mode != .off else { return }
            let interfaces = InterfaceReader.read()
            order.interface = InterfaceChoice(discovery.interface, among: interfaces)
            order.addresses = NetworkJudgement.published(interfaces, wanted: discovery.interface)
            spreadOrder()
            carryOut(.network(NetworkJudgement.trouble(interfaces, wanted: discovery.interface)))
        }

        private func spreadOrder() {
            for orders in responders.values { orders.change { $0 = order } }
        }

        private mutating func carryOut(_ event: DiscoveryMachine.Event) {
            for effect in machine.handle(event, at: MonotonicClock.now()) {
                switch effect {
                case .start(let session): start(session)
                case .end(let session): end(session)
                case .tell(let event): discovery.outlet.send(event)
                }
            }
        }

        /// Logs faults of strangers: the first one, and whenever their count has doubled.
        private mutating func logRefused() {
            guard machine.refusedCount >= refusedCountToLog else { return }
            refusedCountToLog = 2 * machine.refusedCount
            let count: Logger.MetadataValue = "\(machine.refusedCount)"
            discovery.logger.debug("announcements skipped", metadata: ["count": count])
        }

        private mutating func start(_ session: DiscoveryMachine.Session) {
            let orders = Orders(order)
            responders[session] = orders
            let inbox = discovery.inboxOutlet
            let report: Reporting = { inbox.send(.report($0, session)) }
            switch session.source {
            case .system: SystemResponder.start(orders, report: report)
            case .embedded: EmbeddedResponder.start(orders, report: report)
            case .given, .neighbour: preconditionFailure("what people say has no thread")
            }
        }

        private mutating func end(_ session: DiscoveryMachine.Session) {
            guard let orders = responders.removeValue(forKey: session) else { return }
            orders.change { $0.isEnding = true }
            // Forgets threads that have ended: each holds four descriptors.
            ending.removeAll { $0.end.wait(millisecondsMax: 0) }
            ending.append(orders)
        }
    }

    private func log(_ report: ResponderReport, _ session: DiscoveryMachine.Session) {
        let source: Logger.MetadataValue = "\(session.source.rawValue)"
        switch report {
        case .absent: logger.debug("no responder found", metadata: ["source": source])
        case .answered: logger.debug("responder found", metadata: ["source": source])
        case .running(let label):
            guard let label else { return logger.info("browsing", metadata: ["source": source]) }
            logger.info("announced", metadata: ["source": source, "name": "\(DisplayText.safe(label))"])
        case .stopped: logger.info("responder stopped", metadata: ["source": source])
        case .refused(let reason):
            logger.warning("responder refused the request", metadata: ["source": source, "reason": "\(reason)"])
        case .crowded: logger.warning("too many announcements; some are ignored", metadata: ["source": source])
        case .seen, .gone: break
        }
    }
}
