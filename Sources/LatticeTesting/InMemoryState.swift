import LatticeCore
import LatticeSocket

/// One way between two hosts.
struct InMemoryDirection: Hashable, Sendable {
    let from: Int
    let to: Int

    var reversed: InMemoryDirection { InMemoryDirection(from: to, to: from) }
}

/// Who is on a network, and what connects them.
struct InMemoryState: Sendable {
    private struct Listening: Sendable {
        let peer: PeerID
        let port: UInt16
        let arrivals: AsyncStream<Arrival>.Continuation
    }

    /// Addresses of 10.0.0.0/8.
    private static let hostsMax = 1 << 24 - 2

    var ways = InMemoryWays()
    var meeting = InMemoryMeeting()
    var dice: InMemoryDice
    private(set) var connections: [UInt64: InMemoryConnection] = [:]
    private var hostCount = 0
    private var connectionCount: UInt64 = 0
    private var listening: [Int: Listening] = [:]

    init(dice: InMemoryDice) {
        self.dice = dice
    }

    // MARK: - Hosts

    mutating func addHost() -> Int {
        precondition(hostCount < Self.hostsMax, "a network has fewer sessions than addresses")
        hostCount += 1
        return hostCount
    }

    /// - Parameter number: counts from 1.
    static func host(_ number: Int) -> String {
        "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
    }

    mutating func listen(
        _ number: Int, as peer: PeerID, port: UInt16, arrivals: AsyncStream<Arrival>.Continuation
    ) {
        precondition(listening[number] == nil, "a host listens once")
        listening[number] = Listening(peer: peer, port: port, arrivals: arrivals)
    }

    /// - Returns: where arrivals went; finish it outside the lock.
    mutating func stopListening(_ number: Int) -> AsyncStream<Arrival>.Continuation? {
        listening.removeValue(forKey: number)?.arrivals
    }

    func address(of peer: PeerID) -> PeerAddress? {
        guard let found = listening.first(where: { $0.value.peer == peer }) else { return nil }
        return PeerAddress(host: Self.host(found.key), port: found.value.port)
    }

    // MARK: - Connections

    /// How long it takes until a dial from there has an answer: there and back.
    mutating func dialTime(_ number: Int, to address: PeerAddress, latency: ClosedRange<Int64>) -> Int64 {
        guard let target = target(at: address) else { return 0 }
        let direction = InMemoryDirection(from: number, to: target.number)
        return [direction, direction.reversed].reduce(0) { $0 + dice.dialLatency($1, in: latency) }
    }

    private func target(at address: PeerAddress) -> (number: Int, listener: Listening)? {
        listening.first { Self.host($0.key) == address.host }.map { ($0.key, $0.value) }
    }

    /// Connects two hosts if they reach each other now. A way that is closed later breaks the connection.
    ///
    /// - Returns: the connection, and where its far end arrives.
    mutating func connect(
        _ number: Int, to address: PeerAddress, on network: InMemoryNetwork
    ) -> Result<(InMemoryConnection, arrivals: AsyncStream<Arrival>.Continuation), DialEnd> {
        guard let dialler = listening[number]?.peer, let (target, listener) = target(at: address),
            ways.isOpen(dialler, listener.peer)
        else { return .failure(.noConnection(reason: "No route to host")) }
        guard listener.port == address.port else { return .failure(.noConnection(reason: "Connection refused")) }
        connectionCount += 1
        let wire = InMemoryWire(id: connectionCount)
        let (near, far) = InMemoryChannel.pair(
            on: network, wire: wire, InMemoryDirection(from: number, to: target), port: address.port)
        let connection = InMemoryConnection(wire: wire, peers: (dialler, listener.peer), near: near, far: far)
        connections[wire.id] = connection
        return .success((connection, listener.arrivals))
    }

    /// - Returns: the connection once both ends have closed; drop it outside the lock.
    mutating func endHasClosed(of id: UInt64) -> InMemoryConnection? {
        connections[id]?.openEnds -= 1
        return connections[id]?.openEnds == 0 ? connections.removeValue(forKey: id) : nil
    }

    /// Breaks the connections over ways that are closed now: nothing passes on them from here on.
    ///
    /// - Returns: those, in the order in which they were made; their ends are to break off.
    func breakClosed() -> [InMemoryConnection] {
        let closed = connections.values.filter { !ways.isOpen($0.peers.dialler, $0.peers.listener) }
        for connection in closed { connection.wire.breakOff() }
        return closed.sorted { $0.wire.id < $1.wire.id }
    }

    /// Tells everybody who looks what has changed for them.
    mutating func settle() {
        let (listening, ways) = (listening, ways)
        meeting.settle { one, other in
            guard let one = listening[one]?.peer, let other = listening[other]?.peer else { return false }
            return ways.isOpen(one, other)
        }
    }
}
