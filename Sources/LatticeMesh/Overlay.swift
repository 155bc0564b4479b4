import LatticeCore
import LatticeWire
import OrderedCollections

/// Decides whom to link with, after HyParView (Leitão, Pereira, Rodrigues 2007). Each peer has a few links and a
/// reserve of addresses; walks find a slot for a joining peer, and shuffles keep the addresses fresh.
///
/// A peer has `activeMax` slots, and a link takes one at each end. A peer without a free slot splits one of its links
/// instead: the newcomer comes between it and a neighbour, which takes two slots of the newcomer and none of theirs. So
/// a newcomer finds slots however full the mesh is, and nobody loses one.
struct Overlay: Sendable {
    private struct Row: Sendable {
        /// The peer was evicted and came back: the link is kept beyond the slots, and no replacement is looked for.
        var isExtra = false
        /// The link whose slot this one takes over.
        var replaces: LinkID?
        /// We dialled it for ourselves, not to split a link for a newcomer that was sent to us.
        var isChosen = false
    }

    /// Row `i` belongs to link `i` of `LinkRegister`.
    private var rows: [Row] = []
    var candidates: Candidates
    private var walks = Walks()
    private var shuffles = Shuffles()
    private var evictions = Evictions()
    /// When to look for other parts of a split mesh.
    private var mergeAt: Instant?

    init(_ candidates: Candidates) {
        self.candidates = candidates
    }

    var refused: RefusalCounts {
        var all = RefusalCounts()
        all.add(.overlay, walks.refusedCount + shuffles.refusedCount)
        all.add(.dials, candidates.dialsDelayed)
        return all
    }

    // MARK: - Links

    /// - Parameter insistence: why it was dialled; `nil` for a link that the other side began, or that is closed at once.
    mutating func linkOpened(_ insistence: Candidate.Insistence? = nil) {
        var row = Row()
        switch insistence {
        case nil, .toSplit: break
        case .some(.none), .urgent: row.isChosen = true
        case .toReplace(let link): row.replaces = link
        }
        rows.append(row)
        walks.linkOpened()
        shuffles.linkOpened()
    }

    mutating func linkRemoved(at index: Int) {
        rows.remove(at: index)
        walks.linkRemoved(at: index)
        shuffles.linkRemoved(at: index)
    }

    /// A link to this peer exists: it need not be dialled.
    mutating func linked(_ opened: OpenedLink) {
        candidates.linked(opened.peer, at: opened.address)
    }

    mutating func linkConnected(
        _ opened: OpenedLink, in register: LinkRegister, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator
    ) {
        linked(opened)
        walks.linkConnected(at: now, freeSlots: freeSlots(in: register, facts), using: &generator)
        shuffles.linkConnected(at: now, using: &generator)
        if mergeAt == nil { mergeAt = now + MeshLimit.mergeInterval.jittered(using: &generator) }
    }

    /// If that was its last link, the peer may be dialled again.
    mutating func linkEnded(
        _ gone: LinkRow, _ end: LinkEnd, in register: LinkRegister, _ facts: MeshFacts, at now: Instant
    ) {
        if gone.takesSlot { walks.seekSoon(at: now) }
        guard !register.isLinked(gone.peer.prefix) else { return }
        let wasStable = gone.connectedAt.map { now - $0 >= MeshLimit.stableAfter } ?? false
        candidates.unlinked(
            gone.opened, end, wasConnected: gone.connectedAt != nil, wasStable: wasStable,
            isLonely: register.connectedCount == 0, mayDial: facts.mayDial(gone.peer), at: now)
        membershipEnded(gone, end, facts, at: now)
    }

    // MARK: - Candidates

    mutating func sighted(_ sighting: Sighting, in register: LinkRegister, _ facts: MeshFacts, at now: Instant) {
        if let tag = sighting.meshTag, tag != facts.options.meshTag { return }
        if let peer = sighting.peer, facts.isBlocked(peer) { return }
        let isLinked = sighting.peer.map(register.isLinked) ?? false
        // Only a link can show whether an alias belongs to a contact.
        let mayBeContact = facts.options.policy == .contacts && sighting.alias != nil
        let isContact = sighting.peer.map { peer in facts.options.contacts.contains { $0.prefix == peer } } ?? false
        let mayDial = facts.options.policy == .auto || mayBeContact || isContact
        candidates.sighted(
            sighting, mayDial: mayDial && facts.options.dialsSighted, isLinked: isLinked,
            at: now)
    }

