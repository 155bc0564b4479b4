import LatticeCore
import LatticeWire
import OrderedCollections

// Links from their handshake to their end: invitations, duplicates, liveness.
extension Mesh {
    mutating func linkOpened(_ id: LinkID, _ opened: OpenedLink, at now: Instant, into effects: inout [MeshEffect]) {
        let reached = opened.dial.map { candidates.reached($0, opened.peer, at: now) }
        guard opened.peer != me else { return linkedWithSelf(id, opened, reached, at: now, into: &effects) }
        guard !hasLeft else { return turnAway(id, opened, Goodbye(.leaving, "it left"), at: now, into: &effects) }
        guard mayInvite(opened, reached) else {
            return turnAway(id, opened, Goodbye(.refused, "somebody else was expected"), at: now, into: &effects)
        }
        let phase: Neighbour.Phase =
            opened.dial == nil
            ? .awaitingInvitation(until: now + MeshLimit.invitationTimeout)
            : .inviting(until: now + MeshLimit.invitationTimeout)
        let others = neighbours.links(to: opened.peer)
        if opened.dial == nil { makeRoomForStranger(at: now, into: &effects) }
        let isFull = neighbours.countInUse >= MeshLimit.linksMax
        let neighbour = Neighbour(id: id, opened: opened, phase: phase, heardAt: now)
        neighbours.add(neighbour)
        if isFull {
            neighbours.close(id, Goodbye(.tooManyLinks, "no room for another link here"), into: &effects)
            linkEnded(neighbour, .refusedByUs(.tooManyLinks), at: now, into: &effects)
            return
        }
        guard opened.dial != nil else {
            neighbours.tell(opened, into: &effects)
            return
        }
        for stale in others where stale.opened.instance != opened.instance { closeDuplicate(stale.id, into: &effects) }
        let isLinkedAlready = others.contains { other in
            other.opened.instance == opened.instance && (other.isConnected || other.isOurs)
        }
        if isLinkedAlready {
            closeDuplicate(id, into: &effects)
        } else {
            effects.append(.send(.invitation(Invitation(mesh: options.mesh, context: options.context)), to: id))
        }
        candidates.linked(opened.peer)
        neighbours.tell(opened, into: &effects)
    }

    mutating func linkClosed(_ id: LinkID, _ end: LinkEnd, at now: Instant, into effects: inout [MeshEffect]) {
        guard let gone = neighbours.remove(id), gone.phase != .closing else { return }
        linkEnded(gone, end, at: now, into: &effects)
    }

    mutating func received(_ frame: Frame, on id: LinkID, at now: Instant, into effects: inout [MeshEffect]) {
        guard let neighbour = neighbours[id] else { return }
        neighbours[id]?.heardAt = now
        switch frame {
        case .goodbye, .rekey, .record: break  // handled where the link and the records are
        case .ping(let nonce): effects.append(.send(.pong(nonce: nonce), to: id))
        case .pong(let nonce): ponged(nonce, by: neighbour, at: now)
        case .invitation(let invitation): invited(invitation, by: neighbour, at: now, into: &effects)
        case .accept(room: _):
            guard case .inviting = neighbour.phase else {
                return fault("an answer to no question", neighbour, at: now, &effects)
            }
            connect(id, at: now, into: &effects)
        case .refuse(let refusal):
            guard case .inviting = neighbour.phase else {
                return fault("a refusal of nothing", neighbour, at: now, &effects)
            }
            neighbours.close(id, Goodbye(.refused, ""), into: &effects)
            linkEnded(neighbour, .refused(refusal), at: now, into: &effects)
        case .probe(let probe):
            guard neighbour.isConnected else {
                return fault("a probe before an invitation", neighbour, at: now, &effects)
            }
            probed(probe, by: neighbour, at: now, into: &effects)
        case .have, .graft, .prune, .walk, .shuffle: break  // every record goes to everybody, unasked
        }
    }

    mutating func answered(_ peer: PeerID, accept: Bool, at now: Instant, into effects: inout [MeshEffect]) {
        if accept { approved.insert(peer) }
        for neighbour in neighbours.links(to: peer) {
            guard case .asking = neighbour.phase else { continue }
            if accept {
                accepted(neighbour, at: now, into: &effects)
            } else {
                refuse(neighbour, .declined, at: now, into: &effects)
            }
            return
        }
        if accept, !neighbours.isLinked(peer.prefix) { _ = candidates.want(peer.prefix, at: now) }
    }

