import LatticeCore
import LatticeWire

// When to reconcile with which neighbour.
extension AntiEntropy {
    /// How far this peer has reconciled with its neighbours.
    package var progress: ReconcileProgress { catchingUp.told }

    package var neighbours: [SyncNeighbour] {
        links.map { link in
            SyncNeighbour(
                peer: link.peer, keeping: link.keeping, isComparing: link.round != nil, comparedAt: link.comparedAt,
                gained: link.counts.gained, given: link.counts.given)
        }
    }

    // MARK: - Keeping

    mutating func keepingChanged(
        _ keeping: Keeping, in register: LinkRegister, at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        guard keeping != self.keeping else { return }
        // Declined records may be wanted under a wider keeping; a floor that only rises makes none wanted.
        if let before = self.keeping, keeping.isWider(than: before) { fetching.forgetDeclined() }
        self.keeping = keeping
        isStirred = true
        for index in links.indices where register.isConnected(links[index].id) {
            effects.append(.send(.keeping(keeping), to: links[index].id))
            keepingsKnown(index, at: now, using: &generator)
        }
    }

    private mutating func told(
        _ keeping: Keeping, by index: Int, at now: Instant, using generator: inout SeededGenerator
    ) {
        guard links[index].tokens.keepings.take(of: MeshLimit.keepings, at: now) else { return refused.add(.lists) }
        links[index].keeping = keeping
        keepingsKnown(index, at: now, using: &generator)
    }

    /// Schedules a round if there is more to reconcile than before; the side that dialled begins.
    private mutating func keepingsKnown(
        _ index: Int, at now: Instant, using generator: inout SeededGenerator
    ) {
        guard links[index].overlap(self.keeping), !hasLeft else { return }
        let isOurTurn = links[index].isOurs || links[index].startedAt != nil
        links[index].want(.all, at: isOurTurn ? now : now + MeshLimit.answererDelay)
        if intervalAt == nil { intervalAt = now + Self.roundInterval(using: &generator) }
    }

    private static func roundInterval(using generator: inout SeededGenerator) -> Duration {
        let interval = MeshLimit.roundInterval.nanoseconds
        return .nanoseconds(Int64.random(in: interval * 3 / 4...interval * 5 / 4, using: &generator))
    }

    // MARK: - Events

    /// A frame about reconciling or fetching.
    mutating func handle(
        _ frame: Frame, by link: LinkID, at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        guard let index = index(of: link) else { return }
        isStirred = true
        switch frame {
        case .keeping(let keeping): told(keeping, by: index, at: now, using: &generator)
        case .comparison(let comparison):
            switch comparison.side {
            case .question: asked(comparison, by: index, at: now, into: &effects)
            case .answer: answered(comparison, by: index, at: now, into: &effects)
            }
        case .fetch(let fetch): fetchAsked(fetch.ids, by: index, at: now, into: &effects)
        case .lack(let lack): lacked(lack.ids, by: index, at: now)
        case .stored(let list):
            let known = links[index].stored(list.ids)
            if !known.isEmpty { effects.append(.confirmed(known)) }
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .record, .probe, .have, .graft, .prune,
            .walk, .shuffle, .serve, .offer, .data, .dataAnswer, .presence, .want, .holds, .piece, .absent, .datagram:
            preconditionFailure("other frames have entries of their own")
        }
    }

    mutating func compared(
        _ outcome: ComparisonOutcome, in register: LinkRegister, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let index = index(of: outcome.work.link), register.isConnected(outcome.work.link) else { return }
        isStirred = true
        switch outcome.work.side {
        case .question: questionMade(outcome, index, at: now, into: &effects)
        case .answer: answerMade(outcome, index, at: now, into: &effects)
        }
    }

    /// A person asks to reconcile now.
    mutating func syncWanted(at now: Instant) {
        isStirred = true
        for index in links.indices where links[index].isComparable(at: now) {
            // A round under way may already have passed the place in question: another one follows it.
            if links[index].round == nil { links[index].hasCompared = false }
            links[index].want(.all, at: now, isUrgent: true)
        }
    }

    /// Declined records may be wanted now: the clock was set, or a block has ended.
    mutating func wantDeclined(at now: Instant) {
        fetching.forgetDeclined()
        syncWanted(at: now)
    }

