import LatticeCore
import LatticeWire

// What a neighbour says about addresses, as far as it can be believed and passed on.
extension PeerCard {
    /// For the neighbour itself we use the address that we see; what it says about others must not concern us or name
    /// its own machine's loopback.
    func believed(from giver: OpenedLink, me: PeerID) -> PeerCard? {
        if peer == giver.peer { return giver.card }
        guard peer != me else { return nil }
        switch reach {
        case .nobody: return nil
        case .loopback: return giver.card?.reach == .loopback ? self : nil
        case .oneMachine: return self
        }
    }
}

extension [PeerCard] {
    func believed(from giver: OpenedLink, me: PeerID) -> [PeerCard] {
        let isAsGiven = allSatisfy { card in
            card.reach == .oneMachine && card.peer.prefix != giver.peer.prefix && card.peer.prefix != me.prefix
        }
        return isAsGiven ? self : compactMap { $0.believed(from: giver, me: me) }
    }
}

extension Candidates {
    mutating func told(_ card: PeerCard, isOffered: Bool, _ facts: MeshFacts, at now: Instant) {
        told(card, isOffered: isOffered, mayDial: facts.mayLinkUnseen(card.peer), at: now)
    }
}

extension Duration {
    /// A random duration from half of this to all of it, so that peers that started together drift apart.
    func jittered(using generator: inout SeededGenerator) -> Duration {
        let half = nanoseconds / 2
        return .nanoseconds(half + Int64.random(in: 0...half, using: &generator))
    }
}
