import LatticeCore
import LatticeWire

// Invitations that a program asks for and waits for.
extension Membership {
    /// A link to this peer on which we wait for an answer to another invitation gives way: it has another context.
    mutating func inviting(
        _ target: AnnouncedPeer, context: [UInt8], patience: Duration, _ records: inout Dissemination,
        _ facts: MeshFacts, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let candidate = overlay.candidates[target], candidate.peer.map(facts.isBlocked) != true else {
            return effects.append(.invitationEnded(target, .unknown))
        }
        if let link = register.rows.first(where: { $0.isConnected && $0.peer.prefix == candidate.peer }) {
            return effects.append(.invitationEnded(target, .accepted(link.peer, link.opened.name)))
        }
        guard own.begin(target, context: context, patience: patience) else {
            return effects.append(.invitationEnded(target, .tooMany))
        }
        overlay.candidates.want(target, at: now)
        for index in register.rows.indices where overlay.candidates.isLink(to: register.rows[index].peer, target) {
            guard case .inviting = register.rows[index].phase else { continue }
            let goodbye = Goodbye(.timeout, "another invitation follows")
            end(index, goodbye, .rearranged, &records, facts, at: now, into: &effects)
        }
    }

    /// The program does not wait any longer: an invitation without an answer is taken back.
    mutating func withdrawn(
        _ target: AnnouncedPeer, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let waiting = own.end(target.key)
        if let index = waiting?.link.flatMap(register.index), case .inviting = register.rows[index].phase {
            let goodbye = Goodbye(.timeout, "the invitation was withdrawn")
            end(index, goodbye, .left, &records, facts, at: now, into: &effects)
        }
        overlay.candidates.unwanted(target.key, facts)
    }

    mutating func noteAccepted(_ opened: OpenedLink, _ facts: MeshFacts, into effects: inout [MeshEffect]) {
        for target in own.connected(opened.peer, as: overlay.candidates.aliases(of: opened.peer)) {
            overlay.candidates.unwanted(target.key, facts)
            effects.append(.invitationEnded(target, .accepted(opened.peer, opened.name)))
        }
    }

    /// - Parameter refusal: of a link that has ended.
    mutating func noteRefused(_ gone: LinkRow, _ refusal: Refusal, _ facts: MeshFacts, into effects: inout [MeshEffect])
    {
        // Another link to the peer is kept, and its end decides.
        guard refusal != .duplicate else { return }
        for target in own.refused(on: gone.id) {
            overlay.candidates.unwanted(target.key, facts)
            effects.append(.invitationEnded(target, .refused(gone.peer, refusal)))
        }
    }

    /// Refuses the invitation that a person here is asked about.
    mutating func declined(
        _ peer: PeerID, _ refusal: Refusal, on link: LinkID?, _ records: inout Dissemination, _ facts: MeshFacts,
        at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let (index, _) = invitations.answered(peer, on: link, in: register) else { return }
        refuse(index, refusal, &records, facts, at: now, into: &effects)
    }
}