    mutating func leave(into effects: inout [MeshEffect]) {
        hasLeft = true
        for id in neighbours.links.keys {
            neighbours.close(id, Goodbye(.leaving, "it left"), into: &effects)
        }
    }

    private mutating func linkedWithSelf(
        _ id: LinkID, _ opened: OpenedLink, _ reached: Candidates.Reached?, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        if case .expected(let sighting, _) = reached {
            if sighting.source == .given { effects.append(.dialledSelf(opened.address)) }
            candidates.forget(sighting.address)
        }
        turnAway(id, opened, Goodbye(.duplicate, "this is yourself"), at: now, into: &effects)
    }

    /// Closes a link before anything was said on it.
    private mutating func turnAway(
        _ id: LinkID, _ opened: OpenedLink, _ goodbye: Goodbye, at now: Instant, into effects: inout [MeshEffect]
    ) {
        neighbours.add(Neighbour(id: id, opened: opened, phase: .closing, heardAt: now))
        effects.append(.close(id, goodbye))
    }

    /// Whether somebody whom we dialled, and whose key is proven now, is one we may link with: what mDNS announced of
    /// them proved nothing.
    private func mayInvite(_ opened: OpenedLink, _ reached: Candidates.Reached?) -> Bool {
        switch reached {
        case nil, .forgotten: opened.dial == nil || options.policy == .auto
        case .mistaken: false
        case .expected(_, isWanted: true): true
        case .expected(_, isWanted: false):
            options.policy == .auto || options.contacts.contains(opened.peer) || approved.contains(opened.peer)
        }
    }

    private mutating func makeRoomForStranger(at now: Instant, into effects: inout [MeshEffect]) {
        let strangers = neighbours.links.values.filter(\.isUninvited)
        guard strangers.count >= MeshLimit.uninvitedMax, let oldest = strangers.first else { return }
        neighbours.close(oldest.id, Goodbye(.timeout, "others came before you invited"), into: &effects)
        linkEnded(oldest, .silent, at: now, into: &effects)
    }

    // MARK: - Invitations

    private mutating func invited(
        _ invitation: Invitation, by neighbour: Neighbour, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard case .awaitingInvitation = neighbour.phase else {
            return fault("a second invitation", neighbour, at: now, &effects)
        }
        guard invitation.mesh == options.mesh else { return refuse(neighbour, .otherMesh, at: now, into: &effects) }
        let others = neighbours.links(to: neighbour.peer).filter { $0.id != neighbour.id }
        let isDuplicate = others.contains { other in
            guard other.opened.instance == neighbour.opened.instance else { return false }
            switch other.phase {
            case .connected(let since): return now - since < MeshLimit.crossingWindow
            case .inviting: return me < neighbour.peer
            case .awaitingInvitation, .asking, .closing: return false
            }
        }
        if isDuplicate { return refuse(neighbour, .duplicate, at: now, into: &effects) }
        switch options.policy {
        case .auto: accepted(neighbour, at: now, into: &effects)
        case .ask where approved.contains(neighbour.peer) || options.contacts.contains(neighbour.peer),
            .contacts where options.contacts.contains(neighbour.peer):
            accepted(neighbour, at: now, into: &effects)
        case .ask:
            neighbours[neighbour.id]?.phase = .asking(until: now + MeshLimit.invitationTimeout)
            effects.append(.ask(neighbour.peer, neighbour.opened.name, context: invitation.context))
        case .contacts: refuse(neighbour, .notAContact, at: now, into: &effects)
        case .none: refuse(neighbour, .closed, at: now, into: &effects)
        }
    }

    private mutating func accepted(_ neighbour: Neighbour, at now: Instant, into effects: inout [MeshEffect]) {
        effects.append(.send(.accept(room: 0), to: neighbour.id))
        connect(neighbour.id, at: now, into: &effects)
        // Any other link to the same peer is of an earlier start of it, dead, or the one that yields.
        for other in neighbours.links(to: neighbour.peer) where other.id != neighbour.id {
            closeDuplicate(other.id, into: &effects)
        }
    }

    private mutating func refuse(
        _ neighbour: Neighbour, _ refusal: Refusal, at now: Instant, into effects: inout [MeshEffect]
    ) {
        effects.append(.send(.refuse(refusal), to: neighbour.id))
        neighbours.close(neighbour.id, Goodbye(.refused, ""), into: &effects)
        linkEnded(neighbour, .refusedByUs(refusal), at: now, into: &effects)
    }

