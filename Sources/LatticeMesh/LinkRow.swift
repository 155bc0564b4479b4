import LatticeCore
import LatticeWire

/// One link and its phase.
struct LinkRow: Sendable {
    enum Phase: Hashable, Sendable {
        /// We dialled and sent an invitation. Next: `connected`, gone.
        case inviting(until: Instant)
        /// They dialled; their invitation has not come. Next: `asking`, `connected`, gone.
        case awaitingInvitation(until: Instant)
        /// A person here is asked. Next: `connected`, gone.
        case asking(until: Instant)
        /// Records flow. Next: `closing`, gone.
        case connected(since: Instant)
        /// We said goodbye; frames from the other side count until the link closes. Next: gone.
        case closing
    }

    let id: LinkID
    let opened: OpenedLink
    var phase: Phase
    private(set) var connectedAt: Instant?

    init(id: LinkID, opened: OpenedLink, phase: Phase) {
        self.id = id
        self.opened = opened
        self.phase = phase
    }

    var peer: PeerID { opened.peer }
    var isOurs: Bool { opened.dial != nil }

    var isConnected: Bool {
        if case .connected = phase { true } else { false }
    }

    /// Whether its dialler has not sent an invitation yet.
    var isUninvited: Bool {
        if case .awaitingInvitation = phase { true } else { false }
    }

    /// Whether it takes one of our slots, or will if it is accepted.
    var takesSlot: Bool {
        switch phase {
        case .inviting, .connected: true
        case .awaitingInvitation, .asking, .closing: false
        }
    }

    /// Whether records from it count: after our goodbye they still do.
    var isHeard: Bool {
        switch phase {
        case .connected, .closing: true
        case .inviting, .awaitingInvitation, .asking: false
        }
    }

    mutating func connected(at now: Instant) {
        phase = .connected(since: now)
        connectedAt = now
    }

    var state: LinkState {
        switch phase {
        case .inviting, .awaitingInvitation, .asking: .connecting
        case .connected: .connected
        case .closing: .notConnected
        }
    }
}
