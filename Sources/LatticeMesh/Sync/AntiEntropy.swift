import LatticeCore
import LatticeWire
import OrderedCollections

/// Reconciling with neighbours, so that in the end this peer has what they have: with whom when, what is fetched from whom, whose
/// questions are answered.
///
/// The set of what is stored here is with the store's owner; this decides, and never sees it.
struct AntiEntropy: Sendable {
    /// What is kept here; `nil` until there is a store.
    var keeping: Keeping?
    /// Connected ones, in the order in which they connected. So few that a search is faster than a table.
    var links: [SyncLink] = []
    var wanted = Wanted()
    var declined = Declined()
    var progress = CatchingUp()
    /// Of peers whose links have ended and that were not blameless, the last ones.
    private var standings: OrderedDictionary<PeerID, SyncLink.Standing> = [:]
    private var lastSession: UInt32 = 0
    /// The store took nothing when it was asked last.
    var isStoreFailing = false
    /// When one more neighbour is compared with.
    var intervalAt: Instant?
    /// Nothing is due before it.
    var nextDeadline: Instant?
    /// Something has happened since the last release.
    var isStirred = false
    /// What is wanted has changed by an event that seldom makes anything due.
    var isDisturbed = false
    /// We said goodbye to every neighbour.
    private(set) var hasLeft = false
    var refused = RefusalCounts()
    /// How many links had ended when the table was last right.
    var endings = 0

    func index(of link: LinkID) -> Int? {
        links.firstIndex { $0.id == link }
    }

    func index(of slot: SourceSlot) -> Int? {
        links.firstIndex { $0.slot == slot }
    }

    var nextSession: UInt32 {
        mutating get {
            lastSession &+= 1
            return lastSession
        }
    }

    /// A link carries records from now on.
    mutating func linkConnected(_ link: LinkRow, at now: Instant, into effects: inout [MeshEffect]) {
        guard !hasLeft else { return }
        let slot = wanted.open(link.id)
        let standing = standings.removeValue(forKey: link.peer)
        links.append(SyncLink(link, slot: slot, standing: standing, at: now))
        isStirred = true
        if let keeping { effects.append(.send(.keeping(keeping), to: link.id)) }
    }

    mutating func leave() {
        hasLeft = true
    }

    mutating func removeAll(where isGone: (SyncLink) -> Bool) {
        for link in links where isGone(link) {
            if let slot = link.slot { wanted.close(slot) }
            if link.standing != SyncLink.Standing() { remember(link.standing, of: link.peer) }
        }
        links.removeAll(where: isGone)
        if links.isEmpty {
            intervalAt = nil
            progress.everybodyLeft()
        }
    }

    private mutating func remember(_ standing: SyncLink.Standing, of peer: PeerID) {
        standings[peer] = standing
        if standings.count > MeshLimit.standingsMax { standings.removeFirst() }
    }

    /// Comparisons of ours under way.
    var roundCount: Int {
        links.count { $0.round != nil }
    }

    /// Whether the end of a comparison of ours is waited for: the first with everybody, and any that has found something. One with
    /// a neighbour that leaves it without an end is not: else it alone could keep us from ever being caught up.
    func isAsking(at now: Instant) -> Bool {
        links.contains { link in
            if link.round != nil, link.differences > 0 { return link.failures < 3 }
            return !link.hasCompared && link.failures == 0 && link.isComparable(at: now)
        }
    }
}
