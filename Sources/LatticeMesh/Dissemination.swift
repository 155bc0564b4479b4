import LatticeCore
import LatticeWire

/// What is passed on: the way of a record, submitted here or received, through the machines that spread, limit and
/// reconcile records.
struct Dissemination: Sendable {
    var broadcast: Broadcast
    var fairness: Fairness
    var urgency = Urgency()
    var antiEntropy = AntiEntropy()
    var presences: PresenceTable
    var routing = Routing()
    /// Records that are expired, which no machine sees.
    private var expired = RefusalCounts()

    init(own: Presence, _ options: MeshOptions) {
        presences = PresenceTable(own: own)
        broadcast = Broadcast(options)
        fairness = Fairness(originRate: options.originRate, linkRate: options.linkRate)
    }

    var refused: RefusalCounts {
        [broadcast.refused, fairness.refused, antiEntropy.refused, presences.refused, routing.refused]
            .reduce(into: expired) { $0.add($1) }
    }

    // MARK: - Links

    mutating func linkOpened(_ link: LinkRow, _ facts: MeshFacts) {
        broadcast.linkOpened(link.id, announcesFirst: facts.me < link.peer)
        fairness.linkOpened()
        routing.linkOpened()
    }

    /// A link carries records from now on.
    mutating func linkConnected(
        _ index: Int, _ link: LinkRow, _ facts: MeshFacts, at now: Instant, into effects: inout [MeshEffect]
    ) {
        broadcast.linkConnected(index, step: facts.step)
        broadcast.introduce(to: index, link.peer, presences, facts, at: now, into: &effects)
        broadcast.sendUnconfirmed(to: index, step: facts.step, into: &effects)
        antiEntropy.linkConnected(link, at: now, into: &effects)
    }

    /// We said goodbye: the link may still bring records but is sent none.
    mutating func linkClosing(_ index: Int) {
        broadcast.linkClosing(index)
    }

    /// The peer is no longer reached by this link.
    mutating func linkEnded(
        _ index: Int, _ gone: LinkRow, _ end: LinkEnd, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        broadcast.linkEnded(index, step: facts.step, at: now, into: &effects)
        presences.lost(gone.id, at: now)
        if gone.isConnected, !end.isOfNoConsequence { presences.doubt(gone.peer, at: now) }
    }

    mutating func linkRemoved(_ id: LinkID, at index: Int) {
        broadcast.linkRemoved(at: index)
        fairness.linkRemoved(id, at: index)
        routing.linkRemoved(id, at: index)
    }

    // MARK: - Our own records

    /// - Returns: whether its author has said goodbye to everybody.
    mutating func submitted(
        _ record: VerifiedRecord, isAlone: Bool, _ facts: MeshFacts, at now: Instant, into effects: inout [MeshEffect]
    ) -> Bool {
        guard facts.isOwn(record.author), !broadcast.hasSeen(record.id) else { return false }
        var isFarewell = false
        let isUrgent = urgency.allows(record, by: .relayed, isTrusted: true, at: now)
        if record.kind == .presence {
            // `presences` keeps it and gives it to every new neighbour, so the outbox need not hold it.
            let arrival = RecordArrival(timeToLive: facts.options.timeToLive + 1, hops: 0)
            let verdict = presences.heard(record, arrival, via: nil, me: facts.me, at: now, into: &effects)
            isFarewell = verdict == .isFarewell
        } else {
            // A record in the store reaches every neighbour that reconciles with it, even if the outbox is full.
            guard
                broadcast.keep(record, isUrgent: isUrgent, isAlone: isAlone, step: facts.step)
                    || antiEntropy.keeping != nil
            else {
                effects.append(.outboxFull(record.id))
                return false
            }
            effects.append(.deliver(record, hops: 0, isUrgent: isUrgent))
        }
        if isUrgent { urgency.count(record, by: .relayed, at: now) }
        fairness.said(record, at: now)
        broadcast.submitted(record, isUrgent: isUrgent, isAlone: isAlone, step: facts.step, at: now, into: &effects)
        return isFarewell
    }

    // MARK: - Records received

