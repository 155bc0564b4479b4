import LatticeCore
import LatticeWire

// A link from its opening until it is connected.
extension Membership {
    // MARK: - Ours

    mutating func invite(
        _ id: LinkID, _ opened: OpenedLink, insistence: Candidate.Insistence, _ waiting: OwnInvitations.Waiting?,
        _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant, into effects: inout [MeshEffect]
    ) {
        let others = register.indices(to: opened.peer)
        let free = overlay.freeSlots(in: register, facts)
        let isLonely = register.connectedCount == 0
        let patience = waiting?.patience ?? MeshLimit.invitationTimeout
        let phase = LinkRow.Phase.inviting(until: now + patience)
        let index = add(LinkRow(id: id, opened: opened, phase: phase), insistence: insistence, &records, facts, at: now)
        for other in others where register.rows[other].opened.instance != opened.instance {
            closeDuplicate(other, &records, into: &effects)
        }
        overlay.linked(opened)
        switch invitations.opened(
            index, others: others, insistence: insistence, free: free, isLonely: isLonely,
            context: waiting?.context, in: register, facts.options)
        {
        case .invite(let invitation): effects.append(.send(.invitation(invitation), to: id))
        case .isDuplicate: closeDuplicate(index, &records, into: &effects)
        case .isSurplus:
            let goodbye = Goodbye(.full, "enough others answered first")
            end(index, goodbye, .rearranged, &records, facts, at: now, into: &effects)
        }
        register.report(opened, into: &effects)
    }

    mutating func wasAccepted(
        by index: Int, room: UInt8, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        guard isInviting(index, "an answer to no question", &records, facts, at: now, into: &effects) else { return }
        connect(index, &records, facts, at: now, using: &generator, into: &effects)
        let surplus = overlay.accepted(
            index, theirRoom: Int(room), in: register, records.presences, facts, at: now, using: &generator,
            into: &effects)
        if let surplus { giveUp(surplus, &records, facts, at: now, into: &effects) }
    }

    mutating func wasRefused(
        by index: Int, _ refusal: Refusal, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard isInviting(index, "a refusal of nothing", &records, facts, at: now, into: &effects) else { return }
        let gone = register.rows[index]
        end(index, Goodbye(.refused, ""), .refused(refusal), &records, facts, at: now, into: &effects)
        noteRefused(gone, refusal, facts, into: &effects)
    }

    /// Whether this link waits for an answer to our invitation. An answer to one that we closed is ignored: the peer may
    /// have sent it before it read our goodbye.
    private mutating func isInviting(
        _ index: Int, _ what: String, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) -> Bool {
        switch register.rows[index].phase {
        case .inviting: return true
        case .closing: return false
        case .awaitingInvitation, .asking, .connected:
            fault(what, index, &records, facts, at: now, into: &effects)
            return false
        }
    }

    // MARK: - Theirs

    mutating func awaitInvitation(
        _ id: LinkID, _ opened: OpenedLink, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        if let stranger = invitations.awaited(in: register) {
            let goodbye = Goodbye(.timeout, "others came before you invited")
            end(stranger, goodbye, .silent, &records, facts, at: now, into: &effects)
        }
        let isFull = register.countInUse >= MeshLimit.linksMax
        let phase = LinkRow.Phase.awaitingInvitation(until: now + MeshLimit.invitationTimeout)
        let index = add(LinkRow(id: id, opened: opened, phase: phase), &records, facts, at: now)
        if isFull {
            invitations.linksAreFull()
            let goodbye = Goodbye(.tooManyLinks, "no room for another link here")
            return end(index, goodbye, .refusedByUs(.tooManyLinks), &records, facts, at: now, into: &effects)
        }
        register.report(opened, into: &effects)
    }

    mutating func invited(
        _ invitation: Invitation, by index: Int, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        switch invitations.invited(invitation, by: index, in: register, liveness, facts, at: now) {
        case .admit(let asked, let others):
            admit(asked, index, others: others, &records, facts, at: now, using: &generator, into: &effects)
        case .ask:
            let opened = register.rows[index].opened
            register[at: index].phase = .asking(until: now + facts.options.answerTime)
            effects.append(.ask(opened.peer, opened.name, context: invitation.context, on: register.rows[index].id))
        case .refuse(let refusal): refuse(index, refusal, &records, facts, at: now, into: &effects)
        case .isDuplicate(let others):
            // If the kept link is dead after all, it has not answered this ping when the other peer tries again.
            for other in others where register.rows[other].isConnected && !liveness.isDoubted(other) {
                let id = register.rows[other].id
                liveness.doubt(other, id, step: facts.step, at: now, using: &generator, into: &effects)
            }
            refuse(index, .duplicate, &records, facts, at: now, into: &effects)
        case .isFault: fault("a second invitation", index, &records, facts, at: now, into: &effects)
        case .isLate: break
        }
    }

    /// A person's answer to an invitation.
    mutating func answered(
        _ peer: PeerID, accept: Bool, on link: LinkID?, _ records: inout Dissemination, _ facts: MeshFacts,
        at now: Instant, using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        guard let (index, asked) = invitations.answered(peer, on: link, in: register) else {
            if accept { overlay.wanted(peer.prefix, in: register, facts, at: now) }
            return
        }
        guard accept else { return refuse(index, .declined, &records, facts, at: now, into: &effects) }
        let others = register.indices(to: peer).filter { $0 != index }
        admit(asked, index, others: others, &records, facts, at: now, using: &generator, into: &effects)
    }

    private mutating func admit(
        _ asked: Invitations.Asked, _ index: Int, others: [Int], _ records: inout Dissemination, _ facts: MeshFacts,
        at now: Instant, using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        let link = register.rows[index]
        guard let admission = overlay.admit(asked, on: index, others: others, in: register, facts, at: now) else {
            overlay.sendOthers(to: link, in: register, using: &generator, into: &effects)
            return refuse(index, .full, &records, facts, at: now, into: &effects)
        }
        effects.append(.send(.accept(room: admission.left), to: link.id))
        connect(index, &records, facts, at: now, using: &generator, into: &effects)
        // Any other link to this peer belongs to an earlier start of it, is dead, or is the one that yields.
        for other in others { closeDuplicate(other, &records, into: &effects) }
        if admission.isExtra { return }
        let theirs = Int(asked.room)
        if admission.isFull {
            let surplus = overlay.makeSlot(
                for: link.opened, theirRoom: max(0, theirs - 1), in: register, records.presences, at: now,
                using: &generator, into: &effects)
            if let surplus { giveUp(surplus, &records, facts, at: now, into: &effects) }
        }
        // Its first link: join walks lead it to others.
        if asked.isUrgent, theirs > 1 {
            Walks.sendJoinWalks(
                for: link, room: theirs, isFull: admission.isFull, in: register, using: &generator, into: &effects)
        }
    }

    mutating func refuse(
        _ index: Int, _ refusal: Refusal, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        effects.append(.send(.refuse(refusal), to: register.rows[index].id))
        end(index, Goodbye(.refused, ""), .refusedByUs(refusal), &records, facts, at: now, into: &effects)
    }
}
