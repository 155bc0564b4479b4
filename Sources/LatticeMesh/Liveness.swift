import LatticeCore
import LatticeWire

/// Whether each neighbour is still there: pings and their answers, and doubts after the network under the links has changed.
struct Liveness: Sendable {
    private struct Ping: Sendable {
        let nonce: UInt64
        let sentAt: Instant
        let sentStep: UInt64
    }

    /// Why a link may be dead although nothing has reported it.
    private struct Doubt: Sendable {
        let since: Instant
        /// The link is ended if nothing is heard until then; `nil` for the usual timeout.
        let until: Instant?
    }

    private struct Row: Sendable {
        var heardAt: Instant
        var ping: Ping?
        var doubt: Doubt?
        var roundTrip: Duration?

        /// Whether nothing was heard since the doubt.
        var isDoubted: Bool {
            doubt.map { heardAt <= $0.since } ?? false
        }

        /// Whether it must say something by `doubt.until`.
        var isOnNotice: Bool {
            isDoubted && doubt?.until != nil
        }
    }

    /// Row `i` belongs to link `i` of `LinkRegister`.
    private var rows: [Row] = []
    private var network = NetworkChanges()

    // MARK: - Links

    mutating func linkOpened(at now: Instant) {
        rows.append(Row(heardAt: now))
    }

    mutating func linkRemoved(at index: Int) {
        rows.remove(at: index)
    }

    mutating func heard(_ index: Int, at now: Instant) {
        rows[index].heardAt = now
    }

    func heardAt(_ index: Int) -> Instant { rows[index].heardAt }

    func isDoubted(_ index: Int) -> Bool { rows[index].isDoubted }

    func isPinged(_ index: Int) -> Bool { rows[index].ping != nil }

    func roundTrip(_ index: Int) -> Duration? { rows[index].roundTrip }

    // MARK: - Pings

    mutating func ping(
        _ index: Int, _ id: LinkID, step: UInt64, at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        let nonce = generator.next()
        rows[index].ping = Ping(nonce: nonce, sentAt: now, sentStep: step)
        effects.append(.send(.ping(nonce: nonce), to: id))
    }

    /// - Returns: the event in which the answered ping was sent; `nil` if it answers none.
    mutating func ponged(_ nonce: UInt64, by index: Int, at now: Instant) -> UInt64? {
        guard let ping = rows[index].ping, ping.nonce == nonce else { return nil }
        rows[index].ping = nil
        rows[index].doubt = nil
        rows[index].roundTrip = now - ping.sentAt
        return ping.sentStep
    }

    /// Pings a link that may be dead; until it says anything, another link to the same peer may replace it.
    mutating func doubt(
        _ index: Int, _ id: LinkID, until: Instant? = nil, step: UInt64, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        rows[index].doubt = Doubt(since: now, until: until)
        if rows[index].ping == nil { ping(index, id, step: step, at: now, using: &generator, into: &effects) }
    }

    // MARK: - The network

    /// An interface or address of this machine came or went: every link is doubted.
    mutating func networkChanged(
        in register: LinkRegister, _ fairness: Fairness, step: UInt64, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        for index in register.rows.indices where register.rows[index].isConnected && !rows[index].isOnNotice {
            let id = register.rows[index].id
            let roundTrips = (rows[index].roundTrip ?? .zero) * MeshLimit.networkRoundTrips
            let patience = min(max(MeshLimit.networkPongTimeout, roundTrips), MeshLimit.pongTimeout)
            // On a busy link the answer may be queued behind much else.
            let until = fairness.isBusy(id) ? nil : now + patience
            doubt(index, id, until: until, step: step, at: now, using: &generator, into: &effects)
        }
        network.changed(at: now)
    }

    /// When every peer is dialled again.
    var seekAt: Instant? { network.seekAt }

    /// - Returns: whether it is time to dial every peer again.
    mutating func seeks(at now: Instant) -> Bool {
        network.seeks(at: now)
    }

    // MARK: - Time

    private static let pongTimeout = MeshLimit.pongTimeout.nanoseconds
    private static let pongTimeoutMax = MeshLimit.pongTimeoutMax.nanoseconds
    private static let pingAfterSilence = MeshLimit.pingAfterSilence.nanoseconds

    /// When the first link is due.
    func linkDeadline(in register: LinkRegister) -> Instant? {
        var earliest: Instant?
        for index in register.rows.indices {
            guard let deadline = deadline(of: index, register.rows[index].phase) else { continue }
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }

    /// When a link of this phase is due: an invitation that nobody answers, or a silent neighbour.
    func deadline(of index: Int, _ phase: LinkRow.Phase) -> Instant? {
        switch phase {
        case .inviting(let until), .awaitingInvitation(let until), .asking(let until): return until
        case .closing: return nil
        case .connected:
            let heardAt = rows[index].heardAt
            if let ping = rows[index].ping {
                // The answer may be queued behind much that is still arriving, but not forever.
                let grace =
                    if rows[index].isOnNotice, let until = rows[index].doubt?.until {
                        until
                    } else {
                        max(ping.sentAt, heardAt).advanced(byNanoseconds: Self.pongTimeout)
                    }
                return min(grace, ping.sentAt.advanced(byNanoseconds: Self.pongTimeoutMax))
            }
            return heardAt.advanced(byNanoseconds: Self.pingAfterSilence)
        }
    }
}
