import LatticeCore
import Synchronization

/// Counts connections: those of strangers in all and unfinished ones by address, and our own apart from them, so that
/// strangers cannot take every place. Counts those that it turned down, too.
final class Places: Sendable {
    private struct State {
        var incoming = 0
        var outgoing = 0
        var handshakes: [String: Int] = [:]
        var rates = HandshakeRates()
        var refusals = RefusalCounts()
    }

    private let state = Mutex(State())
    private let limits: LinkLimits

    init(limits: LinkLimits) {
        self.limits = limits
    }

    /// - Returns: `nil` if there is no room.
    func takeForOwn() -> Place? {
        let isFree = state.withLock { state in
            guard state.outgoing < limits.dialledMax else { return false }
            state.outgoing += 1
            return true
        }
        return isFree ? Place(host: nil, places: self) : nil
    }

    /// - Parameter host: the address of a stranger, or what stands for all addresses of one.
    /// - Throws: why it is turned down.
    func take(for host: String, at now: Instant) throws(TurnedDown) -> Place {
        let refusal: RefusalReason? = state.withLock { state in
            let refusal = Self.refusal(of: host, &state, limits, at: now)
            guard let refusal else {
                state.handshakes[host, default: 0] += 1
                state.incoming += 1
                return nil
            }
            state.refusals.add(refusal)
            return refusal
        }
        if let refusal { throw TurnedDown(reason: refusal) }
        return Place(host: host, places: self)
    }

    private static func refusal(
        of host: String, _ state: inout State, _ limits: LinkLimits, at now: Instant
    ) -> RefusalReason? {
        guard state.incoming < limits.connectionsMax else { return .connections }
        guard state.handshakes[host, default: 0] < limits.handshakesPerAddressMax else { return .halfOpen }
        return state.rates.admits(host, limits, at: now) ? nil : .handshakeRate
    }

    /// What is taken now.
    var usage: LinkUsage {
        state.withLock { state in
            LinkUsage(
                incoming: state.incoming, outgoing: state.outgoing,
                halfOpen: state.handshakes.values.reduce(0, +), addresses: state.rates.addressCount,
                refusals: state.refusals)
        }
    }

    func count(_ reason: RefusalReason) {
        state.withLock { $0.refusals.add(reason) }
    }

    fileprivate func handshakeDone(_ host: String) {
        state.withLock { state in
            let left = state.handshakes[host, default: 1] - 1
            state.handshakes[host] = left > 0 ? left : nil
        }
    }

    fileprivate func leave(isIncoming: Bool) {
        state.withLock { if isIncoming { $0.incoming -= 1 } else { $0.outgoing -= 1 } }
    }
}

/// Why there is no place for a connection.
struct TurnedDown: Error {
    let reason: RefusalReason
}

/// One connection's place; left once.
final class Place: Sendable {
    private let host: String?
    private let places: Places
    private let isShakingHands: Mutex<Bool>

    fileprivate init(host: String?, places: Places) {
        self.host = host
        self.places = places
        isShakingHands = Mutex(host != nil)
    }

    /// The handshake is over; the stranger is one no more.
    ///
    /// - Returns: whether it was not before.
    @discardableResult
    func handshakeDone() -> Bool {
        let wasShaking = isShakingHands.withLock { state in
            defer { state = false }
            return state
        }
        if wasShaking, let host { places.handshakeDone(host) }
        return wasShaking
    }

    func leave() {
        if handshakeDone() { places.count(.handshakes) }
        places.leave(isIncoming: host != nil)
    }
}
