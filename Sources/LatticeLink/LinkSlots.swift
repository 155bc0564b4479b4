import LatticeCore
import Synchronization

/// Counts connections: links that strangers dialled, unfinished handshakes, and our own dials. Each has its own limit,
/// so that silent strangers take no slot from peers, and strangers none from our own dials. It also counts refusals.
final class LinkSlots: Sendable {
    private struct State {
        var linked = 0
        var outgoing = 0
        var halfOpen = HalfOpenConnections()
        /// By the ids of `halfOpen`.
        var waiting: [HalfOpenConnections.ID: LinkSlot] = [:]
        var rates = HandshakeRates()
        var refusals = RefusalCounts()
    }

    private let state = Mutex(State())
    private let limits: LinkLimits

    init(limits: LinkLimits) {
        self.limits = limits
    }

    /// - Returns: `nil` if there is no slot.
    func takeForOwn() -> DialSlot? {
        let isFree = state.withLock { state in
            guard state.outgoing < limits.dialledMax else { return false }
            state.outgoing += 1
            return true
        }
        return isFree ? DialSlot(slots: self) : nil
    }

    /// A stranger's connection. If too many handshakes are unfinished, an older one is evicted.
    ///
    /// - Throws: why it is refused.
    func take(for source: ConnectionSource, at now: Instant) throws(TurnedDown) -> LinkSlot {
        let (slot, refusal, gone) = state.withLock { state -> (LinkSlot?, RefusalReason?, LinkSlot?) in
            guard state.linked < limits.connectionsMax else {
                state.refusals.add(.connections)
                return (nil, .connections, nil)
            }
            guard state.rates.admits(source, limits, at: now) else {
                state.refusals.add(.handshakeRate)
                return (nil, .handshakeRate, nil)
            }
            let gone = makeSlot(for: source, &state)
            let id = state.halfOpen.add(source)
            let slot = LinkSlot(id: id, slots: self)
            state.waiting[id] = slot
            return (slot, nil, gone)
        }
        gone?.giveWay()
        guard let slot else { throw TurnedDown(reason: refusal ?? .connections) }
        return slot
    }

    private func makeSlot(for source: ConnectionSource, _ state: inout State) -> LinkSlot? {
        let oldest: HalfOpenConnections.ID? =
            if state.halfOpen.count(from: source.address) >= limits.handshakesPerAddressMax {
                state.halfOpen.oldest(from: source.address)
            } else if state.halfOpen.count >= limits.handshakesMax {
                state.halfOpen.oldestOfMostCrowded
            } else {
                nil
            }
        guard let oldest, state.halfOpen.remove(oldest) else { return nil }
        state.refusals.add(.halfOpen)
        return state.waiting.removeValue(forKey: oldest)
    }

    var usage: LinkUsage {
        state.withLock { state in
            LinkUsage(
                incoming: state.linked + state.halfOpen.count, outgoing: state.outgoing,
                halfOpen: state.halfOpen.count, addresses: state.rates.addressCount, refusals: state.refusals)
        }
    }

    /// - Returns: whether it may stay: it was not evicted, and a slot is free.
    fileprivate func handshakeDone(_ id: HalfOpenConnections.ID) -> Bool {
        state.withLock { state in
            guard state.halfOpen.remove(id) else { return false }
            state.waiting[id] = nil
            guard state.linked < limits.connectionsMax else {
                state.refusals.add(.connections)
                return false
            }
            state.linked += 1
            return true
        }
    }

    fileprivate func leaveUnfinished(_ id: HalfOpenConnections.ID) {
        state.withLock { state in
            // If it was evicted, it was counted then.
            guard state.halfOpen.remove(id) else { return }
            state.waiting[id] = nil
            state.refusals.add(.handshakes)
        }
    }

    fileprivate func leaveLinked() {
        state.withLock { $0.linked -= 1 }
    }

    fileprivate func leaveOwn() {
        state.withLock { $0.outgoing -= 1 }
    }
}

/// Why there is no slot for a connection.
struct TurnedDown: Error {
    let reason: RefusalReason
}

/// The slot of a connection that we dialled; released once.
struct DialSlot: Sendable {
    fileprivate let slots: LinkSlots

    func leave() {
        slots.leaveOwn()
    }
}

/// The slot of a stranger's connection; released once.
final class LinkSlot: Sendable {
    private enum Phase {
        /// Next: `linked`, `over`.
        case shakingHands
        /// Next: `over`.
        case linked
        case over
    }

    private struct State {
        var phase = Phase.shakingHands
        var hasGivenWay = false
        var close: (@Sendable () -> Void)?
    }

    private let id: HalfOpenConnections.ID
    private let slots: LinkSlots
    private let state = Mutex(State())

    fileprivate init(id: HalfOpenConnections.ID, slots: LinkSlots) {
        self.id = id
        self.slots = slots
    }

    /// - Parameter close: ends the connection when it is evicted, which may be at once.
    func onGivingWay(_ close: @escaping @Sendable () -> Void) {
        let hasGivenWay = state.withLock { state in
            state.close = close
            return state.hasGivenWay
        }
        if hasGivenWay { close() }
    }

    fileprivate func giveWay() {
        let close = state.withLock { state in
            state.hasGivenWay = true
            return state.close.take()
        }
        close?()
    }

    /// The handshake is over, and the other side is known.
    ///
    /// - Returns: whether the connection may stay.
    func handshakeDone() -> Bool {
        let mayStay = slots.handshakeDone(id)
        state.withLock { state in
            state.phase = mayStay ? .linked : .over
            state.close = nil
        }
        return mayStay
    }

    func leave() {
        let phase = state.withLock { state in
            defer { state = State(phase: .over) }
            return state.phase
        }
        switch phase {
        case .shakingHands: slots.leaveUnfinished(id)
        case .linked: slots.leaveLinked()
        case .over: break
        }
    }
}
