import LatticeCore
import LatticeWire
import OrderedCollections

/// Reconciles with neighbours, so that in the end this peer has what they have: when to reconcile with whom, what to
/// fetch from whom, and which of their questions to answer.
///
/// It decides only. The set of stored records belongs to the store's owner.
package struct AntiEntropy: Sendable {
    /// What the store here keeps; `nil` until there is a store.
    var keeping: Keeping?
    /// Connected links in the order in which they connected. There are few, so a linear search is faster than a table.
    var links: [SyncLink] = []
    var fetching = Fetching()
    var catchingUp = CatchingUp()
    /// The most recent reputations of peers whose links have ended, unless they were blameless.
    private var reputations: OrderedDictionary<PeerID, SyncLink.Reputation> = [:]
    private var lastSession: UInt32 = 0
    /// When the next periodic round is due.
    var intervalAt: Instant?
    /// A lower bound: nothing is due before it.
    var nextDeadline: Instant?
    /// An event has arrived since the last `release`.
    var isStirred = false
    /// `fetching` was changed by an event that seldom makes anything due.
    var isDisturbed = false
    private(set) var hasLeft = false
    var refused = RefusalCounts()
    /// The value of `LinkRegister.endings` when `links` was last cleaned up.
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
        let slot = fetching.open(link.id)
        let reputation = reputations.removeValue(forKey: link.peer)
        links.append(SyncLink(link, slot: slot, reputation: reputation, at: now))
        isStirred = true
        if let keeping { effects.append(.send(.keeping(keeping), to: link.id)) }
    }

    mutating func leave() {
        hasLeft = true
    }

    mutating func removeAll(where isGone: (SyncLink) -> Bool) {
        for link in links where isGone(link) {
            if let slot = link.slot { fetching.close(slot) }
            if link.reputation != SyncLink.Reputation() { remember(link.reputation, of: link.peer) }
        }
        links.removeAll(where: isGone)
        if links.isEmpty {
            intervalAt = nil
            catchingUp.everybodyLeft()
        }
    }

    private mutating func remember(_ reputation: SyncLink.Reputation, of peer: PeerID) {
        reputations[peer] = reputation
        if reputations.count > MeshLimit.reputationsMax { reputations.removeFirst() }
    }

    /// Our rounds under way.
    var roundCount: Int {
        links.count { $0.round != nil }
    }

    /// Whether to wait for the end of one of our rounds: the first with each neighbour, and any that has found
    /// differences. A neighbour whose rounds keep failing does not count, or it could keep us from catching up forever.
    func isAsking(at now: Instant) -> Bool {
        links.contains { link in
            if link.round != nil, link.differences > 0 { return link.failures < 3 }
            return !link.hasCompared && link.failures == 0 && link.isComparable(at: now)
        }
    }
}
