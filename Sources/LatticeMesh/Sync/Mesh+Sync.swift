import LatticeCore
import LatticeWire

// Reconciling with neighbours: who is compared with when, what is fetched from whom. The set of what is kept here is with whoever
// has the store; this decides, and never sees it.
extension Mesh {
    package var syncProgress: SyncProgress { sync.progress.told }

    package func syncNeighbours() -> [SyncNeighbour] {
        sync.links.map { link in
            SyncNeighbour(
                peer: link.peer, keeping: link.keeping, isComparing: link.round != nil, comparedAt: link.comparedAt,
                gained: link.gained, given: link.given)
        }
    }

    // MARK: - What is kept

    /// A link carries records from now on.
    mutating func beginSync(with index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard !facts.hasLeft else { return }
        let (link, id) = (register.rows[index], register.rows[index].id)
        sync.add(link, at: now)
        sync.isStirred = true
        if let keeping = sync.keeping { effects.append(.send(.keeping(keeping), to: id)) }
    }

    mutating func keepingChanged(_ keeping: Keeping, at now: Instant, into effects: inout [MeshEffect]) {
        guard keeping != sync.keeping else { return }
        // What was not wanted before may be now; a floor that only rises makes nothing wanted.
        if let before = sync.keeping, keeping.isWider(than: before) { sync.declined.forget() }
        sync.keeping = keeping
        sync.isStirred = true
        for index in sync.links.indices where register.isConnected(sync.links[index].id) {
            effects.append(.send(.keeping(keeping), to: sync.links[index].id))
            keepingsKnown(index, at: now)
        }
    }

    private mutating func told(_ keeping: Keeping, by index: Int, at now: Instant) {
        guard sync[at: index].keepingTokens.take(of: MeshLimit.keepings, at: now) else { return refusals.add(.lists) }
        sync[at: index].keeping = keeping
        keepingsKnown(index, at: now)
    }

    /// Where there is more to be compared than before it soon is: the side that dialled begins.
    private mutating func keepingsKnown(_ index: Int, at now: Instant) {
        guard sync[at: index].overlap(sync.keeping), !facts.hasLeft else { return }
        let isOurTurn = sync.links[index].isOurs || sync.links[index].startedAt != nil
        sync[at: index].want(.all, at: isOurTurn ? now : now + MeshLimit.answererDelay)
        if sync.intervalAt == nil { sync.intervalAt = now + roundInterval() }
    }

    private mutating func roundInterval() -> Duration {
        let interval = MeshLimit.roundInterval.nanoseconds
        return .nanoseconds(Int64.random(in: interval * 3 / 4...interval * 5 / 4, using: &generator))
    }

    // MARK: - What happens

    mutating func syncReceived(_ frame: Frame, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let index = sync.index(of: register.rows[index].id) else { return }
        sync.isStirred = true
        switch frame {
        case .keeping(let keeping): told(keeping, by: index, at: now)
        case .comparison(let comparison):
            switch comparison.side {
            case .question: asked(comparison, by: index, at: now, into: &effects)
            case .answer: answered(comparison, by: index, at: now, into: &effects)
            }
        case .offer(let offer): offered(offer.ids, by: index, at: now)
        case .fetch(let fetch): fetchAsked(fetch.ids, by: index, at: now, into: &effects)
        case .lack(let lack): lacked(lack.ids, by: index, at: now)
        case .stored(let list):
            let known = sync[at: index].stored(list.ids)
            if !known.isEmpty { effects.append(.confirmed(known)) }
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .record, .probe, .have, .graft, .prune,
            .walk, .shuffle, .supply, .data, .dataAnswer, .presence:
            preconditionFailure("only frames of comparing and fetching come here")
        }
    }

    mutating func compared(_ outcome: ComparisonOutcome, at now: Instant, into effects: inout [MeshEffect]) {
        guard let index = sync.index(of: outcome.work.link), register.isConnected(outcome.work.link) else { return }
        sync.isStirred = true
        switch outcome.work.side {
        case .question: questionMade(outcome, index, at: now, into: &effects)
        case .answer: answerMade(outcome, index, at: now, into: &effects)
        }
    }

    mutating func syncWanted(at now: Instant, into effects: inout [MeshEffect]) {
        sync.isStirred = true
        for index in sync.links.indices where sync.links[index].isComparable(at: now) {
            // A comparison that goes on may have looked already at what this is wanted for: another follows it.
            if sync.links[index].round == nil { sync[at: index].hasCompared = false }
            sync[at: index].want(.all, at: now, isUrgent: true)
        }
    }

    /// What was over by the time before may not be.
    mutating func clockLeapt(at now: Instant, into effects: inout [MeshEffect]) {
        sync.declined.forget()
        syncWanted(at: now, into: &effects)
    }

