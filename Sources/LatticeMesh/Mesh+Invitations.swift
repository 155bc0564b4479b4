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
        let others = register.rows(to: opened.peer)
        let phase = LinkRow.Phase.inviting(until: now + MeshLimit.invitationTimeout)
        let room = room
        let isLonely = register.connectedCount == 0
        var neighbour = LinkRow(id: id, opened: opened, phase: phase, heardAt: now)
        if case .toReplace(let link) = insistence { neighbour.replaces = link }
        neighbour.isChosen = insistence == .none || insistence == .urgent
        add(neighbour)
        for stale in others where stale.opened.instance != opened.instance { closeDuplicate(stale.id, into: &effects) }
        let isLinkedAlready = others.contains { other in
            other.opened.instance == opened.instance && (other.isConnected || other.isOurs)
        }
        candidates.linked(opened.peer, at: opened.address)
        if isLinkedAlready {
            closeDuplicate(id, into: &effects)
        } else if register.countInUse > MeshLimit.linksMax || (room == 0 && insistence == .none) {
            register.close(id, Goodbye(.full, "enough others answered first"), into: &effects)
            linkEnded(neighbour, .rearranged, at: now, into: &effects)
        } else {
            let invitation = Invitation(
                mesh: options.mesh, context: options.context, isUrgent: insistence == .urgent || isLonely,
                room: UInt8(clamping: neighbour.replaces == nil ? room : max(1, room)))
            effects.append(.send(.invitation(invitation), to: id))
        }
        register.tell(opened, into: &effects)
    }

    mutating func wasAccepted(
        by neighbour: LinkRow, room theirs: UInt8, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard case .inviting = neighbour.phase else {
            // It answered before it read that we had given the link up.
            if neighbour.phase != .closing { fault("an answer to no question", neighbour, at: now, &effects) }
            return
        }
        connect(neighbour.id, at: now, into: &effects)
        if let replaced = neighbour.replaces.flatMap({ register[$0] }), replaced.isConnected {
            giveUp(replaced, at: now, into: &effects)
        } else if neighbour.replaces != nil, register.connectedCount > options.activeMax {
            // The place it was to take is gone. Nobody else's is taken for it: one neighbour can offer many.
            if let late = register[neighbour.id] { giveUp(late, at: now, into: &effects) }
        } else if register.ordinaryCount > options.activeMax {
            makeRoom(for: neighbour, theirRoom: Int(theirs), at: now, into: &effects)
        }
    }

    mutating func wasRefused(
        by neighbour: LinkRow, _ refusal: Refusal, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard case .inviting = neighbour.phase else {
            if neighbour.phase != .closing { fault("a refusal of nothing", neighbour, at: now, &effects) }
            return
        }
        register.close(neighbour.id, Goodbye(.refused, ""), into: &effects)
        linkEnded(neighbour, .refused(refusal), at: now, into: &effects)
    }

    // MARK: - Theirs

    mutating func invited(
        _ invitation: Invitation, by neighbour: LinkRow, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard case .awaitingInvitation = neighbour.phase else {
            if neighbour.phase != .closing { fault("a second invitation", neighbour, at: now, &effects) }
            return
        }
        guard invitation.mesh == options.mesh else { return refuse(neighbour, .otherMesh, at: now, into: &effects) }
        let others = register.rows(to: neighbour.peer).filter { $0.id != neighbour.id }
        let isDuplicate = others.contains { other in
            guard other.opened.instance == neighbour.opened.instance else { return false }
            return mayCross(other, at: now)
        }
        if isDuplicate {
            // Should it be dead after all, it has not answered when the other tries again.
            for other in others where other.isConnected && !other.isDoubted { doubt(other.id, at: now, into: &effects) }
            return refuse(neighbour, .duplicate, at: now, into: &effects)
        }
        let asked = LinkRow.Asked(room: invitation.room, isUrgent: invitation.isUrgent)
        switch options.policy {
        case .auto: answer(asked, of: neighbour, at: now, into: &effects)
        case .ask where mayLink(neighbour.peer), .contacts where mayLink(neighbour.peer):
            answer(asked, of: neighbour, at: now, into: &effects)
        case .ask:
            register.update(neighbour.id) { neighbour in
                neighbour.phase = .asking(until: now + MeshLimit.invitationTimeout)
                neighbour.asked = asked
            }
            effects.append(.ask(neighbour.peer, neighbour.opened.name, context: invitation.context))
        case .contacts: refuse(neighbour, .notAContact, at: now, into: &effects)
        case .none: refuse(neighbour, .closed, at: now, into: &effects)
        }
    }

    /// Whether an invitation of the same peer on another link may have been on its way when this link came about, so that this one
    /// stays. Nobody invites on a second link while it has a first that it began: it has given that one up, whatever we see of it.
    private func mayCross(_ other: LinkRow, at now: Instant) -> Bool {
        guard other.isOurs, !other.isDoubted else { return false }
        switch other.phase {
        case .connected(let since): return now - since < MeshLimit.crossingWindow
        case .inviting: return me < other.peer && now - other.heardAt < MeshLimit.crossingWindow
        case .awaitingInvitation, .asking, .closing: return false
        }
    }

    /// A person's word on an invitation.
    mutating func answered(_ peer: PeerID, accept: Bool, at now: Instant, into effects: inout [MeshEffect]) {
        guard !facts.blocked.contains(peer) else { return }
        if accept { approved.insert(peer) }
        for neighbour in register.rows(to: peer) {
            guard case .asking = neighbour.phase, let asked = neighbour.asked else { continue }
            if accept {
                answer(asked, of: neighbour, at: now, into: &effects)
            } else {
                refuse(neighbour, .declined, at: now, into: &effects)
            }
            return
        }
        if accept, !register.isLinked(peer.prefix) { _ = candidates.want(peer.prefix, at: now) }
    }

    /// Who may link links if there is room, or room can be made.
    private mutating func answer(
        _ asked: LinkRow.Asked, of neighbour: LinkRow, at now: Instant, into effects: inout [MeshEffect]
    ) {
        let others = register.rows(to: neighbour.peer).filter { $0.id != neighbour.id }
        let mine = max(0, options.activeMax - register.placesTaken + others.count { $0.takesPlace })
        let theirs = Int(asked.room)
        // Who was given up and comes back reaches nobody else, however the places are dealt: a hub among peers that cannot
        // reach one another has as many links as it takes.
        let isExtra =
            mine == 0 && overlay.hasNobodyElse(neighbour.peer, isUrgent: asked.isUrgent)
            && register.countInUse < MeshLimit.linksMax
        let fits =
            if mine == 0 {
                (theirs > 1 || asked.isUrgent) && (isExtra || mayMakeRoom(at: now))
            } else {
                theirs > 0 || mine > 1 || asked.isUrgent
            }
        guard fits else { return refuseForRoom(neighbour, at: now, into: &effects) }
        effects.append(.send(.accept(room: UInt8(clamping: max(0, mine - 1))), to: neighbour.id))
        let isFirstLink = asked.isUrgent && theirs > 1
        register.update(neighbour.id) { $0.isExtra = isExtra }
        connect(neighbour.id, at: now, into: &effects)
        // Any other link to the same peer is of an earlier start of it, dead, or the one that yields.
        for other in others { closeDuplicate(other.id, into: &effects) }
        if isExtra { return }
        if mine == 0 {
            makeRoom(for: neighbour, theirRoom: max(0, theirs - 1), at: now, into: &effects)
        }
        if isFirstLink {
            sendJoinWalks(
                for: neighbour, places: mine == 0 ? theirs - 2 : theirs - 1, isFull: mine == 0, into: &effects)
        }
    }

    mutating func refuse(
        _ neighbour: LinkRow, _ refusal: Refusal, at now: Instant, into effects: inout [MeshEffect]
    ) {
        effects.append(.send(.refuse(refusal), to: neighbour.id))
        register.close(neighbour.id, Goodbye(.refused, ""), into: &effects)
        linkEnded(neighbour, .refusedByUs(refusal), at: now, into: &effects)
    }

    /// Who is refused for want of room is told of others.
    private mutating func refuseForRoom(_ neighbour: LinkRow, at now: Instant, into effects: inout [MeshEffect]) {
        let cards = cards(countMax: Shuffle.cardsMax, without: neighbour.peer)
        if !cards.isEmpty {
            let shuffle = Shuffle(direction: .answer, timeToLive: 0, origin: neighbour.peer, cards: cards)
            effects.append(.send(.shuffle(shuffle), to: neighbour.id))
        }
        refuse(neighbour, .full, at: now, into: &effects)
    }

    // MARK: - Connected

    private mutating func connect(_ id: LinkID, at now: Instant, into effects: inout [MeshEffect]) {
        guard let opened = register[id]?.opened else { return }
        register.update(id) { neighbour in
            neighbour.phase = .connected(since: now)
            neighbour.connectedAt = now
            neighbour.asked = nil
            neighbour.beEager(from: facts.step)
        }
        candidates.linked(opened.peer, at: opened.address)
        register.tell(opened, into: &effects)
        overlay.linked(at: now, room: room, using: &generator)
        introduce(to: id, opened.peer, at: now, into: &effects)
        sendUnconfirmed(to: id, into: &effects)
        beginSync(with: id, at: now, into: &effects)
    }

    mutating func closeDuplicate(_ id: LinkID, into effects: inout [MeshEffect]) {
        register.close(id, Goodbye(.duplicate, "another link is kept"), into: &effects)
    }
}
