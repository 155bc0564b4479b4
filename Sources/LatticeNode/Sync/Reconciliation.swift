import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging
import Synchronization

/// Reconciles the store with neighbours' stores, one step at a time, beside the node's loop.
///
/// What is written meanwhile is read when the next step needs it, and once a second for what left the store: so a line that is
/// stored costs no read here.
final class Reconciliation: Sendable {
    /// A store that cannot be read is tried again this often: once it is repaired, nothing need be restarted.
    private static let loadDelay: Duration = .seconds(10)

    private struct State {
        var queue = ComparisonQueue()
        /// The store changed since the catalogue followed it.
        var isBehind = false
        /// What left the store is to be known now.
        var isLookDue = false
    }

    private let catalogue: Catalogue
    private let state = Mutex(State())
    private let signals: AsyncStream<Void>
    private let input: AsyncStream<Void>.Continuation

    init(store: Store) {
        catalogue = Catalogue(store: store)
        (signals, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Steps that wait.
    var count: Int { state.withLock(\.queue.count) }
    /// When the step came that waits for the longest.
    var oldest: Instant? { state.withLock(\.queue.oldest) }

    func add(_ work: ComparisonWork) {
        state.withLock { $0.queue.add(work, at: Clocks.now) }
        input.yield()
    }

    func closed(_ link: LinkID) {
        state.withLock { $0.queue.closed(link) }
    }

    /// Something was written to the store, or left it.
    func storeChanged() {
        state.withLock { $0.isBehind = true }
    }

    /// Called once a second.
    func look() {
        let isDue = state.withLock { state in
            state.isLookDue = state.isBehind
            return state.isBehind
        }
        if isDue { input.yield() }
    }

    func run(for node: Node) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                guard await self.load(for: node) else { return }
                // Before that, neighbours who ask would only hear that they should come back later.
                await node.reconciliationBegins()
            }
            for await _ in signals {
                if state.withLock(\.isLookDue) { await follow(for: node) }
                while let next = state.withLock({ $0.queue.next() }) {
                    await follow(for: node)
                    switch next {
                    case .refusal(let work): await node.compared(ComparisonOutcome(work, .unready))
                    case .step(let work): await node.compared(await catalogue.outcome(of: work))
                    }
                }
            }
        }
    }

    /// - Returns: whether the store was read; else the node ends.
    private func load(for node: Node) async -> Bool {
        while true {
            do {
                try await catalogue.load()
                storeChanged()
                return true
            } catch {
                if Task.isCancelled { return false }
                await node.tellOnce(error)
                do {
                    try await Task.sleep(for: Self.loadDelay)
                } catch {
                    return false  // Cancelled: the node ends.
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
            if !gone.forGood.isEmpty || gone.mayReturn { await node.departed(gone) }
        } catch {
            storeChanged()
            if !Task.isCancelled { await node.tellOnce(error) }
        }
    }
}

// What the mesh hears of reconciling.
extension Node {
    func reconciliationBegins() async {
        if let wall { await tellKeeping(of: wall) }
    }

    /// What waits to be written is needed no more.
    func compared(_ outcome: ComparisonOutcome) {
        guard live[outcome.work.link] != nil else { return }
        guard case .step(let reply, let have, let need) = outcome.result, !ingest.queue.isDone else {
            return handle(.compared(outcome))
        }
        let missing = need.filter { !ingest.queue.contains($0) }
        handle(.compared(ComparisonOutcome(outcome.work, .step(reply: reply, have: have, need: missing))))
    }

    func departed(_ gone: Catalogue.Departures) {
        if !gone.forGood.isEmpty { handle(.dropped(gone.forGood)) }
        if gone.mayReturn { handle(.syncWanted) }
    }
}
