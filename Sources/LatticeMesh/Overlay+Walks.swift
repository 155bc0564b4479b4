import LatticeCore
import LatticeWire
import OrderedCollections

// Walks, shuffles, and merging the parts of a split mesh.
extension Overlay {
    // MARK: - Walks

    /// Searches for a peer with a free slot. If two slots are free here, any peer will do, because it can split one of
    /// its links.
    mutating func seek(
        in register: LinkRegister, _ presences: PresenceTable, _ facts: MeshFacts,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        let free = freeSlots(in: register, facts)
        guard free > 0 else { return timers.rest() }
        guard !isEverybodyLinked(in: register, presences, facts),
            let link = register.connected(without: nil).randomElement(using: &generator)
        else { return }
        let walk =
            free > 1
            ? Walk(kind: .join, timeToLive: MeshLimit.joinWalkSteps, origin: .own(facts.me))
            : Walk(kind: .seek, timeToLive: MeshLimit.seekWalkSteps, origin: .own(facts.me))
        effects.append(.send(.walk(walk), to: link))
    }

    /// Whether every known peer is a neighbour, so that there is nobody to search for.
    private func isEverybodyLinked(
        in register: LinkRegister, _ presences: PresenceTable, _ facts: MeshFacts
    ) -> Bool {
        presences.persons.count > 1
            && presences.persons.values.allSatisfy { person in
                let peer = person.record.author
                return facts.isOwn(peer) || !person.presence.isHere || register.connectedLink(to: peer) != nil
            }
    }

    /// Sends join walks for a newcomer whose first link is with us.
    func sendJoinWalks(
        for newcomer: LinkRow, room: Int, isFull: Bool, in register: LinkRegister,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        guard let card = newcomer.opened.card else { return }
        // If everybody is full, a walk ends in a split, which takes two of the newcomer's slots; a full peer has taken
        // two already.
        let count = isFull ? (room - 2) / 2 : room - 1
        let others = register.connected(without: newcomer.id).shuffled(using: &generator).prefix(max(0, count))
        let walk = Walk(kind: .join, timeToLive: MeshLimit.joinWalkSteps, origin: card)
        for link in others { effects.append(.send(.walk(walk), to: link)) }
    }

    /// - Returns: whether to close the link that it came by, because we are linked with the peer offered in exchange.
    mutating func walked(
        _ walk: Walk, by index: Int, in register: LinkRegister, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) -> Bool {
        let giver = register.rows[index].id
        guard takesWalk(index, at: now) else { return false }
        guard let card = believable(walk.origin, from: register.rows[index].opened, me: facts.me) else { return false }
        let isLinked = register.isLinked(card.peer.prefix)
        // A walk for a peer that the policy forbids goes on to others, as if no slot were free here.
        let hasSlot = !isLinked && slotsToDial(in: register, facts) > 0 && facts.mayLink(card.peer)
        let timeToLive = min(walk.timeToLive, walk.kind == .seek ? MeshLimit.seekWalkSteps : MeshLimit.joinWalkSteps)
        let others = register.connected(without: giver, and: card.peer)
        let next = timeToLive > 0 ? others.randomElement(using: &generator) : nil
        switch walk.kind {
        case .offer:
            guard register.connectedLink(to: card.peer) == nil else { return true }
            remember(card, isOffered: true, facts, at: now)
            if facts.mayLink(card.peer) { candidates.insist(on: card.peer.prefix, .toReplace(giver), at: now) }
            return false
        case .seek:
            if hasSlot {
                remember(card, isOffered: true, facts, at: now)
                return false
            }
        case .join:
            let isFarEnough = timeToLive <= MeshLimit.joinWalkSteps - MeshLimit.joinWalkStepsMin || next == nil
            if hasSlot, isFarEnough {
                remember(card, isOffered: true, facts, at: now)
                return false
            }
            if !isLinked, timeToLive == MeshLimit.joinWalkRememberedAt {
                remember(card, isOffered: false, facts, at: now)
            }
            if !isLinked, next == nil { split(for: card, in: register, facts, at: now) }
        }
        guard let next else { return false }
        effects.append(.send(.walk(Walk(kind: walk.kind, timeToLive: timeToLive - 1, origin: card)), to: next))
        return false
    }

    /// A peer without a free slot dials the newcomer anyway, to put it between itself and a neighbour.
    private mutating func split(
        for card: PeerCard, in register: LinkRegister, _ facts: MeshFacts, at now: Instant
    ) {
        guard register.connectedCount > 1, facts.mayLink(card.peer), mayMakeSlot(at: now) else { return }
        remember(card, isOffered: true, facts, at: now)
        candidates.insist(on: card.peer.prefix, .toSplit, at: now)
    }

    // MARK: - Addresses

    /// The card as far as it can be believed and passed on. For the neighbour itself we use the address that we see;
    /// what it says about others must not concern us or name its own machine's loopback.
    private func believable(_ card: PeerCard, from giver: OpenedLink, me: PeerID) -> PeerCard? {
        if card.peer == giver.peer { return giver.card }
        guard card.peer != me else { return nil }
        switch card.reach {
        case .nobody: return nil
        case .loopback: return giver.card?.reach == .loopback ? card : nil
        case .oneMachine: return card
        }
    }

