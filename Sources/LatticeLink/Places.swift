import Synchronization

/// Counts connections: those of strangers in all and unfinished ones by address, and our own apart from them, so that
/// strangers cannot take every place.
final class Places: Sendable {
    private struct State {
        var incoming = 0
        var outgoing = 0
        var handshakes: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let limits: LinkLimits

    init(limits: LinkLimits) {
        self.limits = limits
    }

    /// - Parameter host: the address of a stranger; `nil` for a connection of our own making.
    /// - Returns: `nil` if there is no room.
    func take(for host: String?) -> Place? {
        let isFree = state.withLock { state in
            guard let host else {
                guard state.outgoing < limits.dialledMax else { return false }
                state.outgoing += 1
                return true
            }
            guard state.incoming < limits.connectionsMax,
                state.handshakes[host, default: 0] < limits.handshakesPerAddressMax
            else { return false }
            state.handshakes[host, default: 0] += 1
            state.incoming += 1
            return true
        }
        return isFree ? Place(host: host, places: self) : nil
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
    func handshakeDone() {
        let wasShaking = isShakingHands.withLock { state in
            defer { state = false }
            return state
        }
        if wasShaking, let host { places.handshakeDone(host) }
    }

    func leave() {
        handshakeDone()
        places.leave(isIncoming: host != nil)
    }
}
