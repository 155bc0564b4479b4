public import Lattice
import LatticeCore
import LatticeSocket
import NIOCore
import NIOPosix
import Synchronization

/// A network inside the process, for tests: sessions on it find each other and link without sockets.
///
/// Connections and discovery are replaced; all else is what a program runs: handshakes, sealing, relaying, streams, and storage.
/// All sessions of a network share one thread for their links.
///
/// ```swift
/// let network = InMemoryNetwork(seed: 1)
/// let ada = try Session.inMemory(Configuration(name: "ada", mesh: "test"), network: network)
/// ```
///
/// Its methods may be called from any task, at any time.
public final class InMemoryNetwork: Sendable {
    /// What the links of a network are like. They lose only unreliable messages, and keep the order of all.
    public struct Conditions: Hashable, Sendable {
        /// One way, drawn anew for what is written at a time; later bytes wait for earlier ones. From 0 on.
        public let latency: ClosedRange<Duration>
        /// How many of a thousand unreliable messages each link loses, 0–1,000. A message over two links may be lost on either.
        public let datagramLossPerMille: Int
        /// What each direction of each link carries, from 1 on; `nil` sets no limit. Whatever it is, only about 256 KiB are
        /// under way or not yet read at a time: a latency of 100 ms lets through some 2.5 MiB a second.
        public let bytesPerSecond: Int?

        /// Stops the program if a value is out of its range.
        public init(
            latency: ClosedRange<Duration> = .zero ... .zero, datagramLossPerMille: Int = 0, bytesPerSecond: Int? = nil
        ) {
            precondition(latency.lowerBound >= .zero, "a latency is not negative")
            precondition((0...1_000).contains(datagramLossPerMille), "at most all of a thousand are lost")
            precondition(bytesPerSecond.map { $0 > 0 } ?? true, "a link carries at least a byte a second")
            (self.latency, self.datagramLossPerMille) = (latency, datagramLossPerMille)
            self.bytesPerSecond = bytesPerSecond
        }
    }

    let seed: UInt64
    let conditions: Conditions
    /// All sessions run there, so that the order of what happens on links does not depend on threads.
    let eventLoop: any EventLoop
    private let state: Mutex<InMemoryState>

    /// Makes a network without sessions. It opens nothing. Its links run on a thread that NIO keeps for the process.
    ///
    /// - Parameters:
    ///   - seed: decides which unreliable messages are lost, the latencies, and the ids of sessions without a folder.
    ///   - conditions: what links are like.
    public convenience init(seed: UInt64, conditions: Conditions = Conditions()) {
        self.init(seed: seed, conditions: conditions, on: MultiThreadedEventLoopGroup.singleton.next())
    }

    init(seed: UInt64, conditions: Conditions, on eventLoop: any EventLoop) {
        (self.seed, self.conditions, self.eventLoop) = (seed, conditions, eventLoop)
        state = Mutex(InMemoryState(dice: InMemoryDice(seed: seed)))
    }

    // MARK: - Who reaches whom

    /// Divides the network: from now on sessions reach each other only within a group. Links between groups break, and what is
    /// under way on them is lost. A partition takes the place of an earlier one; cuts stay.
    ///
    /// Stops the program if a peer is in two groups.
    ///
    /// - Parameter groups: the peers that are together. All others are together in one more group.
    public func partition(_ groups: [Set<Lattice.PeerID>]) {
        change { $0.ways.partition(groups.map { Set($0.map(\.core)) }) }
    }

    /// Breaks the direct link of two peers. They have none until ``heal()``, but reach each other over others.
    public func cut(_ one: Lattice.PeerID, _ other: Lattice.PeerID) {
        change { $0.ways.cut(one.core, other.core) }
    }

    /// Ends the partition and all cuts. Sessions that find each other link again.
    public func heal() {
        change { $0.ways.heal() }
    }

    /// Where a session listens, as for `Session.connect(to:timeout:)` and `Configuration.addresses`.
    ///
    /// - Returns: `nil` if no session with this id runs on the network.
    public func address(of peer: Lattice.PeerID) -> Lattice.PeerAddress? {
        guard let address = state.withLock({ $0.address(of: peer.core) }) else { return nil }
        return Lattice.PeerAddress(host: address.host, port: address.port)
    }

    private func change(_ body: (inout InMemoryState) -> Void) {
        let broken = state.withLock { state in
            body(&state)
            state.settle()
            return state.breakClosed()
        }
        guard !broken.isEmpty else { return }
        eventLoop.execute { for end in broken.flatMap(\.ends) { end.breakOff() } }
    }

    // MARK: - Hosts

    func addHost() -> InMemoryHost {
        InMemoryHost(network: self, number: state.withLock { $0.addHost() })
    }

    func read<Answer>(_ question: (inout InMemoryState) -> Answer) -> Answer {
        state.withLock { question(&$0) }
    }

    /// Changes what discovery knows.
    func announce(_ body: (inout InMemoryMeeting) -> Void) {
        state.withLock { state in
            body(&state.meeting)
            state.settle()
        }
    }

    // MARK: - Connections

    var latency: ClosedRange<Int64> {
        let range = conditions.latency
        return TimeAmount(range.lowerBound).nanoseconds...TimeAmount(range.upperBound).nanoseconds
    }

    /// Runs on the event loop.
    func connect(from number: Int, to address: LatticeCore.PeerAddress) -> Result<InMemoryChannel, DialEnd> {
        switch read({ $0.connect(number, to: address, on: self) }) {
        case .failure(let end): return .failure(end)
        case .success((let connection, let arrivals)):
            let id = connection.wire.id
            for end in connection.ends {
                end.closeFuture.whenComplete { _ in _ = self.read { $0.endHasClosed(of: id) } }
            }
            guard case .enqueued = arrivals.yield(Arrival(connection.far)) else {
                connection.near.close(promise: nil)
                return .failure(.noConnection(reason: "Connection refused"))
            }
            return .success(connection.near)
        }
    }
}
