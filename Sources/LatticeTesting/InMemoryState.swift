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
    /// The end that has dialled.
    var connections: [UInt64: InMemoryChannel] = [:]
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
        listening[number] = Listening(peer: peer, port: port, arrivals: arrivals)
    }

    /// - Returns: what ends connections that nobody has accepted, once it is dropped.
    mutating func stopListening(_ number: Int) -> AsyncStream<Arrival>.Continuation? {
        listening.removeValue(forKey: number)?.arrivals
    }

    func address(of peer: PeerID) -> PeerAddress? {
        guard let found = listening.first(where: { $0.value.peer == peer }) else { return nil }
        return PeerAddress(host: Self.host(found.key), port: found.value.port)
    }

    // MARK: - Connections

    mutating func nextConnection() -> UInt64 {
        connectionCount += 1
        return connectionCount
    }

    func target(
        at address: PeerAddress, from number: Int
    ) -> Result<(number: Int, arrivals: AsyncStream<Arrival>.Continuation), DialEnd> {
        let found = listening.first { Self.host($0.key) == address.host }
        guard let (target, listener) = found, isOpen(InMemoryDirection(from: number, to: target)) else {
            return .failure(.noConnection(reason: "No route to host"))
        }
        guard listener.port == address.port else { return .failure(.noConnection(reason: "Connection refused")) }
        return .success((target, listener.arrivals))
    }

    /// Whether anything gets from one host to the other, and back.
    func isOpen(_ direction: InMemoryDirection) -> Bool {
        // A host that does not listen any more still ends its connections.
        guard let from = listening[direction.from]?.peer, let to = listening[direction.to]?.peer else { return true }
        return ways.isOpen(from, to)
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