    /// Requests (GRAFT) failed: the neighbours that announced the records have them, so reconcile with those.
    mutating func graftsFailed(_ announcers: [LinkID], at now: Instant) {
        for link in announcers {
            guard let index = index(of: link), links[index].isComparable(at: now) else { continue }
            links[index].want(.all, at: now)
            isStirred = true
        }
    }

    /// Charges a fault to a neighbour, and shuns it when the bucket is empty.
    mutating func blame(_ index: Int, _ points: Int64, at now: Instant) {
        guard !links[index].reputation.faults.take(points, of: MeshLimit.syncFaults, at: now) else { return }
        shun(index, at: now)
    }

    mutating func shun(_ index: Int, at now: Instant) {
        links[index].shun(at: now)
        if let slot = links[index].slot { fetching.abandon(slot) }
        isStirred = true
        isDisturbed = true
    }

    // MARK: - Time

    mutating func release(
        in register: LinkRegister, at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        isDisturbed = false
        if endings != register.endings {
            endings = register.endings
            removeAll { !register.isConnected($0.id) }
            isStirred = true
        }
        guard !hasLeft, isStirred || nextDeadline.map({ $0 <= now }) ?? false else { return }
        isStirred = false
        lapseFetches(at: now)
        for index in links.indices {
            releaseRound(index, at: now, into: &effects)
            answerNext(index, at: now, into: &effects)
        }
        releaseInterval(at: now, using: &generator)
        releaseShort(at: now)
        releaseNews(at: now)
        for index in links.indices { beginWished(index, at: now, into: &effects) }
        fetch(at: now, into: &effects)
        // Records relayed while the store fails are missing, and their number is unknown.
        let isUnsure = isAsking(at: now) || fetching.isStoreFailing
        if catchingUp.changes(missing: fetching.count, isUnsure: isUnsure) { effects.append(.syncChanged) }
        nextDeadline = earliestSyncDeadline(at: now)
    }

    /// Schedules a round with the neighbour whose last one is the oldest.
    private mutating func releaseInterval(at now: Instant, using generator: inout SeededGenerator) {
        guard let time = intervalAt, time <= now else { return }
        intervalAt = now + Self.roundInterval(using: &generator)
        var next: Int?
        for index in links.indices {
            let link = links[index]
            guard link.round == nil, link.isComparable(at: now), !link.isResting(at: now) else { continue }
            let comparedAt = link.comparedAt?.nanoseconds ?? .min
            if let best = next, links[best].comparedAt?.nanoseconds ?? .min <= comparedAt { continue }
            next = index
        }
        if let next { links[next].want(.all, at: now) }
    }

    /// A neighbour had more records than we noted or than it offered, and there is space for them now.
    private mutating func releaseShort(at now: Instant) {
        for index in links.indices {
            guard let slot = links[index].slot, links[index].round == nil else { continue }
            let told = fetching.announcedCount(slot)
            let isShort = links[index].isShort && told <= fetching.share / 4
            let mayHaveMore = links[index].offered >= MeshLimit.offersManyMin && told == 0
            guard isShort || mayHaveMore else { continue }
            links[index].isShort = false
            links[index].offered = 0
            if links[index].isComparable(at: now) { links[index].want(.all, at: now) }
        }
    }

    /// Announces news once nothing more is on its way, so that it is announced once.
    private mutating func releaseNews(at now: Instant) {
        for index in links.indices {
            guard let news = links[index].news, news.at <= now else { continue }
            guard fetching.isEmpty || news.until <= now else {
                links[index].news?.at = now + MeshLimit.roundPollInterval
                continue
            }
            links[index].news = nil
            if links[index].isComparable(at: now) { links[index].want(news.groups, at: now) }
        }
    }

    private mutating func earliestSyncDeadline(at now: Instant) -> Instant? {
        var earliest = fetching.nextDeadline
        func consider(_ deadline: Instant?) {
            if let deadline { earliest = min(earliest ?? deadline, deadline) }
        }
        consider(intervalAt)
        for link in links {
            consider(link.round?.nextDeadline)
            if link.round == nil { consider(link.wish?.at) }
            consider(link.news?.at)
            consider(link.questions.nextDeadline(at: now))
        }
        return earliest
    }
}

extension Keeping {
    /// Whether this keeps something that `other` does not.
    fileprivate func isWider(than other: Keeping) -> Bool {
        if let others = other.rooms {
            guard let rooms, rooms.allSatisfy(others.contains) else { return true }
        }
        return entries.contains { entry in other.since(entry.group).map { entry.since < $0 } ?? true }
    }
}
