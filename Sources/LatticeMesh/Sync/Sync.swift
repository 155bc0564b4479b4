import LatticeCore
import LatticeWire
import OrderedCollections

/// All that a peer knows for the sake of having in the end what its neighbours have.
struct Sync: Sendable {
    /// What is kept here; `nil` until there is a store.
    var keeping: Keeping?
    /// Connected ones, in the order in which they connected. So few that looking through them is faster than a table.
    private(set) var links: [SyncLink] = []
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
    var deadline: Instant?
    /// Something has happened since it was last looked at what is due.
    var isStirred = false
    /// Up to which end of a link the table is right.
    var endings = 0

    subscript(at index: Int) -> SyncLink {
        get { links[index] }
        _modify { yield &links[index] }
    }

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

    mutating func add(_ neighbour: LinkRow, at now: Instant) {
        let slot = wanted.open(neighbour.id)
        let standing = standings.removeValue(forKey: neighbour.peer)
        links.append(SyncLink(neighbour, slot: slot, standing: standing, at: now))
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