    /// - Returns: whether its author has said goodbye to everybody.
    mutating func heard(
        _ record: VerifiedRecord, _ arrival: RecordArrival, from index: Int, in register: LinkRegister,
        _ facts: MeshFacts, at now: Instant, into effects: inout [MeshEffect]
    ) -> Bool {
        let isOver = arrival.isOver && isOver(record, in: register)
        guard !isOver || record.kind == .presence else {
            dropExpired(record, from: index)
            return false
        }
        let id = register.rows[index].id
        fairness.neighbourHas(record.id, on: id)
        guard broadcast.isNew(record, from: index), !facts.isOwn(record.author) else {
            var isFarewell = false
            if isNewOfNeighbour(record, register.rows[index].peer, facts) {
                let verdict = presences.heard(record, arrival, via: id, me: facts.me, at: now, into: &effects)
                isFarewell = verdict == .isFarewell
            }
            broadcast.heardAgain(record, arrival, from: index, step: facts.step, at: now, into: &effects)
            return isFarewell
        }
        if isTurnedAway(record, facts) { return false }
        let admission = fairness.admits(
            record, isOfNewcomer: isOfNewcomer(record, in: register),
            isUrgent: !arrival.isOld && isUrgent(record, by: .relayed, at: now), on: index, at: now)
        guard admission != .refused else {
            broadcast.takeBack(record)
            return false
        }
        let isUrgent = admission == .asUrgent
        if isUrgent { urgency.count(record, by: .relayed, at: now) }
        broadcast.accepted(record, hops: arrival.hops, from: index, step: facts.step, at: now, into: &effects)
        antiEntropy.cameByFlood(record.id)
        routing.learn(record.author, via: id, at: now)
        var age = arrival.ageMilliseconds
        var isFarewell = false
        if record.kind != .presence {
            effects.append(.deliver(record, hops: arrival.hops, isUrgent: isUrgent))
        } else if isOver {
            guard presences.isWorthRelaying(record, ageMilliseconds: age) else { return false }
        } else {
            let verdict = presences.heard(record, arrival, via: id, me: facts.me, at: now, into: &effects)
            guard verdict != .nothingNew else { return false }
            isFarewell = verdict == .isFarewell
            age = presences[record.author]?.ageMilliseconds(at: now) ?? 0
        }
        broadcast.spread(
            record, arrival, isUrgent: isUrgent, ageMilliseconds: age, from: index, at: now, into: &effects)
        return isFarewell
    }

    /// Whether a record whose lifetime is over by the clock here is treated so. The presence of a neighbour is not: a
    /// link proves that the neighbour is there, however wrong its clock is.
    ///
    /// Any other late presence is not shown, but is still relayed: the clock here may be wrong, and this peer may be the
    /// only way from its author to others.
    private mutating func isOver(_ record: VerifiedRecord, in register: LinkRegister) -> Bool {
        guard record.kind == .presence else { return true }
        if register.isNeighbour(record.author) { return false }
        if !broadcast.hasSeen(record.id) { expired.add(.expired) }
        return true
    }

    /// Drops a record whose lifetime is over. It is not requested from other neighbours that announce it.
    private mutating func dropExpired(_ record: VerifiedRecord, from index: Int) {
        expired.add(.expired)
        guard broadcast.isNew(record, from: index) else { return }
        broadcast.settled(record.id)
        antiEntropy.cameByFlood(record.id)
    }

    private mutating func isUrgent(_ record: VerifiedRecord, by way: Urgency.Way, at now: Instant) -> Bool {
        urgency.allows(record, by: way, isTrusted: fairness.trusts(record.author), at: now)
    }

    /// Whether this is the presence of a key that is not in the mesh, not known to this person and not a neighbour.
    private func isOfNewcomer(_ record: VerifiedRecord, in register: LinkRegister) -> Bool {
        record.kind == .presence && presences[record.author] == nil && !fairness.trusts(record.author)
            && !register.isNeighbour(record.author)
    }

    /// Whether this is a neighbour's own newer presence. It may have come through others first and been refused then.
    private func isNewOfNeighbour(_ record: VerifiedRecord, _ neighbour: PeerID, _ facts: MeshFacts) -> Bool {
        guard record.kind == .presence, record.author == neighbour else { return false }
        return !facts.blocked.contains(record.author)
            && (presences[record.author].map { $0.record.created < record.created } ?? true)
    }

