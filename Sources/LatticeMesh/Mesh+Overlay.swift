import LatticeCore
import LatticeWire
import OrderedCollections

// The overlay, after HyParView (Leitão, Pereira, Rodrigues 2007): few links each, addresses of some others in reserve,
// walks that find a place for whoever joins, shuffles that keep the addresses fresh.
extension Mesh {
    mutating func releaseOverlay(at now: Instant, into effects: inout [MeshEffect]) {
        guard !facts.hasLeft, let deadline = overlay.nextDeadline, deadline <= now else { return }
        guard register.connectedCount > 0 else { return overlay.pause() }
        if let standing = overlay.lapsed(at: now) { trim(beyond: standing, at: now, into: &effects) }
        if overlay.seeks(at: now, using: &generator) { seek(into: &effects) }
        if overlay.shuffles(at: now, isHungry: candidates.count < options.passiveMax / 2, using: &generator) {
            shuffle(into: &effects)
        }
        if let time = overlay.mergeAt, time <= now {
            overlay.mergeAt = now + MeshLimit.mergeInterval
            merge(at: now)
        }
    }

    private func otherLinks(without excluded: LinkID?, and peer: PeerID? = nil) -> [LinkID] {
        var links: [LinkID] = []
        for index in register.rows.indices {
            guard register.rows[index].isConnected, register.rows[index].id != excluded else { continue }
            if register.rows[index].opened.peer != peer { links.append(register.rows[index].id) }
        }
        return links
    }

    // MARK: - Walks

    /// Looks for somebody with room. With two places free any peer will do, for it can split a link of its own.
    private mutating func seek(into effects: inout [MeshEffect]) {
        let places = room
        guard places > 0 else { return overlay.rest() }
        guard !isEverybodyLinked, let link = otherLinks(without: nil).randomElement(using: &generator) else { return }
        let walk =
            places > 1
            ? Walk(kind: .join, timeToLive: MeshLimit.joinWalkSteps, origin: .own(me))
            : Walk(kind: .seek, timeToLive: MeshLimit.seekWalkSteps, origin: .own(me))
        effects.append(.send(.walk(walk), to: link))
    }

    /// Whether everybody who is known to be here is a neighbour, so that there is nobody to look for.
    private var isEverybodyLinked: Bool {
        presences.persons.count > 1
            && presences.persons.values.allSatisfy { person in
                let peer = person.record.author
                return facts.isOwn(peer) || !person.presence.isHere || register.connectedLink(to: peer) != nil
            }
    }

    /// A newcomer whose first link is with us is sent on its way to others.
    mutating func sendJoinWalks(for index: Int, places: Int, isFull: Bool, into effects: inout [MeshEffect]) {
        let newcomer = register.rows[index]
        guard let card = newcomer.opened.card else { return }
        // Where everybody is full a walk ends in a split, which takes two places.
        let count = isFull ? places / 2 : places
        let others = otherLinks(without: newcomer.id).shuffled(using: &generator).prefix(max(0, count))
        let walk = Walk(kind: .join, timeToLive: MeshLimit.joinWalkSteps, origin: card)
        for link in others { effects.append(.send(.walk(walk), to: link)) }
    }

    mutating func walked(_ walk: Walk, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let giver = register.rows[index].id
        guard register[at: index].walks.take(of: MeshLimit.walks, at: now) else { return refusals.add(.overlay) }
        guard let card = believable(walk.origin, from: register.rows[index].opened) else { return }
        let isLinked = register.isLinked(card.peer.prefix)
        // Whom the policy keeps us from goes on to others, as if there were no place here.
        let hasPlace = !isLinked && roomToDial > 0 && mayLink(card.peer)
        let timeToLive = min(walk.timeToLive, walk.kind == .seek ? MeshLimit.seekWalkSteps : MeshLimit.joinWalkSteps)
        let others = otherLinks(without: giver, and: card.peer)
        let next = timeToLive > 0 ? others.randomElement(using: &generator) : nil
        switch walk.kind {
        case .offer:
            guard register.connectedLink(to: card.peer) == nil else {
                return giveUp(index, at: now, into: &effects)
            }
            remember(card, isOffered: true, at: now)
            if mayLink(card.peer) { candidates.insist(on: card.peer.prefix, .toReplace(giver), at: now) }
            return
        case .seek:
            if hasPlace { return remember(card, isOffered: true, at: now) }
        case .join:
            let isFarEnough = timeToLive <= MeshLimit.joinWalkSteps - MeshLimit.joinWalkStepsMin || next == nil
            if hasPlace, isFarEnough { return remember(card, isOffered: true, at: now) }
            if !isLinked, timeToLive == MeshLimit.joinWalkRememberedAt { remember(card, isOffered: false, at: now) }
            if !isLinked, next == nil { return split(for: card, at: now) }
        }
        guard let next else { return }
        effects.append(.send(.walk(Walk(kind: walk.kind, timeToLive: timeToLive - 1, origin: card)), to: next))
    }