    /// The flood has a gap here that could not be filled: who told of it has what is missing.
    mutating func graftsFailed(_ tellers: [LinkID], at now: Instant) {
        for link in tellers {
            guard let index = sync.index(of: link), sync.links[index].isComparable(at: now) else { continue }
            sync[at: index].want(.all, at: now)
            sync.isStirred = true
        }
    }

    /// Something is held against a neighbour; at some point it is enough.
    mutating func blame(_ index: Int, _ points: Int64, at now: Instant) {
        guard !sync[at: index].standing.faults.take(points, of: MeshLimit.syncFaults, at: now) else { return }
        shun(index, at: now)
    }

    mutating func shun(_ index: Int, at now: Instant) {
        sync[at: index].shun(at: now)
        if let slot = sync.links[index].slot { sync.wanted.abandon(slot) }
        sync.isStirred = true
        isDisturbed = true
    }

    // MARK: - What is due

    mutating func releaseSync(at now: Instant, into effects: inout [MeshEffect]) {
        if sync.endings != register.endings {
            sync.endings = register.endings
            sync.removeAll { !register.isConnected($0.id) }
            sync.isStirred = true
        }
        guard !facts.hasLeft, sync.isStirred || sync.deadline.map({ $0 <= now }) ?? false else { return }
        sync.isStirred = false
        lapseFetches(at: now)
        for index in sync.links.indices {
            releaseRound(index, at: now, into: &effects)
            answerNext(index, at: now, into: &effects)
        }
        releaseInterval(at: now)
        releaseShort(at: now)
        releaseNews(at: now)
        for index in sync.links.indices { beginWished(index, at: now, into: &effects) }
        fetch(at: now, into: &effects)
        // What the flood brought while the store failed is missing, and nobody knows how much that is.
        let isUnsure = sync.isAsking(at: now) || sync.isStoreFailing
        if sync.progress.changes(missing: sync.wanted.count, isUnsure: isUnsure) { effects.append(.syncChanged) }
        sync.deadline = earliestSyncDeadline(at: now)
    }

    /// One more neighbour is compared with, whichever that has not been for longest.
    private mutating func releaseInterval(at now: Instant) {
        guard let time = sync.intervalAt, time <= now else { return }
        sync.intervalAt = now + roundInterval()
        var next: Int?
        for index in sync.links.indices {
            let link = sync.links[index]
            guard link.round == nil, link.isComparable(at: now), !link.isResting(at: now) else { continue }
            let comparedAt = link.comparedAt?.nanoseconds ?? .min
            if let best = next, sync.links[best].comparedAt?.nanoseconds ?? .min <= comparedAt { continue }
            next = index
        }
        if let next { sync[at: next].want(.all, at: now) }
    }

    /// A neighbour had more than was noted, or more than it offered: there is room for it now.
    private mutating func releaseShort(at now: Instant) {
        for index in sync.links.indices {
            guard let slot = sync.links[index].slot, sync.links[index].round == nil else { continue }
            let told = sync.wanted.toldCount(slot)
            let isShort = sync.links[index].isShort && told <= sync.wanted.share / 4
            let mayHaveMore = sync.links[index].offered >= MeshLimit.offersManyMin && told == 0
            guard isShort || mayHaveMore else { continue }
            sync[at: index].isShort = false
            sync[at: index].offered = 0
            if sync.links[index].isComparable(at: now) { sync[at: index].want(.all, at: now) }
        }
    }

    /// News is told once nothing more comes, so that it is told once.
    private mutating func releaseNews(at now: Instant) {
        for index in sync.links.indices {
            guard let news = sync.links[index].news, news.at <= now else { continue }
            guard sync.wanted.isEmpty || news.until <= now else {
                sync[at: index].news?.at = now + MeshLimit.roundPollInterval
                continue
            }
            sync[at: index].news = nil
            if sync.links[index].isComparable(at: now) { sync[at: index].want(news.groups, at: now) }
        }
    }

    private mutating func earliestSyncDeadline(at now: Instant) -> Instant? {
        var earliest = sync.wanted.nextDeadline
        func consider(_ deadline: Instant?) {
            if let deadline { earliest = min(earliest ?? deadline, deadline) }
        }
        consider(sync.intervalAt)
        for link in sync.links {
            consider(link.round?.nextDeadline)
            if link.round == nil { consider(link.wish?.at) }
            consider(link.news?.at)
            consider(link.answering?.until)
            if link.answering == nil, !link.questions.isEmpty {
                consider(link.questionTokens.emptyUntil(of: MeshLimit.questions, at: now) ?? now)
            }
        }
        return earliest
    }
}

extension Keeping {
    /// Whether something is kept that `other` does not keep.
    fileprivate func isWider(than other: Keeping) -> Bool {
        if let others = other.rooms {
            guard let rooms, rooms.allSatisfy(others.contains) else { return true }
        }
        return entries.contains { entry in other.since(entry.group).map { entry.since < $0 } ?? true }
    }
}
