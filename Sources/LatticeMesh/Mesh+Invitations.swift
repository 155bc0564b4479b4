import LatticeCore
import LatticeWire

// A link from its opening to `connected`: carries out what the machines decide.
extension Mesh {
    // MARK: - Ours

    mutating func invite(
        _ id: LinkID, _ opened: OpenedLink, insistence: Candidate.Insistence, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let others = register.indices(to: opened.peer)
        let free = overlay.freeSlots(in: register, facts)
        let isLonely = register.connectedCount == 0
        let phase = LinkRow.Phase.inviting(until: now + MeshLimit.invitationTimeout)
        let index = add(LinkRow(id: id, opened: opened, phase: phase), insistence, at: now)
        for other in others where register.rows[other].opened.instance != opened.instance {
            closeDuplicate(other, into: &effects)
        }
        overlay.linked(opened)
        switch invitations.opened(
            index, others: others, insistence: insistence, free: free, isLonely: isLonely, in: register, options)
        {
        case .invite(let invitation): effects.append(.send(.invitation(invitation), to: id))
        case .isDuplicate: closeDuplicate(index, into: &effects)
        case .isSurplus:
            endLink(index, Goodbye(.full, "enough others answered first"), .rearranged, at: now, into: &effects)
        }
        register.report(opened, into: &effects)
    }

    mutating func wasAccepted(by index: Int, room: UInt8, at now: Instant, into effects: inout [MeshEffect]) {
        guard isInviting(index, "an answer to no question", at: now, into: &effects) else { return }
        connect(index, at: now, into: &effects)
        let surplus = overlay.accepted(
            index, theirRoom: Int(room), in: register, presences, facts, at: now, using: &generator, into: &effects)
        if let surplus { giveUp(surplus, at: now, into: &effects) }
    }

    mutating func wasRefused(by index: Int, _ refusal: Refusal, at now: Instant, into effects: inout [MeshEffect]) {
        guard isInviting(index, "a refusal of nothing", at: now, into: &effects) else { return }
        endLink(index, Goodbye(.refused, ""), .refused(refusal), at: now, into: &effects)
    }

    /// Whether this link waits for an answer to our invitation. An answer to one that we closed is ignored: the peer may
    /// have sent it before it read our goodbye.
    private mutating func isInviting(
        _ index: Int, _ what: String, at now: Instant, into effects: inout [MeshEffect]
    ) -> Bool {
        switch register.rows[index].phase {
        case .inviting: return true
        case .closing: return false
        case .awaitingInvitation, .asking, .connected:
            fault(what, index, at: now, &effects)
            return false
        }
    }

    // MARK: - Theirs

    mutating func awaitInvitation(
        _ id: LinkID, _ opened: OpenedLink, at now: Instant, into effects: inout [MeshEffect]
    ) {
        if let stranger = invitations.awaited(in: register) {
            endLink(stranger, Goodbye(.timeout, "others came before you invited"), .silent, at: now, into: &effects)
        }
        let isFull = register.countInUse >= MeshLimit.linksMax
        let phase = LinkRow.Phase.awaitingInvitation(until: now + MeshLimit.invitationTimeout)
        let index = add(LinkRow(id: id, opened: opened, phase: phase), at: now)
        if isFull {
            invitations.linksAreFull()
            let goodbye = Goodbye(.tooManyLinks, "no room for another link here")
            return endLink(index, goodbye, .refusedByUs(.tooManyLinks), at: now, into: &effects)
        }
        register.report(opened, into: &effects)
    }

    mutating func invited(
        _ invitation: Invitation, by index: Int, at now: Instant, into effects: inout [MeshEffect]
    ) {
        switch invitations.invited(invitation, by: index, in: register, liveness, facts, at: now) {
        case .admit(let asked, let others): admit(asked, index, others: others, at: now, into: &effects)
        case .ask:
            let opened = register.rows[index].opened
            register[at: index].phase = .asking(until: now + MeshLimit.invitationTimeout)
            effects.append(.ask(opened.peer, opened.name, context: invitation.context))
        case .refuse(let refusal): refuse(index, refusal, at: now, into: &effects)
        case .isDuplicate(let others):
            // If the kept link is dead after all, it has not answered this ping when the other peer tries again.
            for other in others where register.rows[other].isConnected && !liveness.isDoubted(other) {
                let id = register.rows[other].id
                liveness.doubt(other, id, step: facts.step, at: now, using: &generator, into: &effects)
            }
            refuse(index, .duplicate, at: now, into: &effects)
        case .isFault: fault("a second invitation", index, at: now, &effects)
        case .isLate: break
        }
    }

    /// A person's answer to an invitation.
    mutating func answered(_ peer: PeerID, accept: Bool, at now: Instant, into effects: inout [MeshEffect]) {
        guard !facts.blocked.contains(peer) else { return }
        if accept { facts.approved.insert(peer) }
        guard let (index, asked) = invitations.answered(peer, in: register) else {
            if accept { overlay.wanted(peer.prefix, in: register, facts, at: now) }
            return
        }
        guard accept else { return refuse(index, .declined, at: now, into: &effects) }
        let others = register.indices(to: peer).filter { $0 != index }
        admit(asked, index, others: others, at: now, into: &effects)
    }

    private mutating func admit(
        _ asked: Invitations.Asked, _ index: Int, others: [Int], at now: Instant, into effects: inout [MeshEffect]
    ) {
        let link = register.rows[index]
        guard let admission = overlay.admit(asked, on: index, others: others, in: register, facts, at: now) else {
            overlay.sendOthers(to: link, in: register, using: &generator, into: &effects)
            return refuse(index, .full, at: now, into: &effects)
        }
        effects.append(.send(.accept(room: admission.left), to: link.id))
        connect(index, at: now, into: &effects)
        // Any other link to this peer belongs to an earlier start of it, is dead, or is the one that yields.
        for other in others { closeDuplicate(other, into: &effects) }
        if admission.isExtra { return }
        let theirs = Int(asked.room)
        if admission.isFull {
            let surplus = overlay.makeSlot(
                for: link.opened, theirRoom: max(0, theirs - 1), in: register, presences, at: now, using: &generator,
                into: &effects)
            if let surplus { giveUp(surplus, at: now, into: &effects) }
        }
        // Its first link: join walks lead it to others.
        if asked.isUrgent, theirs > 1 {
            Walks.sendJoinWalks(
                for: link, room: theirs, isFull: admission.isFull, in: register, using: &generator, into: &effects)
        }
    }

    mutating func refuse(_ index: Int, _ refusal: Refusal, at now: Instant, into effects: inout [MeshEffect]) {
        effects.append(.send(.refuse(refusal), to: register.rows[index].id))
        endLink(index, Goodbye(.refused, ""), .refusedByUs(refusal), at: now, into: &effects)
    }

    // MARK: - Connected

    private mutating func connect(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let opened = register.rows[index].opened
        register[at: index].connected(at: now)
        invitations.linkConnected(index)
        broadcast.linkConnected(index, step: facts.step)
        register.report(opened, into: &effects)
        overlay.linkConnected(opened, in: register, facts, at: now, using: &generator)
        broadcast.introduce(to: index, opened.peer, presences, facts, at: now, into: &effects)
        broadcast.sendUnconfirmed(to: index, step: facts.step, into: &effects)
        antiEntropy.linkConnected(register.rows[index], at: now, into: &effects)
    }
}
