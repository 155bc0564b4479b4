import LatticeAPI
import LatticeCore
import Synchronization

/// A visitor who is here: what their browsers ask goes to the node in their name.
final class VisitorSeat: Sendable {
    private struct State {
        var usedAt: Instant
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
    private let listening: Task<Void, Never>

    init(_ account: String, _ node: any Visitor, _ limits: HTTPLimits, boot: String, at now: Instant) {
        (self.account, self.node) = (account, node)
        var limits = limits
        limits.ringMax = Self.ringMax
        let hub = StreamHub(limits, boot: boot)
        self.hub = hub
        state = Mutex(State(usedAt: now))
        listening = Task { await hub.run(await node.events()) }
    }

    func touch(at now: Instant) { state.withLock { $0.usedAt = now } }

    /// Whether one more change is allowed now.
    func mayWrite(at now: Instant) -> Bool { state.withLock { $0.bucket.take(of: Self.writes, at: now) } }

    func isIdle(since limit: Instant) async -> Bool {
        guard state.withLock({ $0.usedAt < limit }) else { return false }
        return await hub.listenersCount == 0
    }

    func leave() async {
        listening.cancel()
        await hub.end()
        await node.leave()
    }
}
