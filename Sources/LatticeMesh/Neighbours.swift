import LatticeCore
import LatticeWire
import OrderedCollections

/// One link of ours and how far it has come.
struct Neighbour: Sendable {
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

    let id: LinkID
    let opened: OpenedLink
    var phase: Phase
    /// The number of the event by which it became connected.
    var connectedStep: UInt64 = 0
    var connectedAt: Instant?
    var heardAt: Instant
    var ping: PendingPing?
    /// When it was pinged last, or opened.
    var pingedAt: Instant
    var roundTrip: Duration?
    var probes = ProbeAllowance()

    init(id: LinkID, opened: OpenedLink, phase: Phase, heardAt: Instant) {
        self.id = id
        self.opened = opened
        self.phase = phase
        self.heardAt = heardAt
        pingedAt = heardAt
    }

    struct PendingPing: Hashable, Sendable {
        let nonce: UInt64
        let sentAt: Instant
        let sentStep: UInt64
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

/// All links of ours: states, invitations and duplicates. It decides which link stays; it does not dial.
struct Neighbours: Sendable {
    private(set) var links: OrderedDictionary<LinkID, Neighbour> = [:]
    /// What was last said of each peer, so that a change is told once however many links it has.
    private var told: [PeerID: LinkState] = [:]

    subscript(_ id: LinkID) -> Neighbour? {
        get { links[id] }
        set { links[id] = newValue }
    }

    var connected: [LinkID] {
        links.values.filter(\.isConnected).map(\.id)
    }

    /// Links that more than a handshake went into.
    var countInUse: Int {
        links.values.count { $0.phase != .closing && !$0.isUninvited }
    }

    func links(to peer: PeerID) -> [Neighbour] {
        links.values.filter { $0.peer == peer && $0.phase != .closing }
    }

    func connectedLink(to peer: PeerID) -> Neighbour? {
        links.values.first { $0.peer == peer && $0.isConnected }
    }

    func isLinked(_ prefix: PeerPrefix) -> Bool {
        links.values.contains { $0.peer.prefix == prefix && $0.phase != .closing }
    }

    /// The state of a peer is the best state of its links.
    func state(of peer: PeerID) -> LinkState {
        let states = links.values.filter { $0.peer == peer }.map(\.state)
        if states.contains(.connected) { return .connected }
        return states.contains(.connecting) ? .connecting : .notConnected
    }

    mutating func add(_ neighbour: Neighbour) {
        links[neighbour.id] = neighbour
    }

    mutating func remove(_ id: LinkID) -> Neighbour? {
        links.removeValue(forKey: id)
    }

    /// Says goodbye on a link; it is no longer one of ours, but is heard until the other side closes it.
    mutating func close(_ id: LinkID, _ goodbye: Goodbye, into effects: inout [MeshEffect]) {
        guard links[id] != nil, links[id]?.phase != .closing else { return }
        links[id]?.phase = .closing
        effects.append(.close(id, goodbye))
    }

    /// Tells of a peer's state if it is another than the one told last.
    mutating func tell(_ opened: OpenedLink, end: LinkEnd? = nil, into effects: inout [MeshEffect]) {
        let state = state(of: opened.peer)
        guard told[opened.peer, default: .notConnected] != state else { return }
        told[opened.peer] = state == .notConnected ? nil : state
        effects.append(.stateChanged(opened.peer, opened.name, state, state == .notConnected ? end : nil))
    }
}

/// How many probes a link may still have us pass on this second.
struct ProbeAllowance: Hashable, Sendable {
    private var second = Int64.min
    private var used = 0

    mutating func take(at now: Instant) -> Bool {
        let current = now.nanoseconds / 1_000_000_000
        if current != second {
            second = current
            used = 0
        }
        guard used < MeshLimit.probesPerLinkPerSecondMax else { return false }
        used += 1
        return true
    }
}
