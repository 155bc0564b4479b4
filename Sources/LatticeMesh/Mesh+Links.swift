import LatticeCore
import LatticeWire
import OrderedCollections

// Links from handshake to end.
extension Mesh {
    mutating func linkOpened(_ id: LinkID, _ opened: OpenedLink, at now: Instant, into effects: inout [MeshEffect]) {
        let reached = opened.dial.map { overlay.reached($0, opened.peer, at: now) }
        guard opened.peer != me else {
            overlay.reachedSelf(opened, reached, into: &effects)
            return turnAway(id, opened, Goodbye(.duplicate, "this is yourself"), at: now, into: &effects)
        }
        guard !facts.hasLeft else {
            return turnAway(id, opened, Goodbye(.leaving, "they left"), at: now, into: &effects)
        }
        guard !facts.blocked.contains(opened.peer) else {
            return turnAway(id, opened, Self.blockedGoodbye, at: now, into: &effects)
        }
        guard Invitations.mayInvite(opened, reached, facts) else {
            return turnAway(id, opened, Goodbye(.refused, "somebody else was expected"), at: now, into: &effects)
        }
        if opened.dial == nil {
            awaitInvitation(id, opened, at: now, into: &effects)
        } else {
            invite(id, opened, insistence: reached?.insistence ?? .none, at: now, into: &effects)
        }
    }

    /// Adds a row to each machine.
    ///
    /// - Parameter insistence: why it was dialled; `nil` for a link that the other side began, or that is closed at once.
    /// - Returns: its index.
    @discardableResult
    mutating func add(_ row: LinkRow, _ insistence: Candidate.Insistence? = nil, at now: Instant) -> Int {
        register.add(row)
        overlay.linkOpened(insistence)
        invitations.linkOpened()
        liveness.linkOpened(at: now)
        broadcast.linkOpened(row.id)
        fairness.linkOpened()
        routing.linkOpened()
        return register.rows.count - 1
    }

    mutating func linkClosed(_ id: LinkID, _ end: LinkEnd, at now: Instant, into effects: inout [MeshEffect]) {
        guard let index = register.index(of: id) else { return }
        let gone = register.remove(at: index)
        overlay.linkRemoved(at: index)
        invitations.linkRemoved(at: index)
        liveness.linkRemoved(at: index)
        broadcast.linkRemoved(at: index)
        fairness.linkRemoved(id, at: index)
        routing.linkRemoved(id, at: index)
        guard gone.phase != .closing else { return }
        linkEnded(gone, end, at: now, into: &effects)
    }

    mutating func received(_ frame: Frame, on id: LinkID, at now: Instant, into effects: inout [MeshEffect]) {
        guard let index = register.index(of: id) else { return }
        liveness.heard(index, at: now)
        if let what = frame.needsInvitation, !isConnected(index, what, at: now, into: &effects) { return }
        switch frame {
        case .goodbye, .rekey, .record, .supply, .presence: break  // The link and the record path handle these.
        case .ping(let nonce): effects.append(.send(.pong(nonce: nonce), to: id))
        case .pong(let nonce): ponged(nonce, by: index, at: now, into: &effects)
        case .invitation(let invitation): invited(invitation, by: index, at: now, into: &effects)
        case .accept(let room): wasAccepted(by: index, room: room, at: now, into: &effects)
        case .refuse(let refusal): wasRefused(by: index, refusal, at: now, into: &effects)
        case .have(let have):
            fairness.neighbourHas(have, on: id)
            broadcast.heard(have, by: index, step: facts.step, at: now, into: &effects)
        case .graft(let graft):
            broadcast.grafted(graft, by: index, presences, facts, at: now, into: &effects)
        case .prune(let origin):
            broadcast.pruned(of: origin, by: index, step: facts.step)
        case .walk(let walk): walked(walk, by: index, at: now, into: &effects)
        case .shuffle(let shuffle):
            overlay.shuffled(shuffle, by: index, in: register, facts, at: now, using: &generator, into: &effects)
        case .offer(let offer):
            antiEntropy.offered(offer.ids, by: id, broadcast, at: now)
        case .keeping, .comparison, .fetch, .lack, .stored:
            antiEntropy.handle(frame, by: id, at: now, using: &generator, into: &effects)
        case .data(let data):
            flows.heard(data, by: index, in: register, routing, facts, at: now, into: &effects)
        case .dataAnswer(let answer):
            flows.heard(answer, by: index, in: register, routing, facts, at: now, into: &effects)
        case .probe(let probe):
            routing.heard(probe, by: index, in: register, facts, at: now, into: &effects)
        }
    }

    private mutating func walked(_ walk: Walk, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let isTakenOver = overlay.walked(
            walk, by: index, in: register, facts, at: now, using: &generator, into: &effects)
        if isTakenOver { giveUp(index, at: now, into: &effects) }
    }

    /// Whether this link is connected. A frame on a link that we closed is ignored: the peer may have sent it before it
    /// read our goodbye.
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

