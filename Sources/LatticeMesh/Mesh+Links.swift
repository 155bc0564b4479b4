import LatticeCore
import LatticeWire
import OrderedCollections

// Links from their handshake to their end.
extension Mesh {
    mutating func linkOpened(_ id: LinkID, _ opened: OpenedLink, at now: Instant, into effects: inout [MeshEffect]) {
        let reached = opened.dial.map { candidates.reached($0, opened.peer, at: now) }
        guard opened.peer != me else { return linkedWithSelf(id, opened, reached, at: now, into: &effects) }
        guard !facts.hasLeft else { return turnAway(id, opened, Goodbye(.leaving, "they left"), at: now, into: &effects) }
        guard !facts.blocked.contains(opened.peer) else {
            return turnAway(id, opened, Self.blockedGoodbye, at: now, into: &effects)
        }
        guard mayInvite(opened, reached) else {
            return turnAway(id, opened, Goodbye(.refused, "somebody else was expected"), at: now, into: &effects)
        }
        if opened.dial == nil {
            awaitInvitation(id, opened, at: now, into: &effects)
        } else {
            invite(id, opened, insistence: reached?.insistence ?? .none, at: now, into: &effects)
        }
    }

    mutating func linkClosed(_ id: LinkID, _ end: LinkEnd, at now: Instant, into effects: inout [MeshEffect]) {
        guard let index = register.index(of: id) else { return }
        let gone = register.remove(at: index)
        routing.linkRemoved(id, at: index)
        fairness.linkRemoved(id, at: index)
        liveness.linkRemoved(at: index)
        broadcast.linkRemoved(at: index)
        guard gone.phase != .closing else { return }
        linkEnded(gone, end, at: now, into: &effects)
    }

    mutating func received(_ frame: Frame, on id: LinkID, at now: Instant, into effects: inout [MeshEffect]) {
        guard let index = register.index(of: id) else { return }
        liveness.heard(index, at: now)
        switch frame {
        case .goodbye, .rekey, .record, .supply, .presence: break  // handled where the link and the records are
        case .ping(let nonce): effects.append(.send(.pong(nonce: nonce), to: id))
        case .pong(let nonce): ponged(nonce, by: index, at: now, into: &effects)
        case .invitation(let invitation): invited(invitation, by: index, at: now, into: &effects)
        case .accept(let room): wasAccepted(by: index, room: room, at: now, into: &effects)
        case .refuse(let refusal): wasRefused(by: index, refusal, at: now, into: &effects)
        case .have(let have):
            guard isConnected(index, "a have", at: now, into: &effects) else { return }
            fairness.neighbourHas(have, on: id)
            broadcast.heard(have, by: index, step: facts.step, at: now, into: &effects)
        case .graft(let graft):
            guard isConnected(index, "a graft", at: now, into: &effects) else { return }
            broadcast.grafted(graft, by: index, presences, facts, at: now, into: &effects)
        case .prune(let origin):
            guard isConnected(index, "a prune", at: now, into: &effects) else { return }
            broadcast.pruned(of: origin, by: index, step: facts.step)
        case .walk(let walk):
            guard isConnected(index, "a walk", at: now, into: &effects) else { return }
            walked(walk, by: index, at: now, into: &effects)
        case .shuffle(let shuffle): shuffled(shuffle, by: index, at: now, into: &effects)
        case .offer(let offer):
            guard isConnected(index, "a comparison", at: now, into: &effects) else { return }
            antiEntropy.offered(offer.ids, by: id, broadcast, at: now)
        case .keeping, .comparison, .fetch, .lack, .stored:
            guard isConnected(index, "a comparison", at: now, into: &effects) else { return }
            antiEntropy.handle(frame, by: id, at: now, using: &generator, into: &effects)
        case .data(let data):
            guard isConnected(index, "data", at: now, into: &effects) else { return }
            dataReceived(data, by: index, at: now, into: &effects)
        case .dataAnswer(let answer):
            guard isConnected(index, "data", at: now, into: &effects) else { return }
            dataAnswered(answer, by: index, at: now, into: &effects)
        case .probe(let probe):
            guard isConnected(index, "a probe", at: now, into: &effects) else { return }
            routing.heard(probe, by: index, in: register, facts, at: now, into: &effects)
        }
    }

    /// Whether a link is one on which this may be said. What was under way while we said goodbye is nobody's fault.
    private mutating func isConnected(
        _ index: Int, _ what: String, at now: Instant, into effects: inout [MeshEffect]
    ) -> Bool {
        switch register.rows[index].phase {
        case .connected: return true
        case .closing: return false
        case .inviting, .awaitingInvitation, .asking:
            fault("\(what) before an invitation", index, at: now, &effects)
            return false
        }
    }

    /// Of an address that does not answer a person is told, unless it is of somebody who was here: they will be missed, or are
    /// reached over others.
    mutating func dialFailed(_ dial: DialID, _ reason: String, at now: Instant, into effects: inout [MeshEffect]) {
        var told: [MeshEffect] = []
        candidates.dialFailed(dial, reason, at: now, into: &told)
        for effect in told {
            if case .unreachable(let sighting, _) = effect, let peer = sighting.peer, presences.knows(peer) { continue }
            effects.append(effect)
        }
    }

