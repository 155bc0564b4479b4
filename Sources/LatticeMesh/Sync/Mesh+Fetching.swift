import LatticeCore
import LatticeWire

// Fetching: what neighbours have and we lack, from the finding out to the store's word on it.
extension Mesh {
    // MARK: - What is missing

    /// A comparison says that these are there and not here.
    mutating func want(_ ids: [RecordID], of index: Int, at now: Instant) {
        guard let slot = sync.links[index].slot else { return }
        let peer = sync.links[index].peer
        for id in ids where !sync.declined.contains(id, from: peer, at: now) {
            guard sync.wanted.note(id, at: slot) else {
                // Found again by the next comparison, which is begun when there is room.
                sync[at: index].isShort = true
                return
            }
        }
    }

    /// A neighbour found out that we lack these. The store is not asked whether it is so: what has come by since is known here, and
    /// what else we have is fetched in vain once.
    mutating func offered(_ ids: [RecordID], by index: Int, at now: Instant) {
        guard sync.links[index].mayOffer(at: now),
            sync[at: index].offerTokens.take(Int64(ids.count), of: MeshLimit.offersIn, at: now)
        else { return refusals.add(.lists) }
        sync[at: index].offered += ids.count
        want(ids.filter { !broadcast.hasSeen($0) }, of: index, at: now)
    }

    /// Tells a neighbour what it was found to lack: of more than it may be told now the newest, since it is the oldest that it may
    /// not want.
    mutating func offer(_ ids: [RecordID], to index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let count = min(ids.count, sync.links[index].offeringTokens.left(of: MeshLimit.offersOut, at: now))
        guard count > 0 else { return }
        sync[at: index].offeringTokens.charge(Int64(count), of: MeshLimit.offersOut, at: now)
        for part in Array(ids.suffix(count)).parts(of: RecordIDs.countMax) {
            effects.append(.send(.offer(RecordIDs(part)), to: sync.links[index].id))
        }
    }

    /// The flood brought it.
    mutating func cameByFlood(_ id: RecordID) {
        guard sync.wanted.remove(id) else { return }
        sync.isStirred = true
        isDisturbed = true
    }

    // MARK: - Asking and answers

    /// Asks every neighbour for what it may be asked for now.
    mutating func fetch(at now: Instant, into effects: inout [MeshEffect]) {
        guard !sync.wanted.isEmpty else { return }
        for index in sync.links.indices { fetch(from: index, at: now, into: &effects) }
    }

    private mutating func fetch(from index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let slot = sync.links[index].slot else { return }
        let ids = sync.wanted.ask(slot, at: now)
        if !ids.isEmpty { effects.append(.send(.fetch(RecordIDs(ids)), to: sync.links[index].id)) }
    }

    mutating func supplied(
        _ record: VerifiedRecord, ageSeconds: UInt32, on link: LinkID, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let neighbour = register.index(of: link), register.rows[neighbour].isHeard else { return }
        liveness.heard(neighbour, at: now)
        guard let index = sync.index(of: link), let slot = sync.links[index].slot else { return }
        let bytes = record.signed.bytes.count
        let groups = SyncScope.Group(of: record.kind).map { SyncGroups($0) } ?? []
        switch sync.wanted.supplied(record.id, bytes: bytes, groups: groups, by: slot, at: now) {
        case .unasked:
            refusals.add(.unasked)
            blame(index, MeshLimit.faultOfUnasked, at: now)
        case .late: break
        case .taken where facts.blocked.contains(record.author):
            sync[at: index].supplied += 1
            turnAway(supplied: record, at: now)
        case .taken where groups.isEmpty:
            // A presence is nobody's to keep.
            refusals.add(.malformed)
            _ = sync.wanted.settle(record.id)
            sync.declined.insert(record.id, at: now)
            isDisturbed = true
            blame(index, MeshLimit.faultOfFaulty, at: now)
        case .taken:
            sync[at: index].supplied += 1
            broadcast.fetched(record.id)
            effects.append(.keep(record, ageSeconds: ageSeconds, from: link))
        }
        fetch(from: index, at: now, into: &effects)
        noteFetchDeadline(at: now)
    }

    /// What is asked for in answer to a record is due no sooner than what was asked for before; but of late answers that need not
    /// be so.
    private mutating func noteFetchDeadline(at now: Instant) {
        let silentAt = now.advanced(byNanoseconds: Self.fetchSilence)
        sync.deadline = min(sync.deadline ?? silentAt, silentAt)
        sync.isStirred = true
    }

    private static let fetchSilence = MeshLimit.fetchSilenceMax.nanoseconds

    mutating func lacked(_ ids: [RecordID], by index: Int, at now: Instant) {
        guard let slot = sync.links[index].slot else { return }
        var hasUnasked = false
        for id in ids {
            switch sync.wanted.lacked(id, by: slot, at: now) {
            case .taken: sync[at: index].lacked += 1
            case .late: break
            case .unasked: hasUnasked = true
            }
        }
        if hasUnasked { blame(index, MeshLimit.faultOfUnasked, at: now) }
        guard sync.links[index].lacked > sync.links[index].supplied + MeshLimit.lackedMax else { return }
        sync[at: index].lacked = sync.links[index].supplied
        blame(index, MeshLimit.faultOfLacking, at: now)
    }

