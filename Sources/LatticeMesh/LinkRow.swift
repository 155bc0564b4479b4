import LatticeCore
import LatticeWire

/// One link of ours and how far it has come.
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
        /// We said goodbye; what the other side still sends counts until it closes. Next: gone.
        case closing
    }

    struct Asked: Hashable, Sendable {
        let room: UInt8
        let isUrgent: Bool
    }

    let id: LinkID
    let opened: OpenedLink
    var phase: Phase
    /// What they said in their invitation of the room they have: there while `asking`.
    var asked: Asked?
    /// It was given up for others and came back: kept even if there are more links than places, which is why others are not
    /// looked for.
    var isExtra = false
    /// The link whose place this one is to take.
    var replaces: LinkID?
    /// We dialled it for our own sake, and not to make a place for a newcomer that was sent to us.
    var isChosen = false
    var connectedAt: Instant?

    var walks = TokenBucket()
    var shuffles = TokenBucket()

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

    /// Whether its dialler has yet to say what it wants.
    var isUninvited: Bool {
        if case .awaitingInvitation = phase { true } else { false }
    }

    /// Whether it takes, or is about to take, one of our places.
    var takesPlace: Bool {
        switch phase {
        case .inviting, .connected: true
        case .awaitingInvitation, .asking, .closing: false
        }
    }

    /// Whether it carries records to us: a link we said goodbye on still may.
    var isHeard: Bool {
        switch phase {
        case .connected, .closing: true
        case .inviting, .awaitingInvitation, .asking: false
        }
    }

    var state: LinkState {
        switch phase {
        case .inviting, .awaitingInvitation, .asking: .connecting
        case .connected: .connected
        case .closing: .notConnected
        }
    }
}
