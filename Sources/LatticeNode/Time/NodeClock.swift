import LatticeCore
import LatticeStore
import Synchronization

/// What time it is, for all who put a date on something: asked by the node, by its store's commands and by every handshake.
final class NodeClock: Sendable {
    private let readMachine: @Sendable () -> WallTime
    private let clock = Mutex(WallClock(start: Clocks.now))

    /// - Parameter machine: what the machine's clock says; another in tests.
    init(machine: @escaping @Sendable () -> WallTime = Clocks.machine) {
        readMachine = machine
    }

    var now: WallTime {
        let machine = machine
        return clock.withLock { $0.time(machine: machine, at: Clocks.now) }
    }

    /// What the machine's own clock says, however wrong.
    var machine: WallTime { readMachine() }

    var source: WallClock.Source {
        let machine = machine
        return clock.withLock { $0.source(machine: machine) }
    }

    /// What neighbours are told. A time that is only counted is nobody's, and they would take it for one.
    var told: WallTime {
        source == .counted ? machine : now
    }

    func wasLater(than date: WallTime) {
        clock.withLock { $0.wasLater(than: date) }
    }

    func borrow(_ time: WallTime, of peer: PeerID) {
        clock.withLock { $0.borrow(time, of: peer, at: Clocks.now) }
    }

    /// Learns the newest date in a store, for a machine that knows none.
    func learn(from store: Store) async throws(StoreError) -> HybridTime {
        let newest = try await store.ownClock()
        wasLater(than: newest.wall)
        return newest
    }
}
