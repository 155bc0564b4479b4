import DequeModule
import LatticeConcurrency
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeStore
import LatticeWire
import Logging
import Synchronization

/// Serves what neighbours fetch: records are read from the store only as fast as a link takes them.
final class RecordServer: Sendable {
    /// Bytes that may wait on a link: few batches of its writer, so that a new line is delayed only briefly, and a quarter of what a
    /// link may hold before relayed records are held back.
    private static let waitingBytesMax = 256 << 10
    /// The next portion is read at this level, while the writer is still busy with the last batch.
    private static let waitingBytesMin = 128 << 10
    /// A neighbour that takes nothing for this long has asked others meanwhile, so its requests are dropped.
    private static let patience: Duration = .seconds(20)

    private let store: Store?
    private let clock: NodeClock
    private let metrics: NodeMetrics
    private let logger: Logger
    private let serving = Mutex(Serving())
    /// Links that are served from now on.
    private let starting = Mutex(Deque<Link>())
    private let linksMax: Int
    private let signal = Signal()

    /// - Parameters:
    ///   - store: `nil` serves nothing, and answers so.
    ///   - linksMax: links served at a time.
    init(store: Store?, clock: NodeClock, metrics: NodeMetrics, logger: Logger, linksMax: Int) {
        (self.store, self.clock, self.metrics, self.logger) = (store, clock, metrics, logger)
        self.linksMax = linksMax
    }

    var isIdle: Bool { serving.withLock(\.isEmpty) }
    /// Queued ids.
    var count: Int { serving.withLock(\.count) }
    /// Arrival of the oldest id.
    var oldest: Instant? { serving.withLock(\.oldest) }

    /// A neighbour requests these. It immediately gets the ids that it will not be sent.
    ///
    /// - Parameter isUrgent: whether a record is served before others.
    func serve(_ ids: [RecordID], to link: Link, isUrgent: (RecordID) -> Bool) {
        guard !link.isClosing else { return }
        guard store != nil else { return sendLack(of: ids, to: link) }
        let (refused, isAtWork) = serving.withLock { serving in
            var queue = serving[link.id] ?? ServingQueue()
            let isAtWork = serving[link.id] != nil
            let refused = queue.add(ids, isUrgent: isUrgent, at: Clocks.now)
            serving[link.id] = queue
            return (refused, isAtWork)
        }
        guard !isAtWork else { return sendLack(of: refused, to: link) }
        if start(link) { return sendLack(of: refused, to: link) }
        closed(link.id)
        sendLack(of: ids, to: link)
    }

    /// - Returns: `false` if too many links are served.
    private func start(_ link: Link) -> Bool {
        let hasStarted = starting.withLock { starting in
            guard starting.count < linksMax else { return false }
            starting.append(link)
            return true
        }
        if hasStarted { signal.raise() }
        return hasStarted
    }

    func closed(_ link: LinkID) {
        serving.withLock { $0[link] = nil }
    }

    /// One task for each link being served.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                await signal.wait()
                while !Task.isCancelled, let link = starting.withLock({ $0.popFirst() }) {
                    group.addTask { await self.serveAll(to: link) }
                }
            }
        }
    }

    private func serveAll(to link: Link) async {
        while let (ids, isUrgent) = next(for: link), let store {
            do {
                let records = try await store.catalogue.served(ids, at: clock.now)
                let bytes = records.reduce(0) { $0 + $1.record.bytes.count }
                for (record, age) in records {
                    let frame = Frame.serve(ServedRecord(ageSeconds: age, signed: record)).bytes
                    guard link.send(frame, isUrgent ? .urgent : .usual) else { break }
                    metrics.sent(.serve)
                }
                if records.count < ids.count { sendLack(of: ids, but: records.map(\.record), to: link) }
                serving.withLock {
                    $0.sent(records.count, bytes: bytes, to: link.id, of: link.peer.peer, at: Clocks.now)
                }
            } catch {
                logger.debug("could not read the requested records", metadata: ["error": "\(error)"])
                sendLack(of: ids, to: link)
            }
            await waitUntilDrained(link)
            await waitForBudget(of: link)
        }
    }

    /// - Returns: `nil` when this link is done.
    private func next(for link: Link) -> (ids: [RecordID], isUrgent: Bool)? {
        serving.withLock { serving in
            guard let queue = serving[link.id], !queue.isEmpty, !link.isClosing else {
                serving[link.id] = nil
                return nil
            }
            return serving[link.id]?.next()
        }
    }

    /// A neighbour that fetches more than any peer stores is rate-limited.
    private func waitForBudget(of link: Link) async {
        while !link.isClosing, let wait = budgetWait(of: link) {
            do {
                try await Task.sleep(for: wait)
            } catch {
                return  // Cancelled: the node is stopping.
            }
        }
    }

    private func budgetWait(of link: Link) -> Duration? {
        let now = Clocks.now
        return serving.withLock { $0.waitsUntil(link.peer.peer, at: now) }.map { now.duration(to: $0) }
    }

    private func waitUntilDrained(_ link: Link) async {
        guard link.waitingBytes > Self.waitingBytesMax else { return }
        let end = Clocks.now.advanced(by: Self.patience)
        while link.waitingBytes > Self.waitingBytesMin, !link.isClosing {
            guard Clocks.now < end else { return serving.withLock { $0[link.id] = ServingQueue() } }
            await link.drained(below: Self.waitingBytesMin, atMost: Self.patience)
        }
    }

    /// Sends the ids that the store does not have.
    private func sendLack(of ids: [RecordID], but records: [SignedRecord], to link: Link) {
        let found = Set(records.map { RecordID(Digest.blake2b256($0.bytes)) })
        sendLack(of: ids.filter { !found.contains($0) }, to: link)
    }

    private func sendLack(of ids: [RecordID], to link: Link) {
        for start in stride(from: 0, to: ids.count, by: RecordIDs.countMax) {
            let part = Array(ids[start..<min(start + RecordIDs.countMax, ids.count)])
            if link.send(Frame.lack(RecordIDs(part)).bytes) { metrics.sent(.lack) }
        }
    }
}