    /// A peer that has no room dials the newcomer all the same, to come to have it between itself and a neighbour.
    private mutating func split(for card: PeerCard, at now: Instant) {
        guard register.connectedCount > 1, mayLink(card.peer), mayMakeRoom(at: now) else { return }
        remember(card, isOffered: true, at: now)
        candidates.insist(on: card.peer.prefix, .toSplit, at: now)
    }

    // MARK: - Making room

    mutating func mayMakeRoom(at now: Instant) -> Bool {
        overlay.evictions.take(of: MeshLimit.evictions, at: now)
    }

    /// There is a link too many. If the newcomer has another place, one neighbour is asked to link with it and then to give its
    /// link to us up, so that there is always a way between the two; else a link is given up at once.
    mutating func makeRoom(for newcomer: OpenedLink, theirRoom: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let victim = victim(for: newcomer.peer) else { return }
        guard theirRoom > 0, let card = newcomer.card else {
            overlay.gaveUp(register.rows[victim].peer)
            return giveUp(victim, at: now, into: &effects)
        }
        let offer = Walk(kind: .offer, timeToLive: 0, origin: card)
        effects.append(.send(.walk(offer), to: register.rows[victim].id))
        overlay.offered(at: now)
    }

    mutating func giveUp(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        endLink(index, Goodbye(.full, "its place went to another"), .rearranged, at: now, into: &effects)
    }

    /// Links that nobody took over in time are given up.
    ///
    /// - Parameter standing: offers that may still be taken up.
    private mutating func trim(beyond standing: Int, at now: Instant, into effects: inout [MeshEffect]) {
        while register.ordinaryCount > options.activeMax + standing, let victim = victim(for: nil) {
            overlay.gaveUp(register.rows[victim].peer)
            giveUp(victim, at: now, into: &effects)
        }
    }

    /// The link that is missed least: not one by which much of the mesh is reached; one that others brought about before one of
    /// ours, so that strangers who come in numbers displace one another and not the peers we chose; by lot among equals.
    private mutating func victim(for newcomer: PeerID?) -> Int? {
        let linked = register.rows.indices.filter { index in
            let link = register.rows[index]
            return link.isConnected && !link.isExtra && link.peer != newcomer
        }
        let ranks = linked.map { index in
            let link = register.rows[index]
            let people = presences.count(via: link.id)
            let isBridge = people > 1 && people * 3 > presences.persons.count
            return (isBridge ? 2 : 0) + (link.isChosen ? 1 : 0)
        }
        guard let least = ranks.min() else { return nil }
        return zip(linked, ranks).filter { $0.1 == least }.map(\.0).randomElement(using: &generator)
    }

    // MARK: - Addresses

    /// An address as it may be believed, and passed on: what a neighbour says of itself is what we see of it, and what it says
    /// of others is not about ourselves and not about its own machine.
    private func believable(_ card: PeerCard, from giver: OpenedLink) -> PeerCard? {
        if card.peer == giver.peer { return giver.card }
        guard card.peer != me else { return nil }
        switch card.reach {
        case .nobody: return nil
        case .loopback: return giver.card?.reach == .loopback ? card : nil
        case .oneMachine: return card
        }
    }

    private mutating func remember(_ card: PeerCard, isOffered: Bool, at now: Instant) {
        candidates.told(card, isOffered: isOffered, mayDial: mayLink(card.peer), at: now)
    }

    private mutating func learn(_ cards: [PeerCard], from giver: OpenedLink, at now: Instant) {
        // Whose reserve is full takes some, to stay fresh.
        var left = candidates.isReserveFull ? MeshLimit.shuffleFreshMax : cards.count
        for card in cards where left > 0 && !candidates.knows(card) {
            guard let card = believable(card, from: giver), !register.isLinked(card.peer.prefix) else { continue }
            remember(card, isOffered: false, at: now)
            left -= 1
        }
    }