    mutating func lost(_ sighting: Sighting) {
        candidates.lost(sighting)
    }

    /// A person wants a link to this peer.
    mutating func wanted(_ prefix: PeerPrefix, in register: LinkRegister, _ facts: MeshFacts, at now: Instant) {
        guard !register.isLinked(prefix), !facts.isBlocked(prefix) else { return }
        _ = candidates.want(prefix, at: now)
    }

    /// The peer has said goodbye to everybody.
    mutating func left(_ prefix: PeerPrefix) {
        candidates.left(prefix)
    }

    mutating func visibilityChanged(_ isVisible: Bool) {
        candidates.isVisible = isVisible
    }

    /// The network has changed: every peer is dialled again.
    mutating func seekAgain(at now: Instant) {
        candidates.seekAgain(at: now)
    }

    // MARK: - Dials

    /// Starts the dials that are due.
    mutating func dial(
        in register: LinkRegister, _ facts: MeshFacts, at now: Instant, into effects: inout [MeshEffect]
    ) {
        candidates.due(at: now, room: slotsToDial(in: register, facts), into: &effects)
    }

    mutating func reached(_ dial: DialID, _ peer: PeerID, at now: Instant) -> Candidates.Reached {
        candidates.reached(dial, peer, at: now)
    }

    /// We dialled ourselves.
    mutating func reachedSelf(
        _ opened: OpenedLink, _ reached: Candidates.Reached?, into effects: inout [MeshEffect]
    ) {
        guard case .expected(let sighting, _, _) = reached else { return }
        if sighting.source == .given { effects.append(.dialledSelf(opened.address)) }
        candidates.forget(sighting.address)
    }

    /// People are notified of an address that does not answer, unless it belongs to a peer that is in the mesh: that
    /// one is missed anyway, or is reached through others.
    mutating func dialFailed(
        _ dial: DialID, _ end: DialEnd, _ presences: PresenceTable, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        var found: [MeshEffect] = []
        candidates.dialFailed(dial, end, at: now, into: &found)
        for effect in found {
            if case .unreachable(let sighting, _) = effect, let peer = sighting.peer, presences.knows(peer) { continue }
            effects.append(effect)
        }
    }

    // MARK: - Slots

    /// Free slots; those that invitations under way may take are not free.
    func freeSlots(in register: LinkRegister, _ facts: MeshFacts) -> Int {
        max(0, facts.options.activeMax - register.slotsTaken)
    }

    /// Links that are wanted and not under way.
    func slotsToDial(in register: LinkRegister, _ facts: MeshFacts) -> Int {
        max(0, freeSlots(in: register, facts) - candidates.dialCount)
    }

    /// Connected links that may be evicted.
    private func ordinaryCount(in register: LinkRegister) -> Int {
        var count = 0
        for index in rows.indices where register.rows[index].isConnected && !rows[index].isExtra { count += 1 }
        return count
    }

    /// Admits a peer that may link if there is a slot or one can be made.
    ///
    /// - Parameter others: its other links.
    /// - Returns: `nil` if it is not admitted.
    mutating func admit(
        _ asked: Invitations.Asked, on index: Int, others: [Int], in register: LinkRegister, _ facts: MeshFacts,
        at now: Instant
    ) -> Admission? {
        let given = others.count { register.rows[$0].takesSlot }
        let free = max(0, facts.options.activeMax - register.slotsTaken + given)
        let theirs = Int(asked.room)
        // A peer that was evicted and comes back reaches nobody else while others hold the slots. A hub among peers that
        // cannot reach one another therefore gets as many links as it needs.
        let isExtra =
            free == 0 && evictions.hasNobodyElse(register.rows[index].peer, isUrgent: asked.isUrgent)
            && register.countInUse < MeshLimit.linksMax
        let fits =
            if free == 0 {
                (theirs > 1 || asked.isUrgent) && (isExtra || evictions.take(at: now))
            } else {
                theirs > 0 || free > 1 || asked.isUrgent
            }
        guard fits else { return nil }
        rows[index].isExtra = isExtra
        return Admission(free: free, isExtra: isExtra)
    }

