import LatticeCore
import LatticeStore
import Synchronization

/// The current time for everything that dates something: the node, its store's commands and every handshake.
final class NodeClock: Sendable {
    private let readMachine: @Sendable () -> WallTime
    private let state: Mutex<State>

    private struct State {
        var wallClock: WallClock
        var judge: TimeJudge
    }

    /// - Parameter machine: reads the machine's clock; replaced in tests.
    init(machine: @escaping @Sendable () -> WallTime = Clocks.machine) {
        readMachine = machine
        let start = Clocks.now
        state = Mutex(State(wallClock: WallClock(start: start), judge: TimeJudge(start: start)))
    }

    var now: WallTime {
        let machine = machine
        return state.withLock { $0.wallClock.time(machine: machine, at: Clocks.now) }
    }

    /// The machine's own clock, however wrong.
    var machine: WallTime { readMachine() }

    var source: WallClock.Source {
        let machine = machine
        return state.withLock { $0.wallClock.source(machine: machine) }
    }

    /// Sent to neighbours. A merely counted time is withheld, as they would take it for a real clock.
    var told: WallTime {
        source == .counted ? machine : now
    }

    func wasLater(than date: WallTime) {
        state.withLock { $0.wallClock.wasLater(than: date) }
    }

    /// The newest date in a store, as far as it can be read.
    func learn(from wallClock: Archive?) async -> HybridTime {
        guard let wallClock else { return HybridTime(rawValue: 0) }
        do {
            return try await learn(from: wallClock.store)
        } catch {
            return HybridTime(rawValue: 0)  // Writers to the store get the error.
        }
    }

    /// Reads the newest date in a store, for a machine that does not know the time.
    func learn(from store: Store) async throws(StoreError) -> HybridTime {
        let newest = try await store.ownClock()
        wasLater(than: newest.wallTime)
        return newest
    }

    /// A neighbour's clock arrived with its handshake.
    func linked(_ peer: PeerID, clock: WallTime) -> [ClockNews] {
        judge { $0.linked(peer, clock: clock, &$1, machine: $2, at: $3) }
    }

    func unlinked(_ peer: PeerID) {
        state.withLock { $0.judge.opinions.unlinked(peer) }
    }

    /// The date of a presence, which comes only from its author's clock.
    func heard(_ author: PeerID, said date: WallTime) -> ClockNews? {
        judge { judge, wallClock, machine, now in
            judge.opinions.heard(author, said: date, at: now)
            return judge.verdict(on: author, ours: wallClock.time(machine: machine, at: now), at: now)
        }
    }

    /// Called once a second.
    func look() -> (hasLeapt: Bool, news: [ClockNews]) {
        judge { $0.look(&$1, machine: $2, at: $3) }
    }

    /// How far the machine's clock is ahead of the median of others, and how many there are; `nil` if none is known.
    var lead: (Duration, peers: Int)? {
        judge { judge, _, machine, now in judge.opinions.lead(of: machine, at: now) }
    }

    /// Whether expired records may be removed.
    var mayExpire: Bool {
        judge { judge, wallClock, machine, now in
            judge.mayExpire(
                time: wallClock.time(machine: machine, at: now), source: wallClock.source(machine: machine), at: now)
        }
    }

    private func judge<Answer: Sendable>(
        _ question: (inout TimeJudge, inout WallClock, _ machine: WallTime, _ now: Instant) -> Answer
    ) -> Answer {
        let machine = machine
        return state.withLock { question(&$0.judge, &$0.wallClock, machine, Clocks.now) }
    }
}
