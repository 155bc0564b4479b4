import LatticeCore
import LatticeWire

// Sighted peers that a program invites, and members that are linked again without asking.
extension Overlay {
    /// The candidate that a dial is for.
    func target(of opened: OpenedLink) -> Candidate.Key? {
        opened.dial.flatMap { candidates.dials[$0]?.key }
    }

    /// A link has ended, and the peer has no other.
    mutating func membershipEnded(_ gone: LinkRow, _ end: LinkEnd, _ facts: MeshFacts, at now: Instant) {
        guard facts.options.keepsMembers else { return }
        guard facts.mayDial(gone.peer) else { return candidates.leave(gone.peer) }
        switch end {
        case .silent, .broken, .addressGone:
            // It may have been found by nobody here: it invited, or discovery has ended.
            guard gone.connectedAt != nil, let card = gone.opened.card else { return }
            candidates.told(card, isOffered: false, mayDial: true, at: now)
        case .goodbye, .refused, .refusedByUs, .fault, .left, .rearranged, .blocked, .dial, .otherThere: break
        }
    }
}
