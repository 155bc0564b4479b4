import LatticeCore
import LatticeWire

// Fetching: from the ids that we lack to the store's outcome.
extension AntiEntropy {
    // MARK: - What is missing

    /// A round found that this neighbour has these records and we lack them.
    mutating func want(_ ids: [RecordID], of index: Int, at now: Instant) {
        guard let slot = links[index].slot else { return }
        let peer = links[index].peer
        // If there is no space, the next round, which begins when there is some, finds the rest again.
        if !fetching.want(ids, of: peer, at: slot, at: now) { links[index].isShort = true }
    }

    /// A neighbour offers ids that it found we lack. The store is not asked: records that came by relay meanwhile are
    /// filtered out here, and any other record that we have is fetched once in vain.
    mutating func offered(_ ids: [RecordID], by link: LinkID, _ broadcast: Broadcast, at now: Instant) {
        guard let index = index(of: link) else { return }
        isStirred = true
        guard links[index].mayOffer(at: now),
            links[index].tokens.offersIn.take(Int64(ids.count), of: MeshLimit.offersIn, at: now)
        else { return refused.add(.lists) }
        links[index].offered += ids.count
        want(ids.filter { !broadcast.hasSeen($0) }, of: index, at: now)
    }

    /// Offers a neighbour the ids that it lacks. Over the limit it gets the newest, because the oldest are the ones
    /// that it may not want.
    mutating func offer(_ ids: [RecordID], to index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let count = min(ids.count, links[index].tokens.offersOut.left(of: MeshLimit.offersOut, at: now))
        guard count > 0 else { return }
        links[index].tokens.offersOut.charge(Int64(count), of: MeshLimit.offersOut, at: now)
        for part in Array(ids.suffix(count)).parts(of: RecordIDs.countMax) {
            effects.append(.send(.offer(RecordIDs(part)), to: links[index].id))
        }
    }

    /// It came by relay.
    mutating func cameByFlood(_ id: RecordID) {
        guard fetching.came(id) else { return }
        isStirred = true
        isDisturbed = true
    }

    // MARK: - Requests and answers

    /// Requests from every neighbour what it may be asked for now.
    mutating func fetch(at now: Instant, into effects: inout [MeshEffect]) {
        guard !fetching.isEmpty else { return }
        for index in links.indices { fetch(from: index, at: now, into: &effects) }
    }

    private mutating func fetch(from index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let slot = links[index].slot else { return }
        let ids = fetching.ask(slot, at: now)
        if !ids.isEmpty { effects.append(.send(.fetch(RecordIDs(ids)), to: links[index].id)) }
    }

    /// The outcome for a record that a neighbour served.
    enum Supplied: Hashable, Sendable {
        case isKept
        /// Its author is blocked.
        case isBlocked
        /// It was not requested, or is not needed any more.
        case isUnused
    }

    mutating func served(
        _ record: VerifiedRecord, ageSeconds: UInt32, isUrgent: Bool, isBlocked: Bool, on link: LinkID, at now: Instant,
        into effects: inout [MeshEffect]
    ) -> Supplied {
        guard let index = index(of: link), let slot = links[index].slot else { return .isUnused }
        let served = fetching.served(record, isBlocked: isBlocked, by: slot, at: now)
        var verdict = Supplied.isUnused
        switch served {
        case .isLate: break
        case .isUnasked:
            refused.add(.unasked)
            blame(index, MeshLimit.faultOfUnasked, at: now)
        case .isBlocked:
            links[index].counts.served += 1
            isDisturbed = true
            verdict = .isBlocked
        case .isMalformed:
            refused.add(.malformed)
            isDisturbed = true
            blame(index, MeshLimit.faultOfFaulty, at: now)
        case .isKept:
            links[index].counts.served += 1
            effects.append(.keep(record, ageSeconds: ageSeconds, isUrgent: isUrgent, from: link))
            verdict = .isKept
        }
        fetch(from: index, at: now, into: &effects)
        noteFetchDeadline(at: now)
        return verdict
    }

    /// Requests sent after an answer are normally due no sooner than earlier ones. After a late answer they can be.
    private mutating func noteFetchDeadline(at now: Instant) {
        let silentAt = now.advanced(byNanoseconds: Self.fetchSilence)
        nextDeadline = min(nextDeadline ?? silentAt, silentAt)
        isStirred = true
    }

    private static let fetchSilence = MeshLimit.fetchSilenceMax.nanoseconds

    mutating func lacked(_ ids: [RecordID], by index: Int, at now: Instant) {
        guard let slot = links[index].slot else { return }
        let lacked = fetching.lacked(ids, by: slot, at: now)
        links[index].counts.lacked += lacked.owed
        if lacked.hasUnasked { blame(index, MeshLimit.faultOfUnasked, at: now) }
        guard links[index].counts.lacked > links[index].counts.served + MeshLimit.lackedMax else { return }
        links[index].counts.lacked = links[index].counts.served
        blame(index, MeshLimit.faultOfLacking, at: now)
    }

