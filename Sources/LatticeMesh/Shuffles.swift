import DequeModule
import LatticeCore
import LatticeWire

/// Shuffles keep the known addresses fresh: ours, and those of others that come by here.
struct Shuffles: Sendable {
    private struct Passing: Sendable {
        let origin: PeerID
        let giver: LinkID
    }

    /// Row `i` belongs to link `i` of `LinkRegister`.
    private var rows: [TokenBucket] = []
    /// When our next shuffle is due.
    private(set) var shuffleAt: Instant?
    private var shuffleDelay = MeshLimit.shuffleDelayMin
    /// The deadline for an answer to our own shuffle.
    private var answerUntil: Instant?
    /// Shuffles of others that we relayed, and the links that their answers go to.
    private var passing: Deque<Passing> = []
    /// Shuffles over the rate limit.
    private(set) var refusedCount = 0

    mutating func linkOpened() {
        rows.append(TokenBucket())
    }

    mutating func linkRemoved(at index: Int) {
        rows.remove(at: index)
    }

    // MARK: - When

    mutating func linkConnected(at now: Instant, using generator: inout SeededGenerator) {
        if shuffleAt == nil { shuffleAt = now + shuffleDelay.jittered(using: &generator) }
    }

    mutating func pause() {
        shuffleAt = nil
    }

    /// - Parameter isHungry: few addresses are known, so the delay doubles instead of jumping to its maximum.
    /// - Returns: whether a shuffle is due.
    mutating func isDue(at now: Instant, isHungry: Bool, using generator: inout SeededGenerator) -> Bool {
        guard let time = shuffleAt, time <= now else { return false }
        shuffleDelay = isHungry ? min(shuffleDelay * 2, MeshLimit.shuffleDelayMax) : MeshLimit.shuffleDelayMax
        shuffleAt = now + shuffleDelay.jittered(using: &generator)
        answerUntil = now + MeshLimit.shuffleTimeout
        return true
    }

    // MARK: - Ours

    static func shuffle(
        _ candidates: inout Candidates, in register: LinkRegister, me: PeerID,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        guard let link = register.connected(without: nil).randomElement(using: &generator) else { return }
        let others = cards(countMax: Shuffle.cardsMax - 1, without: me, &candidates, in: register, using: &generator)
        let shuffle = Shuffle(
            direction: .request, timeToLive: MeshLimit.shuffleSteps, origin: me, cards: [PeerCard.own(me)] + others)
        effects.append(.send(.shuffle(shuffle), to: link))
    }

    /// A peer that is refused because no slot is free gets the addresses of others.
    static func sendOthers(
        to link: LinkRow, _ candidates: inout Candidates, in register: LinkRegister,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        let cards = cards(
            countMax: Shuffle.cardsMax, without: link.peer, &candidates, in: register, using: &generator)
        guard !cards.isEmpty else { return }
        let shuffle = Shuffle(direction: .answer, timeToLive: 0, origin: link.peer, cards: cards)
        effects.append(.send(.shuffle(shuffle), to: link.id))
    }

    /// Random neighbours and candidates.
    private static func cards(
        countMax: Int, without excluded: PeerID, _ candidates: inout Candidates, in register: LinkRegister,
        using generator: inout SeededGenerator
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

    // MARK: - Theirs

    /// - Parameter candidates: learns addresses, and gives some.
    mutating func shuffled(
        _ shuffle: Shuffle, by index: Int, _ candidates: inout Candidates, in register: LinkRegister,
        _ facts: MeshFacts, at now: Instant, using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        let giver = register.rows[index].opened
        switch (register.rows[index].phase, shuffle.direction) {
        case (.connected, .request) where shuffle.origin != facts.me:
            guard rows[index].take(of: MeshLimit.shuffles, at: now) else {
                refusedCount += 1
                return
            }
            passOn(shuffle, by: index, &candidates, in: register, facts, at: now, using: &generator, into: &effects)
        case (.connected, .answer) where shuffle.origin == facts.me:
            if isAnswered(at: now) { candidates.learn(shuffle.cards, from: giver, in: register, facts, at: now) }
        case (.connected, .answer):
            guard let next = takeGiver(of: shuffle.origin), register.isConnected(next) else { return }
            let cards = shuffle.cards.believed(from: giver, me: facts.me)
            let answer = Shuffle(direction: .answer, timeToLive: 0, origin: shuffle.origin, cards: cards)
            effects.append(.send(.shuffle(answer), to: next))
        case (.inviting, .answer) where shuffle.origin == facts.me:
            // It comes just before a refusal: addresses of peers that may have a free slot.
            candidates.learn(shuffle.cards, from: giver, isMember: false, in: register, facts, at: now)
        case (.connected, .request), (.inviting, _), (.awaitingInvitation, _), (.asking, _), (.closing, _): break
        }
    }

    private mutating func passOn(
        _ shuffle: Shuffle, by index: Int, _ candidates: inout Candidates, in register: LinkRegister,
        _ facts: MeshFacts, at now: Instant, using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        let (link, giver) = (register.rows[index].id, register.rows[index].opened)
        let cards = shuffle.cards.believed(from: giver, me: facts.me)
        let timeToLive = min(shuffle.timeToLive, MeshLimit.shuffleSteps)
        let others = register.connected(without: link, and: shuffle.origin)
        if timeToLive > 0, let next = others.randomElement(using: &generator) {
            remember(shuffle.origin, from: link)
            let passed = Shuffle(
                direction: .request, timeToLive: timeToLive - 1, origin: shuffle.origin, cards: cards)
            effects.append(.send(.shuffle(passed), to: next))
            return
        }
        let own = Self.cards(
            countMax: Shuffle.cardsMax, without: shuffle.origin, &candidates, in: register, using: &generator)
        let answer = Shuffle(direction: .answer, timeToLive: 0, origin: shuffle.origin, cards: own)
        effects.append(.send(.shuffle(answer), to: link))
        candidates.learn(cards, from: giver, in: register, facts, at: now)
    }

    private mutating func remember(_ origin: PeerID, from giver: LinkID) {
        if passing.count >= MeshLimit.shufflesUnderWayMax { passing.removeFirst() }
        passing.append(Passing(origin: origin, giver: giver))
    }

    /// The link that gets the answer to this peer's shuffle; each shuffle is answered once.
    private mutating func takeGiver(of origin: PeerID) -> LinkID? {
        guard let index = passing.lastIndex(where: { $0.origin == origin }) else { return nil }
        return passing.remove(at: index).giver
    }

    /// An answer to our own shuffle has come.
    ///
    /// - Returns: whether we were waiting for one.
    private mutating func isAnswered(at now: Instant) -> Bool {
        guard let until = answerUntil, now <= until else { return false }
        answerUntil = nil
        return true
    }
}

extension Candidates {
    /// - Parameter isMember: whether the giver has let us in; what others say of peers makes no members.
    fileprivate mutating func learn(
        _ cards: [PeerCard], from giver: OpenedLink, isMember: Bool = true, in register: LinkRegister,
        _ facts: MeshFacts, at now: Instant
    ) {
        // A full passive view still takes a few new entries, to stay fresh.
        var left = isReserveFull ? MeshLimit.shuffleFreshMax : cards.count
        for card in cards where left > 0 && !knows(card) {
            guard let card = card.believed(from: giver, me: facts.me), !register.isLinked(card.peer.prefix) else {
                continue
            }
            let mayDial = isMember ? facts.mayLinkUnseen(card.peer) : facts.mayDial(card.peer)
            told(card, isOffered: false, mayDial: mayDial, at: now)
            left -= 1
        }
    }
}
