import LatticeConcurrency
import LatticeCore
import LatticeMesh
import LatticeStore
import Logging
import Synchronization

/// Reconciles the store with neighbours' stores, one step at a time, beside the node's loop.
///
/// New writes are read when the next step needs them, and once a second for records that left the store. So storing a line
/// costs no read here.
final class Reconciliation: Sendable {
    /// Retry interval for an unreadable store: after a repair nothing has to be restarted.
    private static let loadDelay: Duration = .seconds(10)

    private struct State {
        var queue = ComparisonQueue()
        /// The store changed since the catalogue was updated.
        var isBehind = false
        /// Departures from the store have to be read now.
        var isLookDue = false
    }

    private let catalogue: Catalogue
    private let state = Mutex(State())
    private let signal = Signal()

    init(store: Store) {
        catalogue = Catalogue(store: store)
    }

    /// Queued steps.
    var count: Int { state.withLock(\.queue.count) }
    /// Arrival of the oldest step.
    var oldest: Instant? { state.withLock(\.queue.oldest) }

    func add(_ work: ComparisonWork) {
        state.withLock { $0.queue.add(work, at: Clocks.now) }
        signal.raise()
    }

    func closed(_ link: LinkID) {
        state.withLock { $0.queue.closed(link) }
    }

    /// The store gained or lost records.
    func storeChanged() {
        state.withLock { $0.isBehind = true }
    }

    /// Called once a second.
    func look() {
        let isDue = state.withLock { state in
            state.isLookDue = state.isBehind
            return state.isBehind
        }
        if isDue { signal.raise() }
    }

    func run(for node: Node) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                guard await self.load(for: node) else { return }
                // Before that, neighbours who ask would only be sent away until later.
                await self.begins(for: node)
            }
            while !Task.isCancelled {
                await signal.wait()
                if state.withLock(\.isLookDue) { await follow(for: node) }
                while !Task.isCancelled, let next = state.withLock({ $0.queue.next() }) {
                    await follow(for: node)
                    switch next {
                    case .refusal(let work): await report(ComparisonOutcome(work, .unready), to: node)
                    case .step(let work): await report(await catalogue.outcome(of: work), to: node)
                    }
                }
            }
        }
    }

    /// - Returns: whether the store was read; otherwise the node is stopping.
    private func load(for node: Node) async -> Bool {
        while true {
            do {
                try await catalogue.load()
                storeChanged()
                return true
            } catch {
                if Task.isCancelled { return false }
                await report(error, to: node)
                do {
                    try await Task.sleep(for: Self.loadDelay)
                } catch {
                    return false  // Cancelled: the node is stopping.
                }
            }
        }
    }

    private func follow(for node: Node) async {
        guard await catalogue.isLoaded else { return }
        let isBehind = state.withLock { state in
            defer { (state.isBehind, state.isLookDue) = (false, false) }
            return state.isBehind
        }
        guard isBehind else { return }
        do {
            let gone = try await catalogue.follow()
            if !gone.forGood.isEmpty || gone.mayReturn { await report(gone, to: node) }
        } catch {
            storeChanged()
            if !Task.isCancelled { await report(error, to: node) }
        }
    }
}

// What reconciliation reports to the mesh.
extension Reconciliation {
    private func begins(for node: isolated Node) async {
        await node.maintenance?.announceKeeping(for: node)
    }

    /// Records already queued for the store need not be fetched.
    private func report(_ outcome: ComparisonOutcome, to node: isolated Node) {
        guard node.links[outcome.work.link] != nil else { return }
        guard case .step(let reply, let have, let need) = outcome.result, !node.ingest.waiting.isDone else {
            return node.handle(.compared(outcome))
        }
        let missing = need.filter { !node.ingest.waiting.contains($0) }
        node.handle(.compared(ComparisonOutcome(outcome.work, .step(reply: reply, have: have, need: missing))))
    }

    private func report(_ gone: Catalogue.Departures, to node: isolated Node) {
        if !gone.forGood.isEmpty { node.handle(.dropped(gone.forGood)) }
        if gone.mayReturn { node.handle(.syncWanted) }
    }

    private func report(_ error: StoreError, to node: isolated Node) {
        node.notifier.reportOnce(error, for: node)
    }
}