    /// Some neighbours and some candidates, drawn by lot.
    mutating func cards(countMax: Int, without excluded: PeerID) -> [PeerCard] {
        var cards: [PeerCard] = []
        for index in register.rows.indices where register.rows[index].isConnected {
            if let card = register.rows[index].opened.card, card.peer != excluded { cards.append(card) }
        }
        cards.shuffle(using: &generator)
        if cards.count > MeshLimit.shuffleNeighboursMax {
            cards.removeLast(cards.count - MeshLimit.shuffleNeighboursMax)
        }
        for card in candidates.cards(countMax: countMax - cards.count) where card.peer != excluded {
            cards.append(card)
        }
        return cards
    }

    private mutating func shuffle(into effects: inout [MeshEffect]) {
        guard let link = otherLinks(without: nil).randomElement(using: &generator) else { return }
        let cards = [PeerCard.own(me)] + cards(countMax: Shuffle.cardsMax - 1, without: me)
        let shuffle = Shuffle(direction: .request, timeToLive: MeshLimit.shuffleSteps, origin: me, cards: cards)
        effects.append(.send(.shuffle(shuffle), to: link))
    }

    mutating func shuffled(_ shuffle: Shuffle, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let giver = register.rows[index].opened
        switch (register.rows[index].phase, shuffle.direction) {
        case (.connected, .request) where shuffle.origin != me:
            guard register[at: index].shuffles.take(of: MeshLimit.shuffles, at: now) else {
                return refusals.add(.overlay)
            }
            passOn(shuffle, from: register.rows[index].id, giver, at: now, into: &effects)
        case (.connected, .answer) where shuffle.origin == me:
            if overlay.answered(at: now) { learn(shuffle.cards, from: giver, at: now) }
        case (.connected, .answer):
            guard let next = overlay.giver(of: shuffle.origin), register.isConnected(next) else { return }
            let answer = Shuffle(
                direction: .answer, timeToLive: 0, origin: shuffle.origin, cards: believable(shuffle.cards, from: giver)
            )
            effects.append(.send(.shuffle(answer), to: next))
        case (.inviting, .answer) where shuffle.origin == me:
            // It comes before a refusal: others who may have the room that is missing here.
            learn(shuffle.cards, from: giver, at: now)
        case (.connected, .request), (.inviting, _), (.awaitingInvitation, _), (.asking, _), (.closing, _): break
        }
    }

    private func believable(_ cards: [PeerCard], from giver: OpenedLink) -> [PeerCard] {
        let isAsGiven = cards.allSatisfy { card in
            card.reach == .oneMachine && card.peer.prefix != giver.peer.prefix && card.peer.prefix != me.prefix
        }
        return isAsGiven ? cards : cards.compactMap { believable($0, from: giver) }
    }

    private mutating func passOn(
        _ shuffle: Shuffle, from link: LinkID, _ giver: OpenedLink, at now: Instant, into effects: inout [MeshEffect]
    ) {
        let cards = believable(shuffle.cards, from: giver)
        let timeToLive = min(shuffle.timeToLive, MeshLimit.shuffleSteps)
        let others = otherLinks(without: link, and: shuffle.origin)
        if timeToLive > 0, let next = others.randomElement(using: &generator) {
            overlay.passed(shuffle.origin, from: link)
            let passed = Shuffle(
                direction: .request, timeToLive: timeToLive - 1, origin: shuffle.origin, cards: cards)
            effects.append(.send(.shuffle(passed), to: next))
            return
        }
        let answer = Shuffle(
            direction: .answer, timeToLive: 0, origin: shuffle.origin,
            cards: self.cards(countMax: Shuffle.cardsMax, without: shuffle.origin))
        effects.append(.send(.shuffle(answer), to: link))
        learn(cards, from: giver, at: now)
    }

    // MARK: - A mesh that has come apart

    /// Somebody is in sight of whom no presence comes: they are in another part of the mesh, or nobody would be refused for
    /// want of room for ever. One of them at a time is linked with even if both are full.
    private mutating func merge(at now: Instant) {
        guard options.policy == .auto, room == 0, presences.persons.count > 1 else { return }
        let here = Set(presences.persons.values.filter(\.presence.isHere).map(\.record.author.prefix))
        if candidates.insistOnStranger(notIn: here, at: now) { return }
        // A liar between two parts may pass presences on and swallow all else. So now and then anybody in sight will do.
        guard Int.random(in: 0..<MeshLimit.mergeAnybodyOneIn, using: &generator) == 0 else { return }
        _ = candidates.insistOnStranger(notIn: [], at: now)
    }
}
