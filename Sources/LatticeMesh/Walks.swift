import LatticeCore
import LatticeWire
import OrderedCollections

/// Walks that find a slot: those for ourselves and for newcomers, and those of others that come by here.
struct Walks: Sendable {
    /// Row `i` belongs to link `i` of `LinkRegister`.
    private var rows: [TokenBucket] = []
    /// When to search for a neighbour.
    private(set) var seekAt: Instant?
    private var seekDelay = MeshLimit.seekDelayMin
    /// Walks over the rate limit.
    private(set) var refusedCount = 0

    mutating func linkOpened() {
        rows.append(TokenBucket())
    }

    mutating func linkRemoved(at index: Int) {
        rows.remove(at: index)
    }

    // MARK: - When

    mutating func linkConnected(at now: Instant, freeSlots: Int, using generator: inout SeededGenerator) {
        if freeSlots == 0 {
            rest()
        } else if seekAt == nil {
            seekAt = now + seekDelay.jittered(using: &generator)
        }
    }

    /// A neighbour is gone: search for another soon.
    mutating func seekSoon(at now: Instant) {
        seekDelay = MeshLimit.seekDelayMin
        let soon = now + seekDelay
        seekAt = min(seekAt ?? soon, soon)
    }

    /// No searches until a link opens or closes.
    mutating func rest() {
        seekAt = nil
        seekDelay = MeshLimit.seekDelayMin
    }

    mutating func pause() {
        seekAt = nil
    }

    /// - Returns: whether a search is due.
    mutating func seeks(at now: Instant, using generator: inout SeededGenerator) -> Bool {
        guard let time = seekAt, time <= now else { return false }
        seekDelay = min(seekDelay * 2, MeshLimit.seekDelayMax)
        seekAt = now + seekDelay.jittered(using: &generator)
        return true
    }

    // MARK: - Ours

    /// Searches for a peer with a free slot. If two slots are free here, any peer will do, because it can split one of
    /// its links.
    mutating func seek(
        freeSlots: Int, in register: LinkRegister, _ presences: PresenceTable, _ facts: MeshFacts,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        guard freeSlots > 0 else { return rest() }
        guard !Self.isEverybodyLinked(in: register, presences, facts),
            let link = register.connected(without: nil).randomElement(using: &generator)
        else { return }
        let walk =
            freeSlots > 1
            ? Walk(kind: .join, timeToLive: MeshLimit.joinWalkSteps, origin: .own(facts.me))
            : Walk(kind: .seek, timeToLive: MeshLimit.seekWalkSteps, origin: .own(facts.me))
        effects.append(.send(.walk(walk), to: link))
    }

    /// Whether every known peer is a neighbour, so that there is nobody to search for.
    private static func isEverybodyLinked(
        in register: LinkRegister, _ presences: PresenceTable, _ facts: MeshFacts
    ) -> Bool {
        presences.persons.count > 1
            && presences.persons.values.allSatisfy { person in
                let peer = person.record.author
                return facts.isOwn(peer) || !person.presence.isHere || register.connectedLink(to: peer) != nil
            }
    }

    /// Sends join walks for a newcomer whose first link is with us.
    ///
    /// - Parameter room: the newcomer's free slots.
    static func sendJoinWalks(
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

    // MARK: - Theirs

    enum Verdict: Hashable, Sendable {
        case isDone
        /// We are linked with the peer offered in exchange for the link that the walk came by.
        case isTakenOver
        /// The walk ends here without a free slot: only a split gives the newcomer one.
        case needsSplit(PeerCard)
    }

    /// - Parameters:
    ///   - slots: slots here that no dial will take.
    ///   - candidates: remembers the newcomer if it should be dialled.
    mutating func walked(
        _ walk: Walk, by index: Int, slots: Int, in register: LinkRegister, _ facts: MeshFacts,
        _ candidates: inout Candidates, at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) -> Verdict {
        guard rows[index].take(of: MeshLimit.walks, at: now) else {
            refusedCount += 1
            return .isDone
        }
        let giver = register.rows[index].id
        guard let card = walk.origin.believed(from: register.rows[index].opened, me: facts.me) else { return .isDone }
        let isLinked = register.isLinked(card.peer.prefix)
        // A walk for a peer that the policy forbids goes on to others, as if no slot were free here.
        let hasSlot = !isLinked && slots > 0 && facts.mayLinkUnseen(card.peer)
        let timeToLive = min(walk.timeToLive, walk.kind == .seek ? MeshLimit.seekWalkSteps : MeshLimit.joinWalkSteps)
        let others = register.connected(without: giver, and: card.peer)
        let next = timeToLive > 0 ? others.randomElement(using: &generator) : nil
        switch walk.kind {
        case .offer:
            guard register.connectedLink(to: card.peer) == nil else { return .isTakenOver }
            candidates.told(card, isOffered: true, facts, at: now)
            if facts.mayLinkUnseen(card.peer) { candidates.insist(on: card.peer.prefix, .toReplace(giver), at: now) }
            return .isDone
        case .seek:
            if hasSlot {
                candidates.told(card, isOffered: true, facts, at: now)
                return .isDone
            }
        case .join:
            let isFarEnough = timeToLive <= MeshLimit.joinWalkSteps - MeshLimit.joinWalkStepsMin || next == nil
            if hasSlot, isFarEnough {
                candidates.told(card, isOffered: true, facts, at: now)
                return .isDone
            }
            if !isLinked, timeToLive == MeshLimit.joinWalkRememberedAt {
                candidates.told(card, isOffered: false, facts, at: now)
            }
            if !isLinked, next == nil { return .needsSplit(card) }
        }
        guard let next else { return .isDone }
        effects.append(.send(.walk(Walk(kind: walk.kind, timeToLive: timeToLive - 1, origin: card)), to: next))
        return .isDone
    }
}
