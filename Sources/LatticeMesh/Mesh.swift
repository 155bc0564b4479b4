package import LatticeCore
package import LatticeWire

/// What a peer decides: whom to dial, which link to keep, where to relay a record.
///
/// Each sub-protocol is a machine of its own. They do not call each other: `Mesh` asks one, gets a verdict and asks the
/// next. A machine may read another one that it is passed. The order of the calls is part of what a seed reproduces.
///
/// `Mesh` has no clock, no dice, no sockets and no tasks. It takes an event and a time, returns effects, and says when
/// it wants to be woken next. The same events, times and seed give the same effects.
package struct Mesh: Sendable {
    package var me: PeerID { facts.me }
    package var options: MeshOptions { facts.options }

    package internal(set) var facts: MeshFacts
    package internal(set) var register = LinkRegister()
    var overlay: Overlay
    var invitations = Invitations()
    var liveness = Liveness()
    package internal(set) var broadcast: Broadcast
    package internal(set) var fairness: Fairness
    package internal(set) var antiEntropy = AntiEntropy()
    package internal(set) var presences: PresenceTable
    var routing = Routing()
    var flows = DataFlows()
    /// Records refused by `Mesh` itself rather than by a machine.
    var refused = RefusalCounts()
    /// A link has ended since the last `release`, or the set of blocked peers or personas has changed.
    var isDisturbed = false
    var generator: SeededGenerator

    package private(set) var nextDeadline: Instant?

    package init(me: PeerID, presence: Presence, options: MeshOptions, seed: UInt64) {
        facts = MeshFacts(me: me, options: options)
        presences = PresenceTable(own: presence)
        broadcast = Broadcast(options)
        fairness = Fairness(originRate: options.originRate, linkRate: options.linkRate)
        generator = SeededGenerator(seed: seed)
        overlay = Overlay(
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
        if case .linkFree(let link) = event { fairness.linkFree(link, in: register, facts, at: now, into: &effects) }
        let first = effects.count
        happened(event, at: now, into: &effects)
        if let deadline = nextDeadline, now < deadline, event.isQuiet, !isDisturbed, !antiEntropy.isDisturbed {
            nextDeadline = deadlineAfterQuiet(deadline)
        } else {
            isDisturbed = false
            release(at: now, into: &effects)
            nextDeadline = earliestDeadline()
        }
        if fairness.isAnyBusy, first < effects.count { fairness.keepBack(from: first, facts, at: now, &effects) }
    }

    private mutating func happened(_ event: MeshEvent, at now: Instant, into effects: inout [MeshEffect]) {
        switch event {
        case .sighted(let sighting): overlay.sighted(sighting, in: register, facts, at: now)
        case .lost(let sighting): overlay.lost(sighting)
        case .wanted(let peer): overlay.wanted(peer, in: register, facts, at: now)
        case .dialFailed(let dial, let end): overlay.dialFailed(dial, end, presences, at: now, into: &effects)
        case .linkOpened(let link, let opened): linkOpened(link, opened, at: now, into: &effects)
        case .linkClosed(let link, let end): linkClosed(link, end, at: now, into: &effects)
        case .received(let link, let frame): received(frame, on: link, at: now, into: &effects)
        case .heard(let link, let record, let arrival): heard(record, arrival, on: link, at: now, into: &effects)
        case .linkBusy(let link): fairness.linkBusy(link, in: register)
        case .submitted(let record): submitted(record, at: now, into: &effects)
        case .answered(let peer, let accept): answered(peer, accept: accept, at: now, into: &effects)
        case .presenceChanged(let presence): presences.ownChanged(presence, at: now)
        case .probeWanted(let peer, let nonce):
            routing.probeWanted(peer, nonce: nonce, in: register, facts, at: now, into: &effects)
        case .probeForged(let probe): routing.forged(probe, me: facts.me)
        case .keepingChanged(let keeping):
            antiEntropy.keepingChanged(keeping, in: register, at: now, using: &generator, into: &effects)
        case .compared(let outcome): antiEntropy.compared(outcome, in: register, at: now, into: &effects)
        case .supplied(let link, let record, let age):
            supplied(record, ageSeconds: age, on: link, at: now, into: &effects)
        case .kept(let records): antiEntropy.kept(records, at: now, using: &generator, into: &effects)
        case .dropped(let ids): antiEntropy.dropped(ids, at: now)
        case .networkChanged(let lost): networkChanged(without: lost, at: now, into: &effects)
        case .clockLeapt: antiEntropy.wantDeclined(at: now)
        case .syncWanted: antiEntropy.syncWanted(at: now)
        case .flushWanted: askToConfirm(at: now, into: &effects)
        case .leaving: leave(into: &effects)
        case .blockedChanged(let peers): blockedChanged(peers, at: now, into: &effects)
        case .residentsChanged(let peers): residentsChanged(peers)
        case .trustedChanged(let peers): fairness.trustedChanged(peers)
        case .data(let event):
            flows.handle(event, in: register, routing, facts, at: now, using: &generator, into: &effects)
        case .visibilityChanged(let isVisible): overlay.visibilityChanged(isVisible)
        case .linkFree, .woke: break
        }
    }

    /// After a quiet event only these deadlines can have moved forward.
    private func deadlineAfterQuiet(_ deadline: Instant) -> Instant {
        let syncAt = min(deadline, antiEntropy.nextDeadline ?? deadline)
        let flowsAt = flows.nextDeadline ?? deadline
        let treeAt = broadcast.treeDeadline ?? deadline
        return min(min(syncAt, flowsAt), min(treeAt, presences.sweepAt ?? deadline))
    }

    private mutating func release(at now: Instant, into effects: inout [MeshEffect]) {
        releaseLinks(at: now, into: &effects)
        broadcast.releaseAnnouncements(at: now, into: &effects)
        let failed = broadcast.releaseMissing(step: facts.step, at: now, into: &effects)
        antiEntropy.graftsFailed(failed, at: now)
        if broadcast.confirms(at: now) { askToConfirm(at: now, into: &effects) }
        releaseOverlay(at: now, into: &effects)
        if liveness.seeks(at: now), !facts.hasLeft { overlay.seekAgain(at: now) }
        if !facts.hasLeft { overlay.dial(in: register, facts, at: now, into: &effects) }
        presences.due(at: now, into: &effects)
        routing.due(at: now, into: &effects)
        antiEntropy.release(in: register, at: now, using: &generator, into: &effects)
        flows.release(in: register, routing, facts, at: now, into: &effects)
        if !facts.hasLeft { presences.announce(at: now, into: &effects) }
    }

    private mutating func earliestDeadline() -> Instant? {
        var earliest = liveness.linkDeadline(in: register)
        func consider(_ deadline: Instant?) {
            if let deadline { earliest = min(earliest ?? deadline, deadline) }
        }
        guard !facts.hasLeft else { return earliest }
        consider(broadcast.nextDeadline)
        consider(overlay.nextDeadline(in: register, facts))
        consider(presences.sweepAt)
        consider(routing.nextDeadline)
        consider(antiEntropy.nextDeadline)
        consider(flows.nextDeadline)
        consider(presences.announceAt)
        consider(liveness.seekAt)
        return earliest
    }

    private mutating func releaseOverlay(at now: Instant, into effects: inout [MeshEffect]) {
        guard !facts.hasLeft, overlay.isDue(at: now) else { return }
        guard register.connectedCount > 0 else { return overlay.pause() }
        if let standing = overlay.lapsedOffers(at: now) {
            while let surplus = overlay.surplus(
                beyond: standing, in: register, presences, facts, using: &generator)
            {
                giveUp(surplus, at: now, into: &effects)
            }
        }
        overlay.release(in: register, presences, facts, at: now, using: &generator, into: &effects)
    }
}

extension MeshEvent {
    /// Whether this event can only bring forward the deadlines that `deadlineAfterQuiet` reads. In a busy mesh most
    /// events are quiet.
    fileprivate var isQuiet: Bool {
        switch self {
        case .heard, .supplied, .linkBusy, .linkFree, .received(_, .have),
            .received(_, .prune), .received(_, .ping),
            .received(_, .data), .received(_, .dataAnswer), .data:
            true
        default: false
        }
    }
}
