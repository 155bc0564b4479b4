import LatticeCore
import LatticeWire

// Invitations: who asks whom, who says yes, and who makes room for whom.
//
// A peer has `activeMax` places. A link takes one at each end. Where one end has none free, it splits a link of its own
// instead: the newcomer comes between it and a neighbour, which takes two places of the newcomer and none of theirs. So
// a newcomer finds its places however full the mesh is, and nobody loses one for it.
extension Mesh {
    /// Places that are free, those that invitations under way may take not counted.
    var room: Int {
        max(0, options.activeMax - register.placesTaken)
    }

    /// Links that are wanted and neither there nor under way.
    var roomToDial: Int {
        max(0, room - candidates.dialCount)
    }

    // MARK: - Ours

    mutating func invite(
        _ id: LinkID, _ opened: OpenedLink, insistence: Candidate.Insistence, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let others = register.indices(to: opened.peer)
        let phase = LinkRow.Phase.inviting(until: now + MeshLimit.invitationTimeout)
        let room = room
        let isLonely = register.connectedCount == 0
        var link = LinkRow(id: id, opened: opened, phase: phase)
        if case .toReplace(let replaced) = insistence { link.replaces = replaced }
        link.isChosen = insistence == .none || insistence == .urgent
        let index = add(link, at: now)
        for other in others where register.rows[other].opened.instance != opened.instance {
            closeDuplicate(other, into: &effects)
        }
        let isLinkedAlready = others.contains { index in
            let other = register.rows[index]
            return other.opened.instance == opened.instance && (other.isConnected || other.isOurs)
        }
        candidates.linked(opened.peer, at: opened.address)
        if isLinkedAlready {
            closeDuplicate(index, into: &effects)
        } else if register.countInUse > MeshLimit.linksMax || (room == 0 && insistence == .none) {
            endLink(index, Goodbye(.full, "enough others answered first"), .rearranged, at: now, into: &effects)
        } else {
            let invitation = Invitation(
                mesh: options.mesh, context: options.context, isUrgent: insistence == .urgent || isLonely,
                room: UInt8(clamping: link.replaces == nil ? room : max(1, room)))
            effects.append(.send(.invitation(invitation), to: id))
        }
        register.tell(opened, into: &effects)
    }

    mutating func wasAccepted(by index: Int, room theirs: UInt8, at now: Instant, into effects: inout [MeshEffect]) {
        let link = register.rows[index]
        guard case .inviting = link.phase else {
            // It answered before it read that we had given the link up.
            if link.phase != .closing { fault("an answer to no question", index, at: now, &effects) }
            return
        }
        connect(index, at: now, into: &effects)
        if let replaced = link.replaces.flatMap(register.index), register.rows[replaced].isConnected {
            giveUp(replaced, at: now, into: &effects)
        } else if link.replaces != nil, register.connectedCount > options.activeMax {
            // The slot it was to take is gone. Nobody else's is taken for it: one neighbour can offer many.
            giveUp(index, at: now, into: &effects)
        } else if register.ordinaryCount > options.activeMax {
            makeRoom(for: link.opened, theirRoom: Int(theirs), at: now, into: &effects)
        }
    }

    mutating func wasRefused(by index: Int, _ refusal: Refusal, at now: Instant, into effects: inout [MeshEffect]) {
        let phase = register.rows[index].phase
        guard case .inviting = phase else {
            if phase != .closing { fault("a refusal of nothing", index, at: now, &effects) }
            return
        }
        endLink(index, Goodbye(.refused, ""), .refused(refusal), at: now, into: &effects)
    }

    // MARK: - Theirs

    mutating func invited(
        _ invitation: Invitation, by index: Int, at now: Instant, into effects: inout [MeshEffect]
    ) {
        let link = register.rows[index]
        guard case .awaitingInvitation = link.phase else {
            if link.phase != .closing { fault("a second invitation", index, at: now, &effects) }
            return
        }
        guard invitation.mesh == options.mesh else { return refuse(index, .otherMesh, at: now, into: &effects) }
        let others = register.indices(to: link.peer).filter { $0 != index }
        let isDuplicate = others.contains { other in
            register.rows[other].opened.instance == link.opened.instance && mayCross(other, at: now)
        }
        if isDuplicate {
            // Should it be dead after all, it has not answered when the other tries again.
            for other in others where register.rows[other].isConnected && !liveness.isDoubted(other) {
                let id = register.rows[other].id
                liveness.doubt(other, id, step: facts.step, at: now, using: &generator, into: &effects)
            }
            return refuse(index, .duplicate, at: now, into: &effects)
        }
        let asked = LinkRow.Asked(room: invitation.room, isUrgent: invitation.isUrgent)
        switch options.policy {
        case .auto: answer(asked, of: index, at: now, into: &effects)
        case .ask where mayLink(link.peer), .contacts where mayLink(link.peer):
            answer(asked, of: index, at: now, into: &effects)
        case .ask:
            register[at: index].phase = .asking(until: now + MeshLimit.invitationTimeout)
            register[at: index].asked = asked
            effects.append(.ask(link.peer, link.opened.name, context: invitation.context))
        case .contacts: refuse(index, .notAContact, at: now, into: &effects)
        case .none: refuse(index, .closed, at: now, into: &effects)
        }
    }