    private mutating func connect(_ id: LinkID, at now: Instant, into effects: inout [MeshEffect]) {
        guard let opened = neighbours[id]?.opened else { return }
        neighbours[id]?.phase = .connected(since: now)
        neighbours[id]?.connectedStep = step
        neighbours[id]?.connectedAt = now
        candidates.linked(opened.peer)
        neighbours.tell(opened, into: &effects)
        introduceEverybody(to: id, opened.peer, into: &effects)
        for record in outbox.sendAll(step: step) {
            effects.append(.forward(record, timeToLive: options.timeToLive, hops: 1, to: [id]))
        }
    }

    private mutating func closeDuplicate(_ id: LinkID, into effects: inout [MeshEffect]) {
        neighbours.close(id, Goodbye(.duplicate, "another link is kept"), into: &effects)
    }

    private mutating func fault(
        _ reason: String, _ neighbour: Neighbour, at now: Instant, _ effects: inout [MeshEffect]
    ) {
        neighbours.close(neighbour.id, Goodbye(.protocolFault, reason), into: &effects)
        linkEnded(neighbour, .fault(reason), at: now, into: &effects)
    }

    /// Whatever ended it: the peer's state is told, and if it was the last link, the peer may be dialled again.
    private mutating func linkEnded(
        _ gone: Neighbour, _ end: LinkEnd, at now: Instant, into effects: inout [MeshEffect]
    ) {
        neighbours.tell(gone.opened, end: end, into: &effects)
        people.lost(gone.id, at: now)
        guard neighbours.links(to: gone.peer).isEmpty else { return }
        let wasStable = gone.connectedAt.map { now - $0 >= MeshLimit.stableAfter } ?? false
        candidates.unlinked(gone.peer, end, wasStable: wasStable, at: now)
    }

    // MARK: - Liveness

    private mutating func ponged(_ nonce: UInt64, by neighbour: Neighbour, at now: Instant) {
        guard let ping = neighbour.ping, ping.nonce == nonce else { return }
        neighbours[neighbour.id]?.ping = nil
        neighbours[neighbour.id]?.roundTrip = now - ping.sentAt
        outbox.confirm(connectedStep: neighbour.connectedStep, pingStep: ping.sentStep)
    }

    /// Pings every connected neighbour that has not been asked since the newest own record was sent.
    mutating func askToConfirm(at now: Instant, into effects: inout [MeshEffect]) {
        guard !outbox.isEmpty else { return }
        for id in neighbours.connected where neighbours[id]?.ping == nil { ping(id, at: now, into: &effects) }
    }

    private mutating func ping(_ id: LinkID, at now: Instant, into effects: inout [MeshEffect]) {
        let nonce = generator.next()
        neighbours[id]?.ping = Neighbour.PendingPing(nonce: nonce, sentAt: now, sentStep: step)
        neighbours[id]?.pingedAt = now
        effects.append(.send(.ping(nonce: nonce), to: id))
    }

    func linkDeadline() -> Instant? {
        neighbours.links.values.compactMap(deadline).min()
    }

    /// When this link is to be looked at next.
    private func deadline(of neighbour: Neighbour) -> Instant? {
        switch neighbour.phase {
        case .inviting(let until), .awaitingInvitation(let until), .asking(let until): return until
        case .closing: return nil
        case .connected:
            if let ping = neighbour.ping {
                // An answer may stand behind much else that is still coming, but not for ever.
                let grace = max(ping.sentAt, neighbour.heardAt) + MeshLimit.pongTimeout
                return min(grace, ping.sentAt + MeshLimit.pongTimeoutMax)
            }
            let silence = neighbour.heardAt + MeshLimit.pingAfterSilence
            guard outbox.newestSentStep != nil else { return silence }
            return min(silence, neighbour.pingedAt + MeshLimit.confirmInterval)
        }
    }

    mutating func releaseLinks(at now: Instant, into effects: inout [MeshEffect]) {
        for (id, neighbour) in neighbours.links {
            guard let deadline = deadline(of: neighbour), deadline <= now else { continue }
            switch neighbour.phase {
            case .inviting, .awaitingInvitation:
                neighbours.close(id, Goodbye(.timeout, "no invitation was answered in time"), into: &effects)
                linkEnded(neighbour, .silent, at: now, into: &effects)
            case .asking: refuse(neighbour, .unanswered, at: now, into: &effects)
            case .closing: break
            case .connected where neighbour.ping == nil: ping(id, at: now, into: &effects)
            case .connected:
                neighbours.close(id, Goodbye(.timeout, "it did not answer a ping"), into: &effects)
                linkEnded(neighbour, .silent, at: now, into: &effects)
            }
        }
    }
}
