import Glibc
package import LatticeCore
package import NIOCore
import Synchronization

/// Connected clients and their recent request rates. Called from all event loops.
package final class ConnectionTable: Sendable {
    private struct Connection {
        let channel: any Channel
        let address: String
        /// Since when the next input of the client is awaited; `nil` while a response is in progress.
        var waitingSince: Instant?
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

        mutating func remove(_ key: ObjectIdentifier) {
            guard let connection = connections.removeValue(forKey: key) else { return }
            addresses[connection.address]?.connections -= 1
        }

        /// Searches all of some thousands, but only if the table is full.
        func longestWaiting(where isMeant: (Connection) -> Bool) -> (any Channel)? {
            connections.values.lazy.filter(isMeant).compactMap { connection in
                connection.waitingSince.map { (since: $0, channel: connection.channel) }
            }.min { $0.since < $1.since }?.channel
        }
    }

    private let limits: ConnectionLimits
    private let now: @Sendable () -> Instant
    private let state = Mutex(State())

    package init(_ limits: ConnectionLimits, now: @escaping @Sendable () -> Instant) {
        self.limits = limits
        self.now = now
    }

    /// If the table is full, the connection that has been silent longest is closed: clients that open connections and
    /// send nothing, or half a request, keep nobody out.
    ///
    /// - Parameter cost: the requests that it counts for.
    /// - Returns: whether another connection can be accepted.
    package func admit(_ channel: any Channel, cost: Int64 = 0) -> Bool {
        let now = now()
        let (address, isHere) = Self.address(of: channel)
        let addressMax = isHere ? limits.ownAddressConnectionsMax : limits.addressConnectionsMax
        let (isAdmitted, leaving) = state.withLock { state -> (Bool, (any Channel)?) in
            guard !state.isStopping else { return (false, nil) }
            var leaving: (any Channel)?
            if state.addresses[address]?.connections ?? 0 >= addressMax {
                leaving = state.longestWaiting { $0.address == address }
                guard leaving != nil else { return (false, nil) }
            } else if state.connections.count >= limits.connectionsMax {
                leaving = state.longestWaiting { _ in true }
                guard leaving != nil else { return (false, nil) }
            }
            if state.addresses[address] == nil, state.addresses.count >= limits.addressesMax {
                state.addresses = state.addresses.filter { !$0.value.isForgettable(at: now) }
                guard state.addresses.count < limits.addressesMax else { return (false, nil) }
            }
            if cost > 0, !state.addresses[address, default: Address()].asked.take(cost, of: limits.requests, at: now) {
                return (false, nil)
            }
            if let leaving { state.remove(ObjectIdentifier(leaving)) }
            state.addresses[address, default: Address()].connections += 1
            state.connections[ObjectIdentifier(channel)] = Connection(
                channel: channel, address: address, waitingSince: now)
            return (true, leaving)
        }
        leaving?.close(promise: nil)
        return isAdmitted
    }

    /// - Parameter isWaiting: whether input of the client is awaited from now on; else a response is in progress.
    package func note(_ channel: any Channel, isWaiting: Bool) {
        let since = isWaiting ? now() : nil
        state.withLock { $0.connections[ObjectIdentifier(channel)]?.waitingSince = since }
    }

    package func leave(_ channel: any Channel) {
        state.withLock { $0.remove(ObjectIdentifier(channel)) }
    }

    /// Counts a request.
    ///
    /// - Returns: whether it is within the limits.
    package func mayAsk(_ channel: any Channel, isWrite: Bool) -> Bool {
        let now = now()
        return state.withLock { state in
            let key = ObjectIdentifier(channel)
            guard let address = state.connections[key]?.address,
                state.connections[key]?.asked.take(of: limits.connectionRequests, at: now) == true,
                state.addresses[address]?.asked.take(of: limits.requests, at: now) == true
            else { return false }
            return !isWrite || state.addresses[address]?.written.take(of: limits.writes, at: now) == true
        }
    }

    /// Accepts no more connections.
    ///
    /// - Returns: those still open.
    package func stop() -> [any Channel] {
        state.withLock { state in
            state.isStopping = true
            return state.connections.values.map(\.channel)
        }
    }

    package var count: Int { state.withLock { $0.connections.count } }

    /// The address of a client, or the first half of it for IPv6; empty if it is not known.
    package static func network(of channel: any Channel) -> String { address(of: channel).0 }

    /// A household has whole IPv6 networks, so each of them counts as one address.
    private static func address(of channel: any Channel) -> (String, isHere: Bool) {
        guard let text = channel.remoteHost else { return ("", true) }
        if text == "::1" || text.hasPrefix("127.") { return (text, true) }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &bytes) == 1 else { return (text, false) }
        return (Hex.string(bytes.prefix(8)), false)
    }
}