    /// A peer that we dialled has accepted us, so there may be one link too many.
    ///
    /// - Returns: the link to evict.
    mutating func accepted(
        _ index: Int, theirRoom: Int, in register: LinkRegister, _ presences: PresenceTable, _ facts: MeshFacts,
        at now: Instant, using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) -> Int? {
        if let replaced = rows[index].replaces.flatMap(register.index), register.rows[replaced].isConnected {
            return replaced
        }
        if rows[index].replaces != nil, register.connectedCount > facts.options.activeMax {
            // The slot that it should take is gone. No other link is evicted for it, because one neighbour can make
            // many offers.
            return index
        }
        guard ordinaryCount(in: register) > facts.options.activeMax else { return nil }
        return makeSlot(
            for: register.rows[index].opened, theirRoom: theirRoom, in: register, presences, at: now,
            using: &generator, into: &effects)
    }

    /// There is one link too many. If the newcomer has another free slot, a neighbour is asked to link with it and then
    /// to close its link to us, so that a path between the two always exists. Otherwise a link is evicted at once.
    ///
    /// - Returns: the link to evict.
    mutating func makeSlot(
        for newcomer: OpenedLink, theirRoom: Int, in register: LinkRegister, _ presences: PresenceTable,
        at now: Instant, using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) -> Int? {
        guard let victim = victim(for: newcomer.peer, in: register, presences, using: &generator) else { return nil }
        guard theirRoom > 0, let card = newcomer.card else {
            evictions.gaveUp(register.rows[victim].peer)
            return victim
        }
        let offer = Walk(kind: .offer, timeToLive: 0, origin: card)
        effects.append(.send(.walk(offer), to: register.rows[victim].id))
        evictions.offered(at: now)
        return nil
    }

    /// The link to evict, by lot among the lowest rank. Links that others opened rank below links that we chose, so
    /// that many strangers evict one another and not the peers we chose. A link through which much of the mesh is
    /// reached ranks highest.
    private func victim(
        for newcomer: PeerID?, in register: LinkRegister, _ presences: PresenceTable,
        using generator: inout SeededGenerator
    ) -> Int? {
        let linked = rows.indices.filter { index in
            register.rows[index].isConnected && !rows[index].isExtra && register.rows[index].peer != newcomer
        }
        let ranks = linked.map { index in
            let people = presences.count(via: register.rows[index].id)
            let isBridge = people > 1 && people * 3 > presences.persons.count
            return (isBridge ? 2 : 0) + (rows[index].isChosen ? 1 : 0)
        }
        guard let least = ranks.min() else { return nil }
        return zip(linked, ranks).filter { $0.1 == least }.map(\.0).randomElement(using: &generator)
    }

    // MARK: - Time

    mutating func nextDeadline(in register: LinkRegister, _ facts: MeshFacts) -> Instant? {
        let dialAt = candidates.nextDeadline(room: slotsToDial(in: register, facts))
        guard let time = timerDeadline else { return dialAt }
        return min(time, dialAt ?? time)
    }

    private var timerDeadline: Instant? {
        var earliest = walks.seekAt
        if let shuffleAt = shuffles.shuffleAt { earliest = min(earliest ?? shuffleAt, shuffleAt) }
        if let mergeAt { earliest = min(earliest ?? mergeAt, mergeAt) }
        if let lapseAt = evictions.nextDeadline { earliest = min(earliest ?? lapseAt, lapseAt) }
        return earliest
    }

    func isDue(at now: Instant) -> Bool {
        timerDeadline.map { $0 <= now } ?? false
    }

    /// No neighbour is left, so walks and shuffles have nowhere to go.
    mutating func pause() {
        walks.pause()
        shuffles.pause()
        evictions.pause()
        mergeAt = nil
    }

