import LatticeAPI
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
    private let listening = Mutex<Task<Void, Never>?>(nil)

    init(
        _ account: String, _ node: any Visitor, _ limits: HTTPLimits, boot: String,
        now: @escaping @Sendable () -> Instant
    ) {
        (self.account, self.node) = (account, node)
        var limits = limits
        limits.ringMax = Self.ringMax
        let hub = StreamHub(limits, boot: boot)
        self.hub = hub
        self.now = now
        state = Mutex(State(usedAt: now()))
        let task = Task { [weak self] in
            await hub.run(await node.events())
            await hub.close()
            self?.state.withLock { $0.isOver = true }
        }
        listening.withLock { $0 = task }
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
        listening.withLock { $0 }?.cancel()
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
