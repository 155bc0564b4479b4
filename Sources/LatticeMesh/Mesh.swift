package import LatticeCore
package import LatticeWire

/// What a peer decides: whom to dial, which link to keep, where to relay a record.
///
/// Each sub-protocol is a machine of its own. `Membership` composes those that decide about links, `Dissemination` those
/// that decide about records, and `Mesh` routes events and frames to them. The order of the calls is part of what a seed
/// reproduces.
///
/// `Mesh` has no clock, no dice, no sockets and no tasks. It takes an event and a time, returns effects, and says when
/// it wants to be woken next. The same events, times and seed give the same effects.
package struct Mesh: Sendable {
    package private(set) var facts: MeshFacts
    var membership: Membership
    var dissemination: Dissemination
    var flows = DataFlows()
    var datagrams = Datagrams()
    private var generator: SeededGenerator

    package private(set) var nextDeadline: Instant?

    package init(me: PeerID, presence: Presence, options: MeshOptions, seed: UInt64) {
        facts = MeshFacts(me: me, options: options)
        dissemination = Dissemination(own: presence, options)
        generator = SeededGenerator(seed: seed)
        membership = Membership(
            Candidates(
                me: me.prefix, toldMax: options.passiveMax + options.activeMax,
                generator: SeededGenerator(seed: generator.next())))
    }

    package mutating func handle(_ event: MeshEvent, at now: Instant) -> [MeshEffect] {
        var effects: [MeshEffect] = []
        handle(event, at: now, into: &effects)
        return effects
    }

    /// Like `handle(_:at:)`, for callers that collect the effects of several events.
    package mutating func handle(_ event: MeshEvent, at now: Instant, into effects: inout [MeshEffect]) {
        facts.step += 1
        // A link that is free again first gets the records that waited for it.
        if case .linkFree(let link) = event {
            dissemination.fairness.linkFree(link, in: membership.register, facts, at: now, into: &effects)
        }
        let first = effects.count
        happened(event, at: now, into: &effects)
        if let deadline = nextDeadline, now < deadline, event.isQuiet, !membership.isDisturbed,
            !dissemination.antiEntropy.isDisturbed
        {
            nextDeadline = deadlineAfterQuiet(deadline)
        } else {
            release(at: now, into: &effects)
            nextDeadline = earliestDeadline()
        }
        if dissemination.fairness.isAnyBusy, first < effects.count {
            dissemination.fairness.keepBack(from: first, facts, at: now, &effects)
        }
    }

    // MARK: - Events

    private mutating func happened(_ event: MeshEvent, at now: Instant, into effects: inout [MeshEffect]) {
        switch event {
        case .heard(let link, let record, let arrival): heard(record, arrival, on: link, at: now, into: &effects)
        case .received(let link, let frame): received(frame, on: link, at: now, into: &effects)
        case .submitted(let record): submitted(record, at: now, into: &effects)
        case .supplied(let record, let age): dissemination.supplied(record, age, facts, at: now, into: &effects)
        case .gained(let groups): dissemination.antiEntropy.gained(groups, at: now, using: &generator)
        case .served(let link, let record, let age): served(record, age, on: link, at: now, into: &effects)
        case .data(let event):
            flows.handle(
                event, in: membership.register, dissemination.routing, facts, at: now, using: &generator,
                into: &effects)
        case .datagram(let event):
            datagrams.handle(event, in: membership.register, dissemination.routing, facts, at: now, into: &effects)
        case .sighted(let sighting): membership.overlay.sighted(sighting, in: membership.register, facts, at: now)
        case .lost(let sighting): membership.overlay.lost(sighting)
        case .wanted(let peer): membership.overlay.wanted(peer, in: membership.register, facts, at: now)
        case .inviting(let target, let context, let patience):
            membership.inviting(
                target, context: context, patience: patience, &dissemination, facts, at: now, into: &effects)
        case .withdrawn(let target): membership.withdrawn(target, &dissemination, facts, at: now, into: &effects)
        case .declined(let peer, let refusal, let link):
            membership.declined(peer, refusal, on: link, &dissemination, facts, at: now, into: &effects)
        case .dialFailed(let dial, let end):
            membership.overlay.dialFailed(dial, end, dissemination.presences, at: now, into: &effects)
        case .linkOpened(let link, let opened):
            membership.linkOpened(link, opened, &dissemination, facts, at: now, into: &effects)
        case .linkClosed(let link, let end): linkClosed(link, end, at: now, into: &effects)
        case .answered(let peer, let accept, let link):
            answered(peer, accept: accept, on: link, at: now, into: &effects)
        case .networkChanged(let lost):
            membership.networkChanged(
                without: lost, &dissemination, facts, at: now, using: &generator, into: &effects)
        case .visibilityChanged(let isVisible): membership.overlay.visibilityChanged(isVisible)
        case .linkBusy(let link): dissemination.fairness.linkBusy(link, in: membership.register)
        case .urgentRemembered(let earlier): dissemination.urgency.remember(earlier, at: now)
        case .trustedChanged(let peers): dissemination.fairness.trustedChanged(peers)
        case .presenceChanged(let presence): dissemination.presences.ownChanged(presence, at: now)
        case .probeWanted(let peer, let nonce):
            dissemination.routing.probeWanted(
                peer, nonce: nonce, in: membership.register, facts, at: now, into: &effects)
        case .probeForged(let probe): dissemination.routing.forged(probe, me: facts.me)
        case .keepingChanged(let keeping):
            dissemination.antiEntropy.keepingChanged(
                keeping, in: membership.register, at: now, using: &generator, into: &effects)
        case .compared(let outcome):
            dissemination.antiEntropy.compared(outcome, in: membership.register, at: now, into: &effects)
        case .kept(let records): dissemination.antiEntropy.kept(records, at: now, using: &generator, into: &effects)
        case .dropped(let ids): dissemination.antiEntropy.dropped(ids, at: now)
        case .clockLeapt: dissemination.antiEntropy.wantDeclined(at: now)
        case .syncWanted: dissemination.antiEntropy.syncWanted(at: now)
        case .flushWanted: askToConfirm(isUrgent: true, at: now, into: &effects)
        case .roundTripsWanted: membership.pingAll(facts, at: now, using: &generator, into: &effects)
        case .leaving: leave(into: &effects)
        case .blockedChanged(let peers): blockedChanged(peers, at: now, into: &effects)
        case .visitorsChanged(let peers): visitorsChanged(peers)
        case .linkFree, .woke: break
        }
    }

    private mutating func served(
        _ record: VerifiedRecord, _ age: UInt32, on link: LinkID, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let index = membership.heardRecord(on: link, at: now) else { return }
        dissemination.served(record, ageSeconds: age, from: index, on: link, facts, at: now, into: &effects)
    }

    private mutating func linkClosed(
        _ link: LinkID, _ end: LinkEnd, at now: Instant, into effects: inout [MeshEffect]
    ) {
        datagrams.linkClosed(link)
        membership.linkClosed(link, end, &dissemination, facts, at: now, into: &effects)
    }

    private mutating func submitted(_ record: VerifiedRecord, at now: Instant, into effects: inout [MeshEffect]) {
        let isAlone = membership.register.connectedCount == 0
        let isFarewell = dissemination.submitted(record, isAlone: isAlone, facts, at: now, into: &effects)
        if isFarewell { membership.overlay.left(record.author.prefix) }
    }

    private mutating func heard(
        _ record: VerifiedRecord, _ arrival: RecordArrival, on link: LinkID, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard let index = membership.heardRecord(on: link, at: now) else { return }
        let isFarewell = dissemination.heard(
            record, arrival, from: index, in: membership.register, facts, at: now, into: &effects)
        if isFarewell { membership.overlay.left(record.author.prefix) }
        // Records are also taken from a link that is being closed. A peer that was refused there is no member.
        if facts.options.vouched, !isFarewell, membership.register.rows[index].connectedAt != nil,
            dissemination.presences[record.author]?.presence.isHere == true
        {
            facts.approved.insert(record.author)
        }
    }

    private mutating func received(
        _ frame: Frame, on link: LinkID, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let index = membership.heard(on: link, at: now) else { return }
        if let what = frame.needsInvitation {
            let isConnected = membership.isConnected(
                index, as: what, needs: &dissemination, facts, at: now, into: &effects)
            guard isConnected else { return }
        }
        switch frame {
        case .goodbye, .rekey, .record, .serve, .presence: break  // The link and the record path handle these.
        case .ping(let nonce): effects.append(.send(.pong(nonce: nonce), to: link))
        case .pong(let nonce):
            guard let step = membership.liveness.ponged(nonce, by: index, at: now) else { break }
            dissemination.broadcast.ponged(by: index, sentStep: step, into: &effects)
        case .invitation(let invitation):
            membership.invited(
                invitation, by: index, &dissemination, facts, at: now, using: &generator, into: &effects)
            noteMember(on: link)
        case .accept(let room):
            membership.wasAccepted(
                by: index, room: room, &dissemination, facts, at: now, using: &generator, into: &effects)
            noteMember(on: link)
        case .refuse(let refusal):
            membership.wasRefused(by: index, refusal, &dissemination, facts, at: now, into: &effects)
        case .walk(let walk):
            membership.walked(walk, by: index, &dissemination, facts, at: now, using: &generator, into: &effects)
        case .shuffle(let shuffle):
            membership.overlay.shuffled(
                shuffle, by: index, in: membership.register, facts, at: now, using: &generator, into: &effects)
        case .have(let have):
            dissemination.fairness.neighbourHas(have, on: link)
            dissemination.broadcast.heard(have, by: index, step: facts.step, at: now, into: &effects)
        case .graft(let graft):
            dissemination.broadcast.grafted(
                graft, by: index, dissemination.presences, facts, at: now, into: &effects)
        case .prune(let origin): dissemination.broadcast.pruned(of: origin, by: index, step: facts.step)
        case .offer(let offer):
            dissemination.antiEntropy.offered(offer.ids, by: link, dissemination.broadcast, at: now)
        case .keeping, .comparison, .fetch, .lack, .stored:
            dissemination.antiEntropy.handle(frame, by: link, at: now, using: &generator, into: &effects)
        case .data(let data):
            flows.heard(
                data, by: index, in: membership.register, dissemination.routing, facts, at: now, into: &effects)
        case .dataAnswer(let answer):
            flows.heard(
                answer, by: index, in: membership.register, dissemination.routing, facts, at: now, into: &effects)
        case .datagram(let datagram):
            datagrams.heard(
                datagram, by: index, in: membership.register, dissemination.routing, facts, at: now, into: &effects)
        case .want, .holds, .piece, .absent: effects.append(.blob(frame, from: link))
        case .probe(let probe):
            dissemination.routing.heard(probe, by: index, in: membership.register, facts, at: now, into: &effects)
        }
    }

    /// A peer that is linked is a member from now on.
    private mutating func noteMember(on link: LinkID) {
        guard facts.options.keepsMembers, let row = membership.register[link], row.isConnected else { return }
        facts.approved.insert(row.peer)
    }

    /// Whether a person here is asked about the invitation that this peer sent on this link.
    package func isAsked(about peer: PeerID, on link: LinkID) -> Bool {
        membership.invitations.answered(peer, on: link, in: membership.register) != nil
    }

    package func isNeighbour(_ peer: PeerID) -> Bool { membership.register.isNeighbour(peer) }

    /// The neighbour at the other end of this link, and how long its last answer took; `nil` before the first one.
    package func roundTrip(on link: LinkID) -> (PeerID, Duration)? { membership.roundTrip(on: link) }

    /// A person's answer to an invitation.
    private mutating func answered(
        _ peer: PeerID, accept: Bool, on link: LinkID?, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard !facts.blocked.contains(peer) else { return }
        if accept { facts.approved.insert(peer) }
        membership.answered(
            peer, accept: accept, on: link, &dissemination, facts, at: now, using: &generator, into: &effects)
    }

    private mutating func visitorsChanged(_ peers: Set<PeerID>) {
        precondition(
            peers.count <= MeshLimit.visitorsMax && !peers.contains(facts.me), "the caller checks their number")
        facts.personas = peers
    }

    private mutating func blockedChanged(_ peers: Set<PeerID>, at now: Instant, into effects: inout [MeshEffect]) {
        let (before, after) = (facts.blocked, peers.subtracting(facts.personas).subtracting([facts.me]))
        guard before != after else { return }
        facts.blocked = after
        membership.blocked(after, &dissemination, facts, at: now, into: &effects)
        dissemination.blocked(
            after.subtracting(before).sorted(), unblocked: !before.isSubset(of: after), at: now, into: &effects)
    }

    private mutating func leave(into effects: inout [MeshEffect]) {
        facts.hasLeft = true
        dissemination.antiEntropy.leave()
        membership.leave(&dissemination, into: &effects)
    }

    /// Asks neighbours to confirm own records. One confirmation is enough, and a neighbour that does not answer is passed
    /// over the next time; if it is urgent, all are asked.
    private mutating func askToConfirm(isUrgent: Bool, at now: Instant, into effects: inout [MeshEffect]) {
        switch dissemination.broadcast.confirmers(step: facts.step, into: &effects) {
        case .nobody: break
        case .those(let links):
            membership.ping(links, isOneEnough: !isUrgent, facts, at: now, using: &generator, into: &effects)
        case .another(let index): membership.ping(index, facts, at: now, using: &generator, into: &effects)
        }
    }

    // MARK: - Time

    /// After a quiet event only these deadlines can have moved forward.
    private func deadlineAfterQuiet(_ deadline: Instant) -> Instant {
        let syncAt = min(deadline, dissemination.antiEntropy.nextDeadline ?? deadline)
        let flowsAt = flows.nextDeadline ?? deadline
        let treeAt = dissemination.broadcast.treeDeadline ?? deadline
        return min(min(syncAt, flowsAt), min(treeAt, dissemination.presences.sweepAt ?? deadline))
    }

    private mutating func release(at now: Instant, into effects: inout [MeshEffect]) {
        membership.releaseLinks(&dissemination, facts, at: now, using: &generator, into: &effects)
        dissemination.releaseTree(facts, at: now, into: &effects)
        if dissemination.broadcast.confirms(at: now) { askToConfirm(isUrgent: false, at: now, into: &effects) }
        if !facts.hasLeft {
            membership.releaseOverlay(&dissemination, facts, at: now, using: &generator, into: &effects)
            membership.dial(facts, at: now, into: &effects)
        }
        dissemination.presences.due(at: now, into: &effects)
        dissemination.routing.due(at: now, into: &effects)
        dissemination.antiEntropy.release(in: membership.register, at: now, using: &generator, into: &effects)
        flows.release(in: membership.register, dissemination.routing, facts, at: now, into: &effects)
        if !facts.hasLeft { dissemination.presences.announce(at: now, into: &effects) }
    }

    private mutating func earliestDeadline() -> Instant? {
        guard !facts.hasLeft else { return membership.linkDeadline }
        var earliest = membership.nextDeadline(facts)
        if let recordsAt = dissemination.nextDeadline { earliest = min(earliest ?? recordsAt, recordsAt) }
        if let flowsAt = flows.nextDeadline { earliest = min(earliest ?? flowsAt, flowsAt) }
        return earliest
    }
}

extension MeshEvent {
    /// Whether this event can only bring forward the deadlines that `deadlineAfterQuiet` reads. In a busy mesh most
    /// events are quiet.
    fileprivate var isQuiet: Bool {
        switch self {
        case .heard, .served, .linkBusy, .linkFree, .received(_, .have),
            .received(_, .prune), .received(_, .ping),
            .received(_, .data), .received(_, .dataAnswer), .data, .received(_, .want), .received(_, .holds),
            .received(_, .piece), .received(_, .absent), .received(_, .datagram), .datagram:
            true
        default: false
        }
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
        case .datagram: "a datagram"
        case .probe: "a probe"
        case .want, .holds, .piece, .absent: "a frame about a file"
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .record, .shuffle, .serve, .presence: nil
        }
    }
}