    /// What is owed for too long is asked of others; what nobody else has is found again by comparing.
    mutating func lapseFetches(at now: Instant) {
        let lapsed = sync.wanted.lapse(at: now)
        for slot in lapsed.late {
            guard let index = sync.index(of: slot) else { continue }
            sync[at: index].isShort = true
        }
        for (slot, lost) in lapsed.abandoned {
            guard let index = sync.index(of: slot) else { continue }
            sync[at: index].wasSilent(at: now, lost: lost)
        }
    }

    /// A neighbour asks for records.
    mutating func fetchAsked(_ ids: [RecordID], by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard sync.keeping != nil else { return effects.append(.send(.lack(RecordIDs(ids)), to: sync.links[index].id)) }
        guard sync[at: index].fetchTokens.take(Int64(ids.count), of: MeshLimit.fetches, at: now) else {
            return refusals.add(.lists)
        }
        sync[at: index].fruits += ids.count
        sync[at: index].fetches(ids, at: now)
        effects.append(.supply(ids, to: sync.links[index].id))
    }

    // MARK: - The store's word

    mutating func kept(_ records: [KeptRecord], at now: Instant, into effects: inout [MeshEffect]) {
        sync.isStirred = true
        var batch = KeptBatch()
        for record in records {
            switch record.outcome {
            case .added, .known:
                guard let arrival = sync.wanted.settle(record.id) else { continue }
                batch.stored(record.id, isNew: record.outcome == .added, arrival)
            case .declined:
                _ = sync.wanted.settle(record.id)
                sync.declined.insert(record.id, at: now)
            case .declinedForAge:
                guard let index = sync.wanted.refetch(record.id)?.from.flatMap(sync.index) else { continue }
                sync.declined.insert(record.id, of: sync.links[index].peer, at: now)
            case .faulty:
                sync.declined.insert(record.id, at: now)
                guard let index = sync.wanted.settle(record.id)?.from.flatMap(sync.index) else { continue }
                blame(index, MeshLimit.faultOfFaulty, at: now)
            case .failed: batch.failed.append(record.id)
            }
        }
        if !batch.failed.isEmpty {
            sync.isStoreFailing = true
            sync.wanted.storeFailed(batch.failed, at: now)
        } else if sync.isStoreFailing, !records.isEmpty {
            storeRecovered(at: now)
            for index in sync.links.indices { sync[at: index].hasCompared = false }
        }
        if batch.count > 0 { stored(batch, at: now, into: &effects) }
    }

    /// What the flood brought meanwhile counts as seen and is not here; and that nothing came of comparisons was nobody's fault but
    /// the store's.
    mutating func storeRecovered(at now: Instant) {
        sync.isStoreFailing = false
        sync.wanted.storeWorks()
        for index in sync.links.indices {
            sync[at: index].forgive()
            if sync.links[index].isComparable(at: now) { sync[at: index].want(.all, at: now) }
        }
    }

    /// The givers are told, and the others are compared with soon: they may lack it, too.
    private mutating func stored(_ batch: KeptBatch, at now: Instant, into effects: inout [MeshEffect]) {
        if batch.failed.isEmpty { sync.wanted.storeWorks() }
        sync.progress.fetched(batch.addedCount)
        for index in sync.links.indices {
            guard let slot = sync.links[index].slot else { continue }
            sync[at: index].fruits += batch.sourceCounts[slot.index]
            sync[at: index].gained += batch.addedCounts[slot.index]
            if batch.addedCounts[slot.index] > 0 { sync.progress.given(by: sync.links[index].peer) }
            for part in batch.ids[slot.index].parts(of: RecordIDs.countMax) {
                effects.append(.send(.stored(RecordIDs(part)), to: sync.links[index].id))
            }
            tellNews(batch.news(for: slot), index, at: now)
        }
    }

    private mutating func tellNews(_ groups: SyncGroups, _ index: Int, at now: Instant) {
        guard !groups.isEmpty, !sync.links[index].ranges.isEmpty, !facts.hasLeft else { return }
        if sync.links[index].news != nil {
            sync[at: index].news?.groups.formUnion(groups)
            return
        }
        let delay = MeshLimit.newsDelayMin.nanoseconds...MeshLimit.newsDelayMax.nanoseconds
        let at = now.advanced(byNanoseconds: Int64.random(in: delay, using: &generator))
        sync[at: index].news = SyncLink.News(groups: groups, at: at, until: now + MeshLimit.newsWaitMax)
    }

    mutating func dropped(_ ids: [RecordID], at now: Instant) {
        for id in ids {
            sync.declined.insert(id, at: now)
            if sync.wanted.remove(id) { sync.isStirred = true }
        }
    }
}

/// What became of some records together, by the links that have them.
private struct KeptBatch {
    /// Of each slot: what came by it, how much of that was new, and how much of all it has.
    var ids = [[RecordID]](repeating: [], count: SourceSlot.countMax)
    var addedCounts = [Int](repeating: 0, count: SourceSlot.countMax)
    var sourceCounts = [Int](repeating: 0, count: SourceSlot.countMax)
    /// Groups in which there is something new, each with the bits of the links that have all of that.
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

    /// In which groups there is something new that this link may lack.
    func news(for slot: SourceSlot) -> SyncGroups {
        newGroups.reduce(into: SyncGroups()) { news, new in
            if new.sources & slot.bit == 0 { news.formUnion(new.groups) }
        }
    }
}

extension [RecordID] {
    /// In portions of so many.
    fileprivate func parts(of countMax: Int) -> [[RecordID]] {
        stride(from: 0, to: count, by: countMax).map { Array(self[$0..<Swift.min($0 + countMax, count)]) }
    }
}
