import LatticeCore
import LatticeWire

// Sighted peers that a program invites.
extension Candidates {
    subscript(target: AnnouncedPeer) -> Candidate? {
        table.index(of: target.key).map { table.all[$0] }
    }

    /// Dials this candidate even if no slot is free, until `unwanted`.
    mutating func want(_ target: AnnouncedPeer, at now: Instant) {
        guard let index = table.index(of: target.key) else { return }
        table[index].isWanted = true
        table[index].insistence = .urgent
        table[index].failures = 0
        switch table[index].phase {
        case .dialling, .linked: break
        case .resting, .waiting: table[index].phase = .waiting(until: now)
        }
    }

    /// Whether this peer is known as that candidate.
    func isLink(to peer: PeerID, _ target: AnnouncedPeer) -> Bool {
        target.key == .peer(peer.prefix) || self[target]?.id == peer
    }

    /// Nobody waits for this candidate any more. It is dialled later only if that needs nobody who asks for it.
    mutating func unwanted(_ key: Candidate.Key, _ facts: MeshFacts) {
        guard let index = table.index(of: key) else { return }
        table[index].isWanted = false
        table[index].insistence = .none
        let dialsEverybody = facts.options.policy == .auto && facts.options.dialsSighted
        let mayDial = table[index].id.map(facts.mayDial) ?? dialsEverybody
        if !mayDial, table[index].phase != .linked { table[index].phase = .resting }
        forgetIfNowhere(index)
    }

    /// The link to this candidate was closed before anything was sent on it.
    mutating func turnedAway(_ key: Candidate.Key) {
        guard let index = table.index(of: key), table.all[index].phase == .linked else { return }
        table[index].phase = .resting
        forgetIfNowhere(index)
    }

    /// The aliases under which this peer is known.
    func aliases(of peer: PeerID) -> [Candidate.Key] {
        table.all.filter { $0.isAlias && $0.id == peer }.map(\.key)
    }

    /// This peer is dialled only if a program asks for it.
    mutating func leave(_ peer: PeerID) {
        for key in [.peer(peer.prefix)] + aliases(of: peer) {
            guard let index = table.index(of: key), table.all[index].waitsUntil != nil else { continue }
            if !table.all[index].isWanted { table[index].phase = .resting }
        }
    }
}