    mutating func leave(into effects: inout [MeshEffect]) {
        facts.hasLeft = true
        antiEntropy.leave()
        for index in register.rows.indices {
            closeLink(index, Goodbye(.leaving, "they left"), into: &effects)
        }
    }

    /// Closes a link before anything is sent on it.
    private mutating func turnAway(
        _ id: LinkID, _ opened: OpenedLink, _ goodbye: Goodbye, at now: Instant, into effects: inout [MeshEffect]
    ) {
        add(LinkRow(id: id, opened: opened, phase: .closing), at: now)
        effects.append(.close(id, goodbye))
    }

    mutating func fault(_ reason: String, _ index: Int, at now: Instant, _ effects: inout [MeshEffect]) {
        refused.add(.faults)
        endLink(index, Goodbye(.protocolFault, reason), .fault(reason), at: now, into: &effects)
    }

    /// Says goodbye on a link. Frames from the other side count until the link closes.
    mutating func closeLink(_ index: Int, _ goodbye: Goodbye, into effects: inout [MeshEffect]) {
        register.close(index, goodbye, into: &effects)
        broadcast.linkClosing(index)
    }

    /// Says goodbye on a link and handles its end.
    mutating func endLink(
        _ index: Int, _ goodbye: Goodbye, _ end: LinkEnd, at now: Instant, into effects: inout [MeshEffect]
    ) {
        let gone = register.rows[index]
        closeLink(index, goodbye, into: &effects)
        linkEnded(gone, end, at: now, into: &effects)
    }

    mutating func closeDuplicate(_ index: Int, into effects: inout [MeshEffect]) {
        closeLink(index, Goodbye(.duplicate, "another link is kept"), into: &effects)
    }

    mutating func giveUp(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        endLink(index, Goodbye(.full, "its place went to another"), .rearranged, at: now, into: &effects)
    }

    private mutating func linkEnded(
        _ gone: LinkRow, _ end: LinkEnd, at now: Instant, into effects: inout [MeshEffect]
    ) {
        register.report(gone.opened, end: end, into: &effects)
        presences.lost(gone.id, at: now)
        if gone.isConnected, !end.isOfNoConsequence { presences.doubt(gone.peer, at: now) }
        isDisturbed = true
        overlay.linkEnded(gone, end, in: register, facts, at: now)
    }

    // MARK: - Liveness

    mutating func ponged(_ nonce: UInt64, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let sentStep = liveness.ponged(nonce, by: index, at: now) else { return }
        broadcast.ponged(by: index, sentStep: sentStep, into: &effects)
    }

    /// Pings the neighbours that may have been sent unconfirmed records.
    mutating func askToConfirm(at now: Instant, into effects: inout [MeshEffect]) {
        switch broadcast.confirmers(step: facts.step, into: &effects) {
        case .nobody: break
        case .those(let links):
            for index in links where !liveness.isPinged(index) { ping(index, at: now, into: &effects) }
        case .another(let index): ping(index, at: now, into: &effects)
        }
    }

    mutating func ping(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let id = register.rows[index].id
        liveness.ping(index, id, step: facts.step, at: now, using: &generator, into: &effects)
    }

    mutating func releaseLinks(at now: Instant, into effects: inout [MeshEffect]) {
        guard let earliest = liveness.linkDeadline(in: register), earliest <= now else { return }
        for index in register.rows.indices {
            let phase = register.rows[index].phase
            guard let deadline = liveness.deadline(of: index, phase), deadline <= now else { continue }
            switch phase {
            case .inviting, .awaitingInvitation:
                let goodbye = Goodbye(.timeout, "no invitation was answered in time")
                endLink(index, goodbye, .silent, at: now, into: &effects)
            case .asking: refuse(index, .unanswered, at: now, into: &effects)
            case .closing: break
            case .connected where !liveness.isPinged(index): ping(index, at: now, into: &effects)
            case .connected:
                endLink(index, Goodbye(.timeout, "it did not answer a ping"), .silent, at: now, into: &effects)
            }
        }
    }

    mutating func networkChanged(without lost: [LinkID], at now: Instant, into effects: inout [MeshEffect]) {
        for id in lost {
            guard let index = register.index(of: id), register.rows[index].phase != .closing else { continue }
            endLink(index, Goodbye(.timeout, "its address is gone"), .addressGone, at: now, into: &effects)
        }
        liveness.networkChanged(
            in: register, fairness, step: facts.step, at: now, using: &generator, into: &effects)
    }
}

extension Frame {
    /// The name of a frame that is allowed only after an invitation; `nil` for others.
    fileprivate var needsInvitation: String? {
        switch self {
        case .have: "a have"
        case .graft: "a graft"
        case .prune: "a prune"
        case .walk: "a walk"
        case .keeping, .comparison, .offer, .fetch, .lack, .stored: "a comparison"
        case .data, .dataAnswer: "data"
        case .probe: "a probe"
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .record, .shuffle, .supply, .presence: nil
        }
    }
}

extension Candidates.Reached {
    fileprivate var insistence: Candidate.Insistence {
        if case .expected(_, _, let insistence) = self { insistence } else { .none }
    }
}
