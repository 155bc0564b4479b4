import LatticeCore
import LatticeStore
import Synchronization

/// The current time for everything that dates something: the node, its store's commands and every handshake.
final class NodeClock: Sendable {
    private let readMachine: @Sendable () -> WallTime
    private let clock = Mutex(WallClock(start: Clocks.now))

    /// - Parameter machine: reads the machine's clock; replaced in tests.
    init(machine: @escaping @Sendable () -> WallTime = Clocks.machine) {
        readMachine = machine
    }

    var now: WallTime {
        let machine = machine
        return clock.withLock { $0.time(machine: machine, at: Clocks.now) }
    }

    /// The machine's own clock, however wrong.
    var machine: WallTime { readMachine() }

    var source: WallClock.Source {
        let machine = machine
        return clock.withLock { $0.source(machine: machine) }
    }

    /// Sent to neighbours. A merely counted time is withheld, as they would take it for a real clock.
    var told: WallTime {
        source == .counted ? machine : now
    }

    func wasLater(than date: WallTime) {
        clock.withLock { $0.wasLater(than: date) }
    }

    func borrow(_ time: WallTime, of peer: PeerID) {
        clock.withLock { $0.borrow(time, of: peer, at: Clocks.now) }
    }

    /// Reads the newest date in a store, for a machine that does not know the time.
    func learn(from store: Store) async throws(StoreError) -> HybridTime {
        let newest = try await store.ownClock()
        wasLater(than: newest.wall)
        return newest
    }
}