    /// A record that a neighbour served on our request.
    mutating func served(
        _ record: VerifiedRecord, ageSeconds: UInt32, from index: Int, on id: LinkID, _ facts: MeshFacts,
        at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let isBlocked = facts.blocked.contains(record.author)
        // What others heard a day ago is no longer urgent.
        let isRecent = Duration.seconds(ageSeconds) < MeshLimit.urgentFor
        let isUrgent =
            isRecent && !isBlocked && isUrgent(record, by: .fetched, at: now)
            && fairness.takesUrgent(record, on: index, at: now)
        switch antiEntropy.served(
            record, ageSeconds: ageSeconds, isUrgent: isUrgent, isBlocked: isBlocked, on: id, at: now, into: &effects)
        {
        case .isKept:
            broadcast.fetched(record.id)
            if isUrgent { urgency.count(record, by: .fetched, at: now) }
        case .isBlocked: fairness.droppedBlocked()
        case .isUnused: break
        }
    }

    // MARK: - Records from another network

    /// A record that no neighbour brought. What was written just now is relayed like a neighbour's; the rest is like what
    /// neighbours serve.
    mutating func supplied(
        _ record: VerifiedRecord, _ age: SuppliedAge, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        if isTurnedAway(record, facts) { return effects.append(.supplied(record, .isBlocked)) }
        guard age == .live, !facts.isOwn(record.author), broadcast.isNew(supplied: record) else {
            return keepSupplied(record, age, at: now, into: &effects)
        }
        let admission = fairness.admits(
            record, isOfNewcomer: false, isUrgent: isUrgent(record, by: .relayed, at: now), on: nil, at: now)
        guard admission != .refused else {
            broadcast.takeBack(record)
            return effects.append(.supplied(record, .isTooMuch))
        }
        let isUrgent = admission == .asUrgent
        if isUrgent { urgency.count(record, by: .relayed, at: now) }
        broadcast.settled(record.id)
        antiEntropy.cameByFlood(record.id)
        effects.append(.supplied(record, .isRelayed))
        effects.append(.deliver(record, hops: 1, isUrgent: isUrgent))
        broadcast.supplied(record, isUrgent: isUrgent, step: facts.step, at: now, into: &effects)
    }

    private mutating func keepSupplied(
        _ record: VerifiedRecord, _ age: SuppliedAge, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard fairness.takesSupplied(record, at: now) else { return effects.append(.supplied(record, .isTooMuch)) }
        let isUrgent =
            age != .old && isUrgent(record, by: .fetched, at: now) && fairness.takesUrgent(record, on: nil, at: now)
        if isUrgent { urgency.count(record, by: .fetched, at: now) }
        broadcast.fetched(record.id)
        antiEntropy.cameByFlood(record.id)
        effects.append(.supplied(record, .isKept(isUrgent: isUrgent)))
    }

    // MARK: - Time

    /// Announces and requests what is due.
    mutating func releaseTree(_ facts: MeshFacts, at now: Instant, into effects: inout [MeshEffect]) {
        broadcast.releaseAnnouncements(at: now, into: &effects)
        let failed = broadcast.releaseMissing(step: facts.step, at: now, into: &effects)
        antiEntropy.graftsFailed(failed, at: now)
    }

    var nextDeadline: Instant? {
        var earliest = broadcast.nextDeadline
        func consider(_ deadline: Instant?) {
            if let deadline { earliest = min(earliest ?? deadline, deadline) }
        }
        consider(presences.sweepAt)
        consider(presences.announceAt)
        consider(routing.nextDeadline)
        consider(antiEntropy.nextDeadline)
        return earliest
    }

    // MARK: - Blocked peers

    /// - Parameter unblocked: whether others are not blocked any more. They have said things meanwhile.
    mutating func blocked(_ peers: [PeerID], unblocked: Bool, at now: Instant, into effects: inout [MeshEffect]) {
        for peer in peers { presences.forget(peer, into: &effects) }
        if unblocked { antiEntropy.wantDeclined(at: now) }
    }

    /// Drops a record of a blocked author. It stays marked as seen, so it is not requested from neighbours that
    /// announce it.
    private mutating func isTurnedAway(_ record: VerifiedRecord, _ facts: MeshFacts) -> Bool {
        guard facts.blocked.contains(record.author) else { return false }
        fairness.droppedBlocked()
        broadcast.settled(record.id)
        antiEntropy.cameByFlood(record.id)
        return true
    }
}