    /// Whether an invitation of the same peer on another link may have been on its way when this link came about, so that this one
    /// stays. Nobody invites on a second link while it has a first that it began: it has given that one up, whatever we see of it.
    private func mayCross(_ index: Int, at now: Instant) -> Bool {
        let other = register.rows[index]
        guard other.isOurs, !liveness.isDoubted(index) else { return false }
        switch other.phase {
        case .connected(let since): return now - since < MeshLimit.crossingWindow
        case .inviting: return me < other.peer && now - liveness.heardAt(index) < MeshLimit.crossingWindow
        case .awaitingInvitation, .asking, .closing: return false
        }
    }

    /// A person's word on an invitation.
    mutating func answered(_ peer: PeerID, accept: Bool, at now: Instant, into effects: inout [MeshEffect]) {
        guard !facts.blocked.contains(peer) else { return }
        if accept { approved.insert(peer) }
        for index in register.indices(to: peer) {
            guard case .asking = register.rows[index].phase, let asked = register.rows[index].asked else { continue }
            if accept {
                answer(asked, of: index, at: now, into: &effects)
            } else {
                refuse(index, .declined, at: now, into: &effects)
            }
            return
        }
        if accept, !register.isLinked(peer.prefix) { _ = candidates.want(peer.prefix, at: now) }
    }

    /// Who may link links if there is room, or room can be made.
    private mutating func answer(
        _ asked: LinkRow.Asked, of index: Int, at now: Instant, into effects: inout [MeshEffect]
    ) {
        let link = register.rows[index]
        let others = register.indices(to: link.peer).filter { $0 != index }
        let mine = max(0, options.activeMax - register.placesTaken + others.count { register.rows[$0].takesPlace })
        let theirs = Int(asked.room)
        // Who was given up and comes back reaches nobody else, however the places are dealt: a hub among peers that cannot
        // reach one another has as many links as it takes.
        let isExtra =
            mine == 0 && overlay.hasNobodyElse(link.peer, isUrgent: asked.isUrgent)
            && register.countInUse < MeshLimit.linksMax
        let fits =
            if mine == 0 {
                (theirs > 1 || asked.isUrgent) && (isExtra || mayMakeRoom(at: now))
            } else {
                theirs > 0 || mine > 1 || asked.isUrgent
            }
        guard fits else { return refuseForRoom(index, at: now, into: &effects) }
        effects.append(.send(.accept(room: UInt8(clamping: max(0, mine - 1))), to: link.id))
        let isFirstLink = asked.isUrgent && theirs > 1
        register[at: index].isExtra = isExtra
        connect(index, at: now, into: &effects)
        // Any other link to the same peer is of an earlier start of it, dead, or the one that yields.
        for other in others { closeDuplicate(other, into: &effects) }
        if isExtra { return }
        if mine == 0 {
            makeRoom(for: link.opened, theirRoom: max(0, theirs - 1), at: now, into: &effects)
        }
        if isFirstLink {
            sendJoinWalks(for: index, places: mine == 0 ? theirs - 2 : theirs - 1, isFull: mine == 0, into: &effects)
        }
    }

    mutating func refuse(_ index: Int, _ refusal: Refusal, at now: Instant, into effects: inout [MeshEffect]) {
        effects.append(.send(.refuse(refusal), to: register.rows[index].id))
        endLink(index, Goodbye(.refused, ""), .refusedByUs(refusal), at: now, into: &effects)
    }

    /// Who is refused for want of room is told of others.
    private mutating func refuseForRoom(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let link = register.rows[index]
        let cards = cards(countMax: Shuffle.cardsMax, without: link.peer)
        if !cards.isEmpty {
            let shuffle = Shuffle(direction: .answer, timeToLive: 0, origin: link.peer, cards: cards)
            effects.append(.send(.shuffle(shuffle), to: link.id))
        }
        refuse(index, .full, at: now, into: &effects)
    }

    // MARK: - Connected

    private mutating func connect(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let opened = register.rows[index].opened
        register[at: index].phase = .connected(since: now)
        register[at: index].connectedAt = now
        register[at: index].asked = nil
        broadcast.linkConnected(index, step: facts.step)
        candidates.linked(opened.peer, at: opened.address)
        register.tell(opened, into: &effects)
        overlay.linked(at: now, room: room, using: &generator)
        broadcast.introduce(to: index, opened.peer, presences, facts, at: now, into: &effects)
        broadcast.sendUnconfirmed(to: index, step: facts.step, into: &effects)
        antiEntropy.linkConnected(register.rows[index], at: now, into: &effects)
    }

    mutating func closeDuplicate(_ index: Int, into effects: inout [MeshEffect]) {
        closeLink(index, Goodbye(.duplicate, "another link is kept"), into: &effects)
    }
}