    /// - Returns: how many offers are still open, if some have lapsed; else `nil`.
    mutating func lapsedOffers(at now: Instant) -> Int? {
        evictions.lapsed(at: now)
    }

    /// A link beyond the slots that nobody took over in time.
    ///
    /// - Parameter openOffers: offers that are still open.
    mutating func surplus(
        beyond openOffers: Int, in register: LinkRegister, _ presences: PresenceTable, _ facts: MeshFacts,
        using generator: inout SeededGenerator
    ) -> Int? {
        guard ordinaryCount(in: register) > facts.options.activeMax + openOffers,
            let victim = victim(for: nil, in: register, presences, using: &generator)
        else { return nil }
        evictions.gaveUp(register.rows[victim].peer)
        return victim
    }

    mutating func release(
        in register: LinkRegister, _ presences: PresenceTable, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        if walks.seeks(at: now, using: &generator) {
            let free = freeSlots(in: register, facts)
            walks.seek(freeSlots: free, in: register, presences, facts, using: &generator, into: &effects)
        }
        let isHungry = candidates.count < facts.options.passiveMax / 2
        if shuffles.isDue(at: now, isHungry: isHungry, using: &generator) {
            Shuffles.shuffle(&candidates, in: register, me: facts.me, using: &generator, into: &effects)
        }
        if let time = mergeAt, time <= now {
            mergeAt = now + MeshLimit.mergeInterval
            merge(in: register, presences, facts, at: now, using: &generator)
        }
    }

    // MARK: - Walks and shuffles

    /// - Returns: whether to close the link that it came by, because we are linked with the peer offered in exchange.
    mutating func walked(
        _ walk: Walk, by index: Int, in register: LinkRegister, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) -> Bool {
        let slots = slotsToDial(in: register, facts)
        switch walks.walked(
            walk, by: index, slots: slots, in: register, facts, &candidates, at: now, using: &generator,
            into: &effects)
        {
        case .isDone: return false
        case .isTakenOver: return true
        case .needsSplit(let card):
            split(for: card, in: register, facts, at: now)
            return false
        }
    }

    /// A peer without a free slot dials the newcomer anyway, to put it between itself and a neighbour.
    private mutating func split(
        for card: PeerCard, in register: LinkRegister, _ facts: MeshFacts, at now: Instant
    ) {
        guard register.connectedCount > 1, facts.mayLinkUnseen(card.peer), evictions.take(at: now) else { return }
        candidates.told(card, isOffered: true, facts, at: now)
        candidates.insist(on: card.peer.prefix, .toSplit, at: now)
    }

    mutating func shuffled(
        _ shuffle: Shuffle, by index: Int, in register: LinkRegister, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        shuffles.shuffled(
            shuffle, by: index, &candidates, in: register, facts, at: now, using: &generator, into: &effects)
    }

    /// A peer that is refused because no slot is free gets the addresses of others.
    mutating func sendOthers(
        to link: LinkRow, in register: LinkRegister, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        Shuffles.sendOthers(to: link, &candidates, in: register, using: &generator, into: &effects)
    }

    // MARK: - A split mesh

    /// A sighted peer that sends no presence is probably in another part of a split mesh; otherwise some peers would be
    /// refused forever for lack of a slot. We link with one such peer at a time even if both are full.
    private mutating func merge(
        in register: LinkRegister, _ presences: PresenceTable, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator
    ) {
        guard facts.options.policy == .auto, freeSlots(in: register, facts) == 0, presences.persons.count > 1 else {
            return
        }
        let here = Set(presences.persons.values.filter(\.presence.isHere).map(\.record.author.prefix))
        if candidates.insistOnStranger(notIn: here, at: now) { return }
        // A malicious peer between two parts may relay presences and drop the rest. So now and then any sighted peer is
        // dialled.
        guard Int.random(in: 0..<MeshLimit.mergeAnybodyOneIn, using: &generator) == 0 else { return }
        _ = candidates.insistOnStranger(notIn: [], at: now)
    }
}
