import DequeModule
package import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeMesh
import LatticeWire
import OrderedCollections
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
    package var droppedWithoutWay: UInt64 = 0

    package init() {}
}

/// What became of one call.
package struct DatagramOutcome: Hashable, Sendable {
    /// How many datagrams were dropped here for these.
    package var dropped = 0
    package var unreachable: [PeerID] = []
    /// Peers over several links whose key is missing and not being asked for: the program asks now.
    package var keyless: [PeerID] = []
}

/// Datagrams between the programs of two peers: sealed for those over several links, with keys that the programs exchange over a
/// stream, and never stored.
package final class DatagramExchange: Sendable {
    /// Peers whose keys are held each way: as many as have streams, twice.
    static let peersMax = 64
    /// Datagrams that wait for keys.
    static let waitingMax = 64
    /// An answer to a question for a key takes a round trip; a question may fail.
    private static let askInterval: Duration = .seconds(2)

    private struct Waiting {
        let peer: PeerID
        let payload: [UInt8]
        let since: Instant
    }

    /// The keys to and from one peer.
    private final class Correspondent {
        var outgoing: OutgoingDatagramKey?
        /// The newest is the first.
        var incoming: [IncomingDatagramKey] = []
        var askedAt: Instant?

        func open(_ frame: DatagramFrame, authenticated: [UInt8]) -> [UInt8]? {
            for key in incoming {
                if let payload = key.open(frame, authenticated: authenticated) { return payload }
            }
            return nil
        }
    }

    private struct State: ~Copyable {
        var correspondents: OrderedDictionary<PeerID, Correspondent> = [:]
        var waiting: Deque<Waiting> = []
        var counts = DatagramCounts()
        var receiver: (@Sendable (PeerID, [UInt8]) -> Void)?

        mutating func correspondent(_ peer: PeerID) -> Correspondent {
            if let known = correspondents[peer] { return known }
            if correspondents.count >= DatagramExchange.peersMax { correspondents.removeFirst() }
            let new = Correspondent()
            correspondents[peer] = new
            return new
        }
    }

    private let state = Mutex(State())

    // MARK: - For programs

    package var counts: DatagramCounts { state.withLock { $0.counts } }

    /// - Parameter work: called on the node's thread with each datagram for this peer. It must not block.
    package func onReceived(_ work: @escaping @Sendable (PeerID, [UInt8]) -> Void) {
        state.withLock { $0.receiver = work }
    }

    /// Draws a key with which this peer seals datagrams for us. Those that it has sealed with the one before still open.
    package func drawKey(for peer: PeerID) -> [UInt8] {
        let bytes = SecureRandom.bytes(DatagramKeyRule.bytes)
        state.withLock { state in
            let correspondent = state.correspondent(peer)
            correspondent.incoming =
                [IncomingDatagramKey(SecretBytes(copying: bytes))] + correspondent.incoming.prefix(1)
        }
        return bytes
    }

    /// The program of this peer may have ended, and its keys with it.
    package func forgetKey(to peer: PeerID) {
        state.withLock { state in
            guard let correspondent = state.correspondents[peer] else { return }
            correspondent.outgoing = nil
            correspondent.askedAt = nil
        }
    }

    // MARK: - For the node

    /// - Returns: whether this key was asked for.
    func takeKey(_ key: [UInt8], from me: PeerID, to peer: PeerID) -> Bool {
        guard key.count == DatagramKeyRule.bytes else { return false }
        return state.withLock { state in
            // One that is sent twice would be used with the same numbers twice.
            guard let correspondent = state.correspondents[peer], correspondent.askedAt != nil,
                correspondent.outgoing == nil
            else { return false }
            correspondent.outgoing = OutgoingDatagramKey(SecretBytes(copying: key), from: me, to: peer)
            correspondent.askedAt = nil
            return true
        }
    }

    /// - Returns: `nil` if there is no key yet.
    func seal(_ payload: [UInt8], to peer: PeerID) -> (sequence: UInt64, octets: [UInt8])? {
        state.withLock { $0.correspondents[peer]?.outgoing?.seal(payload) }
    }

    /// Lets a datagram wait for a key.
    ///
    /// - Returns: how many were dropped for it, and whether to ask for the key.
    func wait(_ payload: [UInt8], for peer: PeerID, at now: Instant) -> (dropped: Int, asks: Bool) {
        state.withLock { state in
            state.waiting.append(Waiting(peer: peer, payload: payload, since: now))
            let dropped = max(0, state.waiting.count - Self.waitingMax)
            state.waiting.removeFirst(dropped)
            state.counts.droppedWhenFull += UInt64(dropped)
            let correspondent = state.correspondent(peer)
            if let asked = correspondent.askedAt, asked.duration(to: now) < Self.askInterval { return (dropped, false) }
            correspondent.askedAt = now
            return (dropped, true)
        }
    }

    /// What waited for this peer's key, and for how many milliseconds.
    func takeWaiting(for peer: PeerID, at now: Instant) -> [(payload: [UInt8], age: UInt32)] {
        state.withLock { state in
            var taken: [(payload: [UInt8], age: UInt32)] = []
            for waiting in state.waiting where waiting.peer == peer {
                let age = max(0, waiting.since.duration(to: now).milliseconds.rounded())
                if age > Double(DatagramLimit.ageMax) {
                    state.counts.droppedOld += 1
                } else {
                    taken.append((waiting.payload, UInt32(age)))
                }
            }
            state.waiting.removeAll { $0.peer == peer }
            return taken
        }
    }

    func received(_ frame: DatagramFrame, from peer: PeerID) {
        let handOver = state.withLock { state -> (@Sendable () -> Void)? in
            var payload: [UInt8]? = frame.octets
            if let route = frame.route {
                let authenticated = DatagramFrame.authenticated(from: peer, to: route.to)
                payload = state.correspondents[peer]?.open(frame, authenticated: authenticated)
            }
            guard let payload, let receiver = state.receiver else { return nil }
            state.counts.received += 1
            return { receiver(peer, payload) }
        }
        handOver?()
    }

    func dropped(_ why: DatagramDrop) {
        state.withLock { state in
            switch why {
            case .old: state.counts.droppedOld += 1
            case .withoutWay: state.counts.droppedWithoutWay += 1
            case .overRate: state.counts.droppedWhenFull += 1
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
        }
    }

    func finish() {
        state.withLock { state in
            state.receiver = nil
            state.waiting = []
            state.correspondents = [:]
        }
    }
}

/// The form of a key that programs exchange.
package enum DatagramKeyRule {
    package static let bytes = 32
}