    mutating func leave(into effects: inout [MeshEffect]) {
        facts.hasLeft = true
        antiEntropy.leave()
        for index in register.rows.indices {
            closeLink(index, Goodbye(.leaving, "they left"), into: &effects)
        }
    }

    private mutating func linkedWithSelf(
        _ id: LinkID, _ opened: OpenedLink, _ reached: Candidates.Reached?, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        if case .expected(let sighting, _, _) = reached {
            if sighting.source == .given { effects.append(.dialledSelf(opened.address)) }
            candidates.forget(sighting.address)
        }
        turnAway(id, opened, Goodbye(.duplicate, "this is yourself"), at: now, into: &effects)
    }

    /// Each machine gets its row.
    ///
    /// - Returns: its index.
    @discardableResult
    mutating func add(_ row: LinkRow, at now: Instant) -> Int {
        register.add(row)
        routing.linkOpened()
        fairness.linkOpened()
        liveness.linkOpened(at: now)
        broadcast.linkOpened(row.id)
        return register.rows.count - 1
    }

    /// Closes a link before anything was said on it.
    private mutating func turnAway(
        _ id: LinkID, _ opened: OpenedLink, _ goodbye: Goodbye, at now: Instant, into effects: inout [MeshEffect]
    ) {
        add(LinkRow(id: id, opened: opened, phase: .closing), at: now)
        effects.append(.close(id, goodbye))
    }

    /// Whether somebody whom we dialled, and whose key is proven now, is one we may link with: what mDNS announced of
    /// them proved nothing.
    private func mayInvite(_ opened: OpenedLink, _ reached: Candidates.Reached?) -> Bool {
        switch reached {
        case nil, .forgotten: opened.dial == nil || options.policy == .auto
        case .mistaken: false
        case .expected(_, isWanted: true, _): true
        case .expected(_, isWanted: false, _): mayLink(opened.peer)
        }
    }

    /// Whether this peer may be linked with unasked.
    func mayLink(_ peer: PeerID) -> Bool {
        guard !facts.blocked.contains(peer) else { return false }
        return options.policy == .auto || options.contacts.contains(peer) || approved.contains(peer)
    }

    private mutating func awaitInvitation(
        _ id: LinkID, _ opened: OpenedLink, at now: Instant, into effects: inout [MeshEffect]
    ) {
        makeRoomForStranger(at: now, into: &effects)
        let isFull = register.countInUse >= MeshLimit.linksMax
        let phase = LinkRow.Phase.awaitingInvitation(until: now + MeshLimit.invitationTimeout)
        let index = add(LinkRow(id: id, opened: opened, phase: phase), at: now)
        if isFull {
            refusals.add(.uninvited)
            let goodbye = Goodbye(.tooManyLinks, "no room for another link here")
            return endLink(index, goodbye, .refusedByUs(.tooManyLinks), at: now, into: &effects)
        }
        register.tell(opened, into: &effects)
    }

    private mutating func makeRoomForStranger(at now: Instant, into effects: inout [MeshEffect]) {
        let strangers = register.rows.indices.filter { register.rows[$0].isUninvited }
        guard strangers.count >= MeshLimit.uninvitedMax, let oldest = strangers.first else { return }
        refusals.add(.uninvited)
        endLink(oldest, Goodbye(.timeout, "others came before you invited"), .silent, at: now, into: &effects)
    }

    mutating func fault(_ reason: String, _ index: Int, at now: Instant, _ effects: inout [MeshEffect]) {
        refusals.add(.faults)
        endLink(index, Goodbye(.protocolFault, reason), .fault(reason), at: now, into: &effects)
    }

    /// Says goodbye on a link. What the other side still sends counts until it closes.
    mutating func closeLink(_ index: Int, _ goodbye: Goodbye, into effects: inout [MeshEffect]) {
        register.close(index, goodbye, into: &effects)
        broadcast.linkClosing(index)
    }

    /// Says goodbye on a link, and does what its end entails.
    mutating func endLink(
        _ index: Int, _ goodbye: Goodbye, _ end: LinkEnd, at now: Instant, into effects: inout [MeshEffect]
    ) {
        let gone = register.rows[index]
        closeLink(index, goodbye, into: &effects)
        linkEnded(gone, end, at: now, into: &effects)
    }

    /// Whatever ended it: the peer's state is told, and if it was the last link, the peer may be dialled again.
    private mutating func linkEnded(_ gone: LinkRow, _ end: LinkEnd, at now: Instant, into effects: inout [MeshEffect]) {
        register.tell(gone.opened, end: end, into: &effects)
        presences.lost(gone.id, at: now)
        if gone.isConnected, !end.isOfNoConsequence { presences.doubt(gone.peer, at: now) }
        isDisturbed = true
        if gone.takesPlace { overlay.seekSoon(at: now) }
        guard !register.isLinked(gone.peer.prefix) else { return }
        let wasStable = gone.connectedAt.map { now - $0 >= MeshLimit.stableAfter } ?? false
        candidates.unlinked(
            gone.opened, end, wasConnected: gone.connectedAt != nil, wasStable: wasStable,
            isLonely: register.connectedCount == 0, mayDial: mayLink(gone.peer),
            at: now)
    }
}

extension Candidates.Reached {
    fileprivate var insistence: Candidate.Insistence {
        if case .expected(_, _, let insistence) = self { insistence } else { .none }
    }
}
