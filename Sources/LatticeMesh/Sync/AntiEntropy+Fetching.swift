import LatticeCore
import LatticeWire

// Fetching: from the ids that we lack to the store's outcome.
extension AntiEntropy {
    // MARK: - What is missing

    /// A round found that this neighbour has these records and we lack them.
    mutating func want(_ ids: [RecordID], of index: Int, at now: Instant) {
        guard let slot = links[index].slot else { return }
        let peer = links[index].peer
        for id in ids where !declined.contains(id, from: peer, at: now) {
            guard wanted.note(id, at: slot) else {
                // The next round, which begins when there is space, finds it again.
                links[index].isShort = true
                return
            }
        }
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
        guard !wanted.isEmpty, wanted.remove(id) else { return }
        isStirred = true
        isDisturbed = true
    }

    // MARK: - Requests and answers

    /// Requests from every neighbour what it may be asked for now.
    mutating func fetch(at now: Instant, into effects: inout [MeshEffect]) {
        guard !wanted.isEmpty else { return }
        for index in links.indices { fetch(from: index, at: now, into: &effects) }
    }

    private mutating func fetch(from index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let slot = links[index].slot else { return }
        let ids = wanted.ask(slot, at: now)
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

    mutating func supplied(
        _ record: VerifiedRecord, ageSeconds: UInt32, isBlocked: Bool, on link: LinkID, at now: Instant,
        into effects: inout [MeshEffect]
    ) -> Supplied {
        guard let index = index(of: link), let slot = links[index].slot else { return .isUnused }
        var verdict = Supplied.isUnused
        let bytes = record.signed.bytes.count
        let groups = SyncScope.Group(of: record.kind).map { SyncGroups($0) } ?? []
        switch wanted.supplied(record.id, bytes: bytes, groups: groups, by: slot, at: now) {
        case .unasked:
            refused.add(.unasked)
            blame(index, MeshLimit.faultOfUnasked, at: now)
        case .late: break
        case .taken where isBlocked:
            // Its author was unknown when it was requested. It is not requested again for a day.
            links[index].counts.supplied += 1
            _ = wanted.settle(record.id)
            declined.insert(blocked: record.id, at: now)
            isDisturbed = true
            verdict = .isBlocked
        case .taken where groups.isEmpty:
            // Presences are not stored by anybody.
            refused.add(.malformed)
            _ = wanted.settle(record.id)
            declined.insert(record.id, at: now)
            isDisturbed = true
            blame(index, MeshLimit.faultOfFaulty, at: now)
        case .taken:
            links[index].counts.supplied += 1
            effects.append(.keep(record, ageSeconds: ageSeconds, from: link))
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
        var hasUnasked = false
        for id in ids {
            switch wanted.lacked(id, by: slot, at: now) {
            case .taken: links[index].counts.lacked += 1
            case .late: break
            case .unasked: hasUnasked = true
            }
        }
        if hasUnasked { blame(index, MeshLimit.faultOfUnasked, at: now) }
        guard links[index].counts.lacked > links[index].counts.supplied + MeshLimit.lackedMax else { return }
        links[index].counts.lacked = links[index].counts.supplied
        blame(index, MeshLimit.faultOfLacking, at: now)
    }

    /// Requests overdue records from other neighbours. What nobody else has is found again by the next round.
    mutating func lapseFetches(at now: Instant) {
        let lapsed = wanted.lapse(at: now)
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
        effects.append(.supply(ids, to: links[index].id))
    }

    // MARK: - Outcomes from the store

    mutating func kept(
        _ records: [KeptRecord], at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        isStirred = true
        var batch = KeptBatch()
        for record in records {
            switch record.outcome {
            case .added, .known:
                guard let arrival = wanted.settle(record.id) else { continue }
                batch.stored(record.id, isNew: record.outcome == .added, arrival)
            case .declined:
                _ = wanted.settle(record.id)
                declined.insert(record.id, at: now)
            case .declinedForAge:
                guard let index = wanted.refetch(record.id)?.from.flatMap(index) else { continue }
                declined.insert(record.id, of: links[index].peer, at: now)
            case .faulty:
                declined.insert(record.id, at: now)
                guard let index = wanted.settle(record.id)?.from.flatMap(index) else { continue }
                blame(index, MeshLimit.faultOfFaulty, at: now)
            case .failed: batch.failed.append(record.id)
            }
        }
        if !batch.failed.isEmpty {
            isStoreFailing = true
            wanted.storeFailed(batch.failed, at: now)
        } else if isStoreFailing, !records.isEmpty {
            storeRecovered(at: now)
            for index in links.indices { links[index].hasCompared = false }
        }
        if batch.count > 0 { stored(batch, at: now, using: &generator, into: &effects) }
    }

    /// Records relayed while the store failed count as seen but are not stored, so everything is reconciled again.
    /// Fruitless rounds in that time were the store's fault and not the neighbours'.
    mutating func storeRecovered(at now: Instant) {
        isStoreFailing = false
        wanted.storeWorks()
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
        if batch.failed.isEmpty { wanted.storeWorks() }
        catchingUp.fetched(batch.addedCount)
        for index in links.indices {
            guard let slot = links[index].slot else { continue }
            links[index].fruits += batch.sourceCounts[slot.index]
            links[index].counts.gained += batch.addedCounts[slot.index]
            if batch.addedCounts[slot.index] > 0 { catchingUp.given(by: links[index].peer) }
            for part in batch.ids[slot.index].parts(of: RecordIDs.countMax) {
                effects.append(.send(.stored(RecordIDs(part)), to: links[index].id))
            }
            tellNews(batch.news(for: slot), index, at: now, using: &generator)
        }
    }

    private mutating func tellNews(
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
        for id in ids {
            declined.insert(id, at: now)
            if wanted.remove(id) { isStirred = true }
        }
    }
}

/// The outcomes of one batch of records, grouped by link.
private struct KeptBatch {
    /// By slot: ids that it served, how many of these were new, and how many of all records in the batch it has.
    var ids = [[RecordID]](repeating: [], count: SourceSlot.countMax)
    var addedCounts = [Int](repeating: 0, count: SourceSlot.countMax)
    var sourceCounts = [Int](repeating: 0, count: SourceSlot.countMax)
    /// Groups with new records, each with the bits of the links that have all of those.
    private var newGroups: [(groups: SyncGroups, sources: UInt64)] = []
    var count = 0
    var addedCount = 0
    var failed: [RecordID] = []

    mutating func stored(_ id: RecordID, isNew: Bool, _ arrival: Wanted.Arrival) {
        count += 1
        if isNew {
            addedCount += 1
            if let index = newGroups.firstIndex(where: { $0.groups == arrival.groups }) {
                newGroups[index].sources &= arrival.sources
            } else {
                newGroups.append((arrival.groups, arrival.sources))
            }
        }
        if let slot = arrival.from {
            ids[slot.index].append(id)
            if isNew { addedCounts[slot.index] += 1 }
        }
        var left = arrival.sources
        while left != 0 {
            sourceCounts[left.trailingZeroBitCount] += 1
            left &= left - 1
        }
    }

    /// Groups with new records that this link may lack.
    func news(for slot: SourceSlot) -> SyncGroups {
        newGroups.reduce(into: SyncGroups()) { news, new in
            if new.sources & slot.bit == 0 { news.formUnion(new.groups) }
        }
    }
}

extension [RecordID] {
    fileprivate func parts(of countMax: Int) -> [[RecordID]] {
        stride(from: 0, to: count, by: countMax).map { Array(self[$0..<Swift.min($0 + countMax, count)]) }
    }
}