    private func believable(_ cards: [PeerCard], from giver: OpenedLink, me: PeerID) -> [PeerCard] {
        let isAsGiven = cards.allSatisfy { card in
            card.reach == .oneMachine && card.peer.prefix != giver.peer.prefix && card.peer.prefix != me.prefix
        }
        return isAsGiven ? cards : cards.compactMap { believable($0, from: giver, me: me) }
    }

    private mutating func remember(_ card: PeerCard, isOffered: Bool, _ facts: MeshFacts, at now: Instant) {
        candidates.told(card, isOffered: isOffered, mayDial: facts.mayLink(card.peer), at: now)
    }

    private mutating func learn(
        _ cards: [PeerCard], from giver: OpenedLink, in register: LinkRegister, _ facts: MeshFacts, at now: Instant
    ) {
        // A full passive view still takes a few new entries, to stay fresh.
        var left = candidates.isReserveFull ? MeshLimit.shuffleFreshMax : cards.count
        for card in cards where left > 0 && !candidates.knows(card) {
            guard let card = believable(card, from: giver, me: facts.me), !register.isLinked(card.peer.prefix) else {
                continue
            }
            remember(card, isOffered: false, facts, at: now)
            left -= 1
        }
    }

    /// Random neighbours and candidates.
    private mutating func cards(
        countMax: Int, without excluded: PeerID, in register: LinkRegister, using generator: inout SeededGenerator
    ) -> [PeerCard] {
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

    // MARK: - Shuffles

    mutating func shuffle(
        in register: LinkRegister, me: PeerID, using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        guard let link = register.connected(without: nil).randomElement(using: &generator) else { return }
        let others = cards(countMax: Shuffle.cardsMax - 1, without: me, in: register, using: &generator)
        let shuffle = Shuffle(
            direction: .request, timeToLive: MeshLimit.shuffleSteps, origin: me, cards: [PeerCard.own(me)] + others)
        effects.append(.send(.shuffle(shuffle), to: link))
    }

    /// A peer that is refused because no slot is free gets the addresses of others.
    mutating func sendOthers(
        to link: LinkRow, in register: LinkRegister, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        let cards = cards(countMax: Shuffle.cardsMax, without: link.peer, in: register, using: &generator)
        guard !cards.isEmpty else { return }
        let shuffle = Shuffle(direction: .answer, timeToLive: 0, origin: link.peer, cards: cards)
        effects.append(.send(.shuffle(shuffle), to: link.id))
    }

    mutating func shuffled(
        _ shuffle: Shuffle, by index: Int, in register: LinkRegister, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        let giver = register.rows[index].opened
        switch (register.rows[index].phase, shuffle.direction) {
        case (.connected, .request) where shuffle.origin != facts.me:
            guard takesShuffle(index, at: now) else { return }
            passOn(shuffle, by: index, in: register, facts, at: now, using: &generator, into: &effects)
        case (.connected, .answer) where shuffle.origin == facts.me:
            if timers.answered(at: now) { learn(shuffle.cards, from: giver, in: register, facts, at: now) }
        case (.connected, .answer):
            guard let next = timers.giver(of: shuffle.origin), register.isConnected(next) else { return }
            let cards = believable(shuffle.cards, from: giver, me: facts.me)
            let answer = Shuffle(direction: .answer, timeToLive: 0, origin: shuffle.origin, cards: cards)
            effects.append(.send(.shuffle(answer), to: next))
        case (.inviting, .answer) where shuffle.origin == facts.me:
            // It comes just before a refusal: addresses of peers that may have a free slot.
            learn(shuffle.cards, from: giver, in: register, facts, at: now)
        case (.connected, .request), (.inviting, _), (.awaitingInvitation, _), (.asking, _), (.closing, _): break
        }
    }

    private mutating func passOn(
        _ shuffle: Shuffle, by index: Int, in register: LinkRegister, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        let (link, giver) = (register.rows[index].id, register.rows[index].opened)
        let cards = believable(shuffle.cards, from: giver, me: facts.me)
        let timeToLive = min(shuffle.timeToLive, MeshLimit.shuffleSteps)
        let others = register.connected(without: link, and: shuffle.origin)
        if timeToLive > 0, let next = others.randomElement(using: &generator) {
            timers.passed(shuffle.origin, from: link)
            let passed = Shuffle(
                direction: .request, timeToLive: timeToLive - 1, origin: shuffle.origin, cards: cards)
            effects.append(.send(.shuffle(passed), to: next))
            return
        }
        let own = self.cards(
            countMax: Shuffle.cardsMax, without: shuffle.origin, in: register, using: &generator)
        let answer = Shuffle(direction: .answer, timeToLive: 0, origin: shuffle.origin, cards: own)
        effects.append(.send(.shuffle(answer), to: link))
        learn(cards, from: giver, in: register, facts, at: now)
    }

    // MARK: - A split mesh

    /// A sighted peer that sends no presence is probably in another part of a split mesh; otherwise some peers would be
    /// refused forever for lack of a slot. We link with one such peer at a time even if both are full.
    mutating func merge(
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
