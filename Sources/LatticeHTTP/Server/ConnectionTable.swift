import Glibc
import LatticeCore
import NIOCore
import Synchronization

/// Who is connected, and how much they have asked of late. What is told here is told from every event loop.
final class ConnectionTable: Sendable {
    private struct Connection {
        let channel: any Channel
        let address: String
        var asked = TokenBucket()
    }

    private struct Address {
        var connections = 0
        var asked = TokenBucket()
        var written = TokenBucket()

        func isForgettable(at now: Instant) -> Bool {
            connections == 0 && asked.isFull(at: now) && written.isFull(at: now)
        }
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var addresses: [String: Address] = [:]
        var isStopping = false
    }

    private let limits: HTTPLimits
    private let state = Mutex(State())

    init(_ limits: HTTPLimits) {
        self.limits = limits
    }

    /// - Returns: whether there is room for one more.
    func admit(_ channel: any Channel, at now: Instant) -> Bool {
        let (address, isHere) = Self.address(of: channel)
        return state.withLock { state in
            guard !state.isStopping, state.connections.count < limits.connectionsMax else { return false }
            let count = state.addresses[address]?.connections ?? 0
            guard isHere || count < limits.addressConnectionsMax else { return false }
            if state.addresses.count >= limits.addressesMax {
                state.addresses = state.addresses.filter { !$0.value.isForgettable(at: now) }
                guard state.addresses.count < limits.addressesMax else { return false }
            }
            state.addresses[address, default: Address()].connections += 1
            state.connections[ObjectIdentifier(channel)] = Connection(channel: channel, address: address)
            return true
        }
    }

    func leave(_ channel: any Channel) {
        state.withLock { state in
            guard let connection = state.connections.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            state.addresses[connection.address]?.connections -= 1
        }
    }

    /// Counts a request.
    ///
    /// - Returns: whether it is not one too many.
    func mayAsk(_ channel: any Channel, isWrite: Bool, at now: Instant) -> Bool {
        state.withLock { state in
            let key = ObjectIdentifier(channel)
            guard let address = state.connections[key]?.address,
                state.connections[key]?.asked.take(of: limits.connectionRequests, at: now) == true,
                state.addresses[address]?.asked.take(of: limits.requests, at: now) == true
            else { return false }
            return !isWrite || state.addresses[address]?.written.take(of: limits.writes, at: now) == true
        }
    }

    /// Nobody is let in any more.
    ///
    /// - Returns: whoever is still there.
    func stop() -> [any Channel] {
        state.withLock { state in
            state.isStopping = true
            return state.connections.values.map(\.channel)
        }
    }

    var count: Int { state.withLock { $0.connections.count } }

    /// Of IPv6 a household has whole networks: these are one address.
    private static func address(of channel: any Channel) -> (String, isHere: Bool) {
        guard let text = channel.remoteAddress?.ipAddress else { return ("", true) }
        if text == "::1" || text.hasPrefix("127.") { return (text, true) }
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &address) == 1 else { return (text, false) }
        let words = address.__in6_u.__u6_addr16
        return ("\(words.0):\(words.1):\(words.2):\(words.3)", false)
    }
}
