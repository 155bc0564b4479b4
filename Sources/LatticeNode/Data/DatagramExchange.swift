import DequeModule
package import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeWire
import Synchronization

/// What became of datagrams since the start.
package struct DatagramCounts: Hashable, Sendable {
    /// Own ones that were written to a link.
    package var sent: UInt64 = 0
    /// Others' that were written to a link.
    package var forwarded: UInt64 = 0
    /// For this peer, each once.
    package var received: UInt64 = 0
    /// A queue was full, or their sender was over its rate.
    package var droppedWhenFull: UInt64 = 0
    package var droppedOld: UInt64 = 0
    /// No way was known to their target, or the link or the stream that they waited for ended.
    package var droppedWithoutWay: UInt64 = 0
    /// For this peer: no key opened them, or they had come before.
    package var droppedInvalid: UInt64 = 0
    /// For this peer, whose program takes none.
    package var droppedUnread: UInt64 = 0

    package init() {}
}

/// What became of one call.
package struct DatagramOutcome: Hashable, Sendable {
    /// How many datagrams were dropped here for these.
    package var dropped = 0
    package var unreachable: [PeerID] = []
    /// Peers over several links for whose keys this one waits: no stream of messages is open to them.
    package var waiting: [PeerID] = []
}

/// Datagrams between the programs of two peers, never stored: what became of them, and those that wait for a key. The keys of
/// those over several links come of the stream of messages between the two programs.
package final class DatagramExchange: Sendable {
    /// Datagrams that wait for keys.
    static let waitingMax = 64

    private struct Waiting {
        let peer: PeerID
        let payload: [UInt8]
        let since: Instant

        func age(at now: Instant) -> UInt32 { UInt32(max(0, since.duration(to: now).milliseconds.rounded())) }
    }

    private struct State: ~Copyable {
        /// The oldest first.
        var waiting: Deque<Waiting> = []
        var counts = DatagramCounts()
        var receiver: (@Sendable (PeerID, [UInt8]) -> Void)?

        mutating func dropOld(at now: Instant) {
            while let first = waiting.first, first.age(at: now) > DatagramFrame.ageMax {
                waiting.removeFirst()
                counts.droppedOld += 1
            }
        }
    }

    private let state = Mutex(State())

    package var counts: DatagramCounts { state.withLock { $0.counts } }

    /// - Parameter work: called on the node's thread with each datagram for this peer. It must not block.
    package func onReceived(_ work: @escaping @Sendable (PeerID, [UInt8]) -> Void) {
        state.withLock { $0.receiver = work }
    }

    // MARK: - For the node

    /// Lets a datagram wait for a key.
    ///
    /// - Returns: how many were dropped for it.
    func wait(_ payload: [UInt8], for peer: PeerID, at now: Instant) -> Int {
        state.withLock { state in
            state.dropOld(at: now)
            state.waiting.append(Waiting(peer: peer, payload: payload, since: now))
            let dropped = max(0, state.waiting.count - Self.waitingMax)
            state.waiting.removeFirst(dropped)
            state.counts.droppedWhenFull += UInt64(dropped)
            return dropped
        }
    }

    /// What waited for this peer's key, and for how many milliseconds.
    func takeWaiting(for peer: PeerID, at now: Instant) -> [(payload: [UInt8], age: UInt32)] {
        state.withLock { state in
            state.dropOld(at: now)
            defer { state.waiting.removeAll { $0.peer == peer } }
            return state.waiting.filter { $0.peer == peer }.map { ($0.payload, $0.age(at: now)) }
        }
    }

    func received(_ payload: [UInt8], from peer: PeerID) {
        let receiver = state.withLock { state in
            state.counts.received += 1
            if state.receiver == nil { state.counts.droppedUnread += 1 }
            return state.receiver
        }
        receiver?(peer, payload)
    }

    func dropped(_ why: DatagramDrop) {
        state.withLock { state in
            switch why {
            case .old: state.counts.droppedOld += 1
            case .withoutWay: state.counts.droppedWithoutWay += 1
            case .overRate: state.counts.droppedWhenFull += 1
            case .invalid: state.counts.droppedInvalid += 1
            }
        }
    }

    func droppedWhenFull(_ count: Int) {
        state.withLock { $0.counts.droppedWhenFull += UInt64(count) }
    }

    func left(_ tally: DatagramTally) {
        state.withLock { state in
            state.counts.sent += UInt64(tally.sent)
            state.counts.forwarded += UInt64(tally.relayed)
            state.counts.droppedOld += UInt64(tally.old)
            state.counts.droppedWithoutWay += UInt64(tally.ended)
        }
    }

    func finish() {
        state.withLock { state in
            state.receiver = nil
            state.counts.droppedWithoutWay += UInt64(state.waiting.count)
            state.waiting = []
        }
    }
}
