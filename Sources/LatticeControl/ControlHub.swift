import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeGeo
import NIOCore

/// Sends events to subscribers; equal subscriptions share the encoding. The first event is sent at once, and those in the next
/// few milliseconds together, so that many lines need few writes for any number of subscribers.
actor ControlHub {
    /// Too short for a person to notice; at a thousand lines a second it combines ten lines into one write.
    private static let gatherInterval: Duration = .milliseconds(10)
    /// This many events are sent at once.
    private static let gatheredMax = 128
    /// More posts in one batch are replaced by `changed(.many)`: during a full sync they would crowd out all other events.
    private static let placedMax = 16

    private typealias Feed = NIOLoopBound<ControlFeed>

    private struct Reader {
        let feed: Feed
        let eventLoop: any EventLoop
    }

    /// An item near a place that a subscription watches.
    private struct Look: Sendable {
        let item: PlacedItem
        let from: Coordinate
    }

    private let node: any MeshNode
    /// Subscribers by number, grouped by equal subscriptions.
    private var readers: [ControlSubscription: [Int: Reader]] = [:]
    private var wishes: [Int: ControlSubscription] = [:]
    private var lastReader = 0
    private(set) var clientsCount = 0
    private var idleInputs: [AsyncStream<Never>.Continuation] = []
    private var gathered: [NodeEvent] = []
    private var isGathering = false
    private let mustGather = Signal()
    private let looks: AsyncStream<Look>
    private let lookInput: AsyncStream<Look>.Continuation
    /// Whether this peer listens and discovers others.
    private(set) var isReady = false
    /// The node is asked for its events only while somebody reads them: each would wake this hub.
    private var isSubscribed = true
    private var subscription: NodeEvents?
    private let hasSubscription = Signal()

    init(node: any MeshNode) {
        self.node = node
        (looks, lookInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(ControlLimit.eventsWaitingMax))
    }

    // MARK: - Clients

    /// - Returns: whether a slot for one more client was free.
    func admit() -> Bool {
        guard clientsCount < ControlLimit.clientsMax else { return false }
        clientsCount += 1
        return true
    }

    func leave() {
        clientsCount -= 1
        guard clientsCount == 0 else { return }
        for input in idleInputs { input.finish() }
        idleInputs = []
    }

    /// - Returns: a stream that ends when no client is connected.
    func idle() -> AsyncStream<Never> {
        let (stream, input) = AsyncStream<Never>.makeStream()
        if clientsCount == 0 { input.finish() } else { idleInputs.append(input) }
        return stream
    }

    /// - Returns: the number for `remove`.
    func add(
        _ wish: ControlSubscription, _ feed: NIOLoopBound<ControlFeed>, on eventLoop: any EventLoop
    ) async -> Int {
        // A new subscriber does not get events from before.
        deliverGathered()
        lastReader += 1
        let number = lastReader
        readers[wish, default: [:]][number] = Reader(feed: feed, eventLoop: eventLoop)
        wishes[number] = wish
        await subscribe()
        return number
    }

    private func subscribe() async {
        guard !isSubscribed else { return }
        let events = await node.events()
        guard !isSubscribed else { return events.leave() }
        isSubscribed = true
        subscription = events
        hasSubscription.raise()
    }

    func remove(_ number: Int) {
        guard let wish = wishes.removeValue(forKey: number) else { return }
        readers[wish]?[number] = nil
        if readers[wish]?.isEmpty == true { readers[wish] = nil }
    }

    // MARK: - Telling

    func run(_ events: NodeEvents) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.gather() }
            // Reading the store has time.
            group.addTask(executorPreference: globalConcurrentExecutor) { await self.look() }
            var events = events
            while await follow(events), let next = await nextSubscription() { events = next }
            deliverGathered()
            group.cancelAll()
        }
    }

    /// - Returns: `false` if the node has ended; `true` if nobody wants its events.
    private func follow(_ events: NodeEvents) async -> Bool {
        // The first event is readiness, which later subscriptions do not have.
        for await event in events {
            happened(event)
            guard readers.isEmpty else { continue }
            isSubscribed = false
            events.leave()
            return true
        }
        return false
    }

    /// - Returns: `nil` if the task is cancelled.
    private func nextSubscription() async -> NodeEvents? {
        while subscription == nil, !Task.isCancelled { await hasSubscription.wait() }
        return subscription.take()
    }

    private func happened(_ event: NodeEvent) {
        if case .ready = event { isReady = true }
        guard !readers.isEmpty else { return }
        if case .placed(let item) = event { placed(item) }
        gathered.append(event)
        guard isGathering, gathered.count < Self.gatheredMax else { return deliverGathered() }
    }

    /// Sends gathered events once an interval while there are any.
    private func gather() async {
        while !Task.isCancelled {
            await mustGather.wait()
            do {
                try await Task.sleep(for: Self.gatherInterval)
            } catch {
                return
            }
            isGathering = false
            deliverGathered()
        }
    }

    private func deliverGathered() {
        guard !gathered.isEmpty else { return }
        let events = Self.thinned(gathered)
        gathered = []
        if !isGathering {
            isGathering = true
            mustGather.raise()
        }
        let lines = events.map { event in
            (event: event, line: readers.keys.contains { $0.wants(event) } ? ControlLine.lines(of: event).bytes : nil)
        }
        for wish in readers.keys {
            var (bytes, count) = (ByteBuffer(), 0)
            for case (let event, let line?) in lines where wish.wants(event) {
                bytes.writeImmutableBuffer(line)
                count += 1
            }
            guard count > 0 else { continue }
            let told = ControlFeed.Lines(bytes: bytes, count: count)
            tell(wish) { $0.tell(told) }
        }
    }

    private static func thinned(_ events: [NodeEvent]) -> [NodeEvent] {
        func isPlaced(_ event: NodeEvent) -> Bool { if case .placed = event { true } else { false } }
        guard events.count(where: isPlaced) > placedMax else { return events }
        return events.filter { !isPlaced($0) } + [.changed(.many)]
    }

    /// Schedules once on each event loop, for any number of subscribers.
    private func tell(_ wish: ControlSubscription, _ act: @escaping @Sendable (ControlFeed) -> Void) {
        var feeds: [(eventLoop: any EventLoop, feeds: [Feed])] = []
        for reader in (readers[wish] ?? [:]).values {
            if let index = feeds.firstIndex(where: { $0.eventLoop === reader.eventLoop }) {
                feeds[index].feeds.append(reader.feed)
            } else {
                feeds.append((reader.eventLoop, [reader.feed]))
            }
        }
        for (eventLoop, feeds) in feeds {
            eventLoop.execute { for feed in feeds { act(feed.value) } }
        }
    }

    // MARK: - Other places

    private func placed(_ item: PlacedItem) {
        for from in Set(readers.keys.compactMap { $0.looksAt(item) }) {
            guard case .dropped = lookInput.yield(Look(item: item, from: from)) else { continue }
            for wish in readers.keys where wish.looksAt(item) == from { tell(wish) { $0.miss(1) } }
        }
    }

    private func look() async {
        for await look in looks {
            let info: ItemInfo
            do {
                let request = ShowItem(ItemReference(look.item.item.hex), from: look.from)
                info = try await node.perform(request).item
                // A person's own items are not news.
                guard !info.isMine else { continue }
            } catch {
                continue  // The item is gone, or the store is.
            }
            let told = ControlLine.lines(of: .posted(info))
            for wish in readers.keys where wish.looksAt(look.item) == look.from { tell(wish) { $0.tell(told) } }
        }
    }
}
