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

    /// Whether records are pushed to it at once; it is only told of them otherwise (Plumtree's eager and lazy peers).
    private(set) var isEager = false
    /// The events between which it was sent every record of ours.
    private(set) var eagerSteps: ClosedRange<UInt64>?
    /// Duplicates since it last was the first to bring something.
    private var duplicates: UInt8 = 0
    /// Whether it ever was.
    private var hasBeenUseful = false
    /// Whose records it has anyway, and is not to be pushed.
    var prunedOrigins = RecentSet<PeerPrefix>(countMax: MeshLimit.prunedOriginsMax)
    /// What it is still to be told of.
    var untold: [Have.Entry] = []

    var walks = TokenBucket()
    var shuffles = TokenBucket()
    var grafts = TokenBucket()
    var prunes = TokenBucket()
    var haves = TokenBucket()

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

    mutating func beEager(from step: UInt64) {
        guard !isEager else { return }
        isEager = true
        eagerSteps = step...UInt64.max
    }

    /// It lacks something: what it had anyway it may have no more.
    mutating func wasGrafted(in step: UInt64) {
        beEager(from: step)
        prunedOrigins.removeAll()
    }

    mutating func beLazy(from step: UInt64) {
        guard isEager, let since = eagerSteps?.lowerBound else { return }
        isEager = false
        // What was sent up to now may still be confirmed.
        eagerSteps = since...max(since, step)
    }

    /// What is unconfirmed went out again on another link: this one can confirm only what comes after it.
    mutating func wasPassedOver(in step: UInt64) {
        if isEager { eagerSteps = (step + 1)...UInt64.max }
    }

    mutating func wasUseful() {
        duplicates = 0
        hasBeenUseful = true
    }

    mutating func broughtDuplicate() {
        duplicates = min(duplicates + 1, MeshLimit.duplicatesMax)
    }

    /// Whether it brings duplicates alone. Where several speak at once a branch of one tree brings duplicates of others, so one
    /// that was of use is given another chance or two: pruned at once, such links would leave peers without any.
    var isWorthless: Bool {
        duplicates >= (hasBeenUseful ? MeshLimit.duplicatesMax : 1)
    }

    /// It has this record: nothing is to be said of it any more.
    mutating func has(_ id: RecordID) {
        guard !untold.isEmpty, let index = untold.firstIndex(where: { $0.id == id }) else { return }
        untold.remove(at: index)
    }
}
