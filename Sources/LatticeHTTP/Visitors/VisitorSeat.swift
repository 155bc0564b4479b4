import LatticeAPI
import LatticeConcurrency
import LatticeCore
import Synchronization

/// A visitor who is here: what their browsers ask goes to the node in their name.
final class VisitorSeat: Sendable {
    private struct State {
        var usedAt: Instant
        var isOver = false
        var bucket = TokenBucket()
    }

    /// Past events with which an interrupted stream can continue.
    private static let ringMax = 128
    /// Requests that change something.
    private static let writes = TokenBucket.Rate(perSecond: 2, burst: 40)

    let account: String
    let node: any Visitor
    let hub: StreamHub
    private let state: Mutex<State>
    private let now: @Sendable () -> Instant
    /// What the node tells them, from their coming on.
    private let events: NodeEvents
    private let left = Signal()

    /// It listens while `run` runs.
    init(
        _ account: String, _ node: any Visitor, _ events: NodeEvents, _ limits: HTTPLimits, boot: String,
        now: @escaping @Sendable () -> Instant
    ) {
        (self.account, self.node, self.events) = (account, node, events)
        var limits = limits
        limits.ringMax = Self.ringMax
        hub = StreamHub(limits, boot: boot)
        self.now = now
        state = Mutex(State(usedAt: now()))
    }

    /// Passes events on until they leave, or the node sends them away.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.hub.run(self.events) }
            group.addTask { await self.left.wait() }
            await group.next()
            group.cancelAll()
        }
        // The server ends: everybody leaves at once when the last requests are answered.
        guard !Task.isCancelled else { return }
        await hub.close()
        state.withLock { $0.isOver = true }
    }

    /// The node sent them away.
    var isOver: Bool { state.withLock { $0.isOver } }

    func touch(at now: Instant) { state.withLock { $0.usedAt = now } }

    /// The node in their name. Each request keeps them here, so that a long transfer does not end.
    var asking: any MeshNode { SeatNode(seat: self) }

    fileprivate func touch() { touch(at: now()) }

    /// Whether one more change is allowed now.
    func mayWrite(at now: Instant) -> Bool { state.withLock { $0.bucket.take(of: Self.writes, at: now) } }

    func isUnused(since limit: Instant) -> Bool { state.withLock { $0.usedAt < limit } }

    func isIdle(since limit: Instant) async -> Bool {
        guard isUnused(since: limit) else { return false }
        return await hub.listenersCount == 0
    }

    func leave() async {
        left.raise()
        await hub.close()
        await node.leave()
    }
}

private struct SeatNode: MeshNode {
    let seat: VisitorSeat

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        seat.touch()
        return try await seat.node.perform(request)
    }

    func events() async -> NodeEvents { await seat.node.events() }
}