    /// Requests overdue records from other neighbours. What nobody else has is found again by the next round.
    mutating func lapseFetches(at now: Instant) {
        let lapsed = fetching.lapse(at: now)
        for slot in lapsed.late {
            guard let index = index(of: slot) else { continue }
            links[index].isShort = true
        }
        for (slot, lost) in lapsed.abandoned {
            guard let index = index(of: slot) else { continue }
            links[index].wasSilent(at: now, lost: lost)
        }
    }

    mutating func fetchAsked(_ ids: [RecordID], by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard self.keeping != nil else { return effects.append(.send(.lack(RecordIDs(ids)), to: links[index].id)) }
        guard links[index].tokens.fetches.take(Int64(ids.count), of: MeshLimit.fetches, at: now) else {
            return refused.add(.lists)
        }
        links[index].fruits += ids.count
        links[index].fetches(ids, at: now)
        effects.append(.serve(ids, to: links[index].id))
    }

    // MARK: - Outcomes from the store

    mutating func kept(
        _ records: [KeptRecord], at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        isStirred = true
        var batch = KeptBatch()
        for record in records {
            switch fetching.kept(record, at: now) {
            case .stored(let arrival, let isNew): batch.stored(record.id, isNew: isNew, arrival)
            case .hasExpired(let slot):
                if let index = index(of: slot) { fetching.decline(record.id, of: links[index].peer, at: now) }
            case .isFaulty(let slot):
                if let index = slot.flatMap(index) { blame(index, MeshLimit.faultOfFaulty, at: now) }
            case .failed: batch.failed.append(record.id)
            case .isDone: break
            }
        }
        if !batch.failed.isEmpty {
            fetching.storeFailed(batch.failed, at: now)
        } else if fetching.isStoreFailing, !records.isEmpty {
            storeRecovered(at: now)
            for index in links.indices { links[index].hasCompared = false }
        }
        if batch.count > 0 { stored(batch, at: now, using: &generator, into: &effects) }
    }

    /// Records relayed while the store failed count as seen but are not stored, so everything is reconciled again.
    /// Fruitless rounds in that time were the store's fault and not the neighbours'.
    mutating func storeRecovered(at now: Instant) {
        fetching.storeWorks()
        for index in links.indices {
            links[index].forgive()
            if links[index].isComparable(at: now) { links[index].want(.all, at: now) }
        }
    }

    /// Confirms to the neighbours that served these records that they are stored. The other neighbours may lack them,
    /// too, so a round with them follows soon.
    private mutating func stored(
        _ batch: KeptBatch, at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        if batch.failed.isEmpty { fetching.storeWorks() }
        catchingUp.fetched(batch.addedCount)
        for index in links.indices {
            guard let slot = links[index].slot else { continue }
            links[index].fruits += batch.sourceCounts[slot.index]
            links[index].counts.gained += batch.addedCounts[slot.index]
            if batch.addedCounts[slot.index] > 0 { catchingUp.given(by: links[index].peer) }
            for part in batch.ids[slot.index].parts(of: RecordIDs.countMax) {
                effects.append(.send(.stored(RecordIDs(part)), to: links[index].id))
            }
            requestNews(batch.news(for: slot), index, at: now, using: &generator)
        }
    }

    /// The store has records that no neighbour has brought: a round with each of them follows soon.
    mutating func gained(_ groups: [SyncScope.Group], at now: Instant, using generator: inout SeededGenerator) {
        let groups = groups.reduce(into: SyncGroups()) { $0.insert(SyncGroups($1)) }
        isStirred = true
        for index in links.indices { requestNews(groups, index, at: now, using: &generator) }
    }

    private mutating func requestNews(
        _ groups: SyncGroups, _ index: Int, at now: Instant, using generator: inout SeededGenerator
    ) {
        guard !groups.isEmpty, !links[index].ranges.isEmpty, !hasLeft else { return }
        if links[index].news != nil {
            links[index].news?.groups.formUnion(groups)
            return
        }
        let delay = MeshLimit.newsDelayMin.nanoseconds...MeshLimit.newsDelayMax.nanoseconds
        let at = now.advanced(byNanoseconds: Int64.random(in: delay, using: &generator))
        links[index].news = SyncLink.News(groups: groups, at: at, until: now + MeshLimit.newsWaitMax)
    }

    mutating func dropped(_ ids: [RecordID], at now: Instant) {
        if fetching.dropped(ids, at: now) { isStirred = true }
    }
}

extension [RecordID] {
    fileprivate func parts(of countMax: Int) -> [[RecordID]] {
        stride(from: 0, to: count, by: countMax).map { Array(self[$0..<Swift.min($0 + countMax, count)]) }
    }
}
