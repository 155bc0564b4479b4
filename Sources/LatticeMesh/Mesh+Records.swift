import LatticeCore
package import LatticeWire

// The way of a record, submitted here or received, through the machines.
extension Mesh {
    mutating func submitted(_ record: VerifiedRecord, at now: Instant, into effects: inout [MeshEffect]) {
        guard facts.isOwn(record.author), !broadcast.hasSeen(record.id) else { return }
        let isAlone = register.connectedCount == 0
        if record.kind == .presence {
            // `presences` keeps it and gives it to every new neighbour, so the outbox need not hold it.
            let arrival = RecordArrival(timeToLive: options.timeToLive + 1, hops: 0)
            _ = heardPresence(record, arrival, via: nil, at: now, into: &effects)
        } else {
            // A record in the store reaches every neighbour that reconciles with it, even if the outbox is full.
            guard broadcast.keep(record, isAlone: isAlone, step: facts.step) || antiEntropy.keeping != nil else {
                effects.append(.outboxFull(record.id))
                return
            }
            effects.append(.deliver(record, hops: 0))
        }
        fairness.said(record, at: now)
        broadcast.submitted(record, isAlone: isAlone, step: facts.step, at: now, into: &effects)
    }

    mutating func heard(
        _ record: VerifiedRecord, _ arrival: RecordArrival, on id: LinkID, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard let index = register.index(of: id), register.rows[index].isHeard else { return }
        liveness.heard(index, at: now)
        let isOver = arrival.isOver && isOver(record)
        guard !isOver || record.kind == .presence else { return expired(record, from: index) }
        fairness.neighbourHas(record.id, on: id)
        guard broadcast.isNew(record, from: index), !facts.isOwn(record.author) else {
            if isNewOfNeighbour(record, index) {
                _ = heardPresence(record, arrival, via: id, at: now, into: &effects)
            }
            return broadcast.heardAgain(
                record, isStray: arrival.isStray, from: index, step: facts.step, at: now, into: &effects)
        }
        if isTurnedAway(record) { return }
        guard fairness.admits(record, isOfNewcomer: isOfNewcomer(record), on: index, at: now) else {
            return broadcast.takeBack(record)
        }
        broadcast.accepted(record, hops: arrival.hops, from: index)
        antiEntropy.cameByFlood(record.id)
        routing.learn(record.author, via: id, at: now)
        var age = arrival.ageMilliseconds
        if record.kind != .presence {
            effects.append(.deliver(record, hops: arrival.hops))
        } else if isOver {
            guard presences.isWorthRelaying(record, ageMilliseconds: age) else { return }
        } else {
            guard heardPresence(record, arrival, via: id, at: now, into: &effects) else { return }
            age = presences[record.author]?.ageMilliseconds(at: now) ?? 0
        }
        broadcast.spread(record, arrival, ageMilliseconds: age, from: index, at: now, into: &effects)
    }

    /// Whether a record whose lifetime is over by the clock here is treated so. The presence of a neighbour is not: a
    /// link proves that the neighbour is there, however wrong its clock is.
    ///
    /// Any other late presence is not shown, but is still relayed: the clock here may be wrong, and this peer may be the
    /// only way from its author to others.
    private mutating func isOver(_ record: VerifiedRecord) -> Bool {
        guard record.kind == .presence else { return true }
        if register.rows.contains(where: { $0.isConnected && $0.peer == record.author }) { return false }
        if !broadcast.hasSeen(record.id) { refused.add(.expired) }
        return true
    }

    /// Drops a record whose lifetime is over. It is not requested from other neighbours that announce it.
    private mutating func expired(_ record: VerifiedRecord, from index: Int) {
        refused.add(.expired)
        guard broadcast.isNew(record, from: index) else { return }
        broadcast.settled(record.id)
        antiEntropy.cameByFlood(record.id)
    }

    /// Whether this is the presence of a key that is not in the mesh, not known to this person and not a neighbour.
    private func isOfNewcomer(_ record: VerifiedRecord) -> Bool {
        record.kind == .presence && presences[record.author] == nil && !fairness.trusts(record.author)
            && !register.rows.contains { $0.isConnected && $0.peer == record.author }
    }

    /// Whether this is a neighbour's own newer presence. It may have come through others first and been refused then.
    private func isNewOfNeighbour(_ record: VerifiedRecord, _ index: Int) -> Bool {
        guard record.kind == .presence, record.author == register.rows[index].peer else { return false }
        return !facts.blocked.contains(record.author)
            && (presences[record.author].map { $0.record.created < record.created } ?? true)
    }

    /// A record that a neighbour served on our request.
    mutating func supplied(
        _ record: VerifiedRecord, ageSeconds: UInt32, on id: LinkID, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let index = register.index(of: id), register.rows[index].isHeard else { return }
        liveness.heard(index, at: now)
        let isBlocked = facts.blocked.contains(record.author)
        switch antiEntropy.supplied(
            record, ageSeconds: ageSeconds, isBlocked: isBlocked, on: id, at: now, into: &effects)
        {
        case .isKept: broadcast.fetched(record.id)
        case .isBlocked: fairness.droppedBlocked()
        case .isUnused: break
        }
    }

    /// - Returns: whether it is news.
    private mutating func heardPresence(
        _ record: VerifiedRecord, _ arrival: RecordArrival, via link: LinkID?, at now: Instant,
        into effects: inout [MeshEffect]
    ) -> Bool {
        switch presences.heard(record, arrival, via: link, me: me, at: now, into: &effects) {
        case .nothingNew: return false
        case .isNews: return true
        case .isFarewell:
            overlay.left(record.author.prefix)
            return true
        }
    }

    // MARK: - Blocked peers and personas

    mutating func residentsChanged(_ peers: Set<PeerID>) {
        precondition(peers.count <= MeshLimit.residentsMax && !peers.contains(me), "the caller checks their number")
        facts.personas = peers
        isDisturbed = true
    }

    mutating func blockedChanged(_ peers: Set<PeerID>, at now: Instant, into effects: inout [MeshEffect]) {
        let (before, after) = (facts.blocked, peers.subtracting(facts.personas).subtracting([me]))
        guard before != after else { return }
        facts.blocked = after
        isDisturbed = true
        for index in register.rows.indices {
            let link = register.rows[index]
            guard after.contains(link.peer), link.phase != .closing else { continue }
            endLink(index, Self.blockedGoodbye, .blocked, at: now, into: &effects)
        }
        for peer in after.subtracting(before).sorted() { presences.forget(peer, into: &effects) }
        // A peer that is unblocked has said things meanwhile.
        if !before.isSubset(of: after) { antiEntropy.wantDeclined(at: now) }
    }

    /// Sent to a blocked peer.
    package static let blockedGoodbye = Goodbye(.refused, "it has blocked this peer")

    /// Drops a record of a blocked author. It stays marked as seen, so it is not requested from neighbours that
    /// announce it.
    private mutating func isTurnedAway(_ record: VerifiedRecord) -> Bool {
        guard facts.blocked.contains(record.author) else { return false }
        fairness.droppedBlocked()
        broadcast.settled(record.id)
        antiEntropy.cameByFlood(record.id)
        return true
    }
}
