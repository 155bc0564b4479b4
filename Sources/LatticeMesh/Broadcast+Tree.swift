import LatticeCore
import LatticeWire

// The tree: which links are its branches, and which authors are pruned where.
extension Broadcast {
    // MARK: - Duplicates

    /// A branch that brings what another branch brought sooner is no branch. A record pushed beside the tree that came
    /// too late prunes only its author; a branch that is slower than such a record stays.
    mutating func heardAgain(
        _ record: VerifiedRecord, _ arrival: RecordArrival, from index: Int, step: UInt64, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard rows[index].isConnected else { return }
        let known = recent.fresh(record.id)
        // It comes on every link, which says nothing about the tree.
        if known?.isUrgent ?? false { return }
        if let known, floodRadius.isOneHop, settles(known, arrival, from: index, step: step, at: now, into: &effects) {
            return
        }
        if rows[index].isEager {
            guard !arrival.isStray, let known, !known.isStray, isBranch(known.giver) else { return }
            rows[index].broughtDuplicate()
            guard rows[index].isWorthless else { return }
            prune(index, step: step, at: now, into: &effects)
        } else if rows[index].prunes.take(of: MeshLimit.prunes, at: now) {
            rows[index].prunesHere(record.author.prefix)
            effects.append(.send(.prune(of: record.author), to: rows[index].id))
        }
    }

    /// In a mesh where most records come straight from their origin, such a link is enough: every other one that brings
    /// the same is pruned of the author.
    ///
    /// - Returns: whether nothing else needs to be pruned for this copy.
    private mutating func settles(
        _ known: RecentRecords.Entry, _ copy: RecordArrival, from index: Int, step: UInt64, at now: Instant,
        into effects: inout [MeshEffect]
    ) -> Bool {
        let author = known.record.author
        if isOursOrDirect(known) {
            prune(of: author, index, for: known.giver, step: step, at: now, into: &effects)
            return true
        }
        guard let giver = self.index(of: known.giver), rows[giver].isConnected else { return false }
        // The origin pushes its own on every branch, so the copy that left the tree is the one to spare.
        if copy.hops == 1, rows[index].isEager, known.isStray {
            recent.came(known.record.id, by: rows[index].id, hops: 1)
            prune(of: author, giver, for: rows[index].id, step: step, at: now, into: &effects)
            return true
        }
        // The link that was first is pruned of this author already, and will not bring the next record.
        return !rows[index].isEager && rows[giver].originsPrunedHere.contains(author.prefix)
    }

    /// Whether the record came straight from its origin, on a link that goes on bringing that author's.
    private func isOursOrDirect(_ known: RecentRecords.Entry) -> Bool {
        guard known.giver != nil else { return known.hops == 0 }
        guard known.hops == 1, let index = index(of: known.giver) else { return false }
        return rows[index].isConnected
    }

    private mutating func prune(_ index: Int, step: UInt64, at now: Instant, into effects: inout [MeshEffect]) {
        guard rows[index].prunes.take(of: MeshLimit.prunes, at: now) else { return }
        rows[index].beLazy(from: step)
        effects.append(.send(.prune(of: nil), to: rows[index].id))
    }

    /// - Parameter giver: the link that brings this author's records from their origin; `nil` if they are ours.
    private mutating func prune(
        of author: PeerID, _ index: Int, for giver: LinkID?, step: UInt64, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let origin = author.prefix
        guard !unreliable.contains(origin, at: now) else { return }
        let giver = self.index(of: giver)
        if let giver, !rows[giver].brings(origin) { return }
        guard rows[index].prunes.take(of: MeshLimit.prunes, at: now) else { return }
        rows[index].prunesHere(origin)
        effects.append(.send(.prune(of: author), to: rows[index].id))
        if let giver, rows[giver].originsPrunedHere.contains(origin) { graft(giver, step: step, into: &effects) }
    }

    /// Makes a link a branch for the records of every author.
    mutating func graft(_ index: Int, ids: [RecordID] = [], step: UInt64, into effects: inout [MeshEffect]) {
        rows[index].pushesAll(from: step)
        effects.append(.send(.graft(Graft(ids: ids)), to: rows[index].id))
    }

    private func isBranch(_ link: LinkID?) -> Bool {
        guard let index = index(of: link) else { return false }
        return rows[index].isConnected && rows[index].isEager
    }

    /// A neighbour announced, over far fewer hops, a record that came by the tree: it becomes a branch in place of the
    /// one that brought the record (Plumtree section 3.8). A peer that is fewer hops from the origin cannot depend on
    /// us, so the tree stays connected.
    private mutating func optimise(
        _ known: RecentRecords.Entry, _ entry: Have.Entry, by index: Int, step: UInt64, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard !rows[index].isEager, !known.isStray, isBranch(known.giver),
            known.hops >= entry.hops + shortcutHops, let giver = self.index(of: known.giver),
            rows[index].prunes.take(of: MeshLimit.prunes, at: now)
        else { return }
        graft(index, step: step, into: &effects)
        prune(giver, step: step, at: now, into: &effects)
        recent.came(entry.id, by: rows[index].id, hops: entry.hops)
    }

    // MARK: - Announcements of what is here

    /// A neighbour announced a record that is here.
    mutating func heardKnown(
        _ entry: Have.Entry, by index: Int, step: UInt64, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let known = recent.fresh(entry.id) else { return }
        guard floodRadius.isOneHop, isOursOrDirect(known) else {
            return optimise(known, entry, by: index, step: step, at: now, into: &effects)
        }
        // From then on it announces this author's records late and many at once.
        guard !rows[index].originsPrunedHere.contains(known.record.author.prefix) else { return }
        prune(of: known.record.author, index, for: known.giver, step: step, at: now, into: &effects)
    }

    // MARK: - Ways that end or lose records

    /// A link ended that brought records straight from their origin: for each such author one of the links that we
    /// pruned of it becomes a branch again.
    mutating func linkEnded(_ index: Int, step: UInt64, at now: Instant, into effects: inout [MeshEffect]) {
        var restored: [Int] = []
        for origin in rows[index].originsFromHere {
            func isPruned(_ other: Int) -> Bool { rows[other].originsPrunedHere.contains(origin) }
            guard !restored.contains(where: isPruned) else { continue }
            let other = rows.indices.first { $0 != index && rows[$0].isConnected && isPruned($0) }
            if let other { restored.append(other) }
        }
        for other in restored where rows[other].prunes.take(of: MeshLimit.prunes, at: now) {
            graft(other, step: step, into: &effects)
        }
    }

    /// We had to request a record of this author. If we pruned the author elsewhere, the link that we rely on loses
    /// records, so for a while the author's records come by others as well.
    mutating func wasLacking(
        _ origin: PeerPrefix, step: UInt64, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard rows.contains(where: { $0.originsFromHere.contains(origin) }) else { return }
        unreliable.insert(origin, at: now)
        let others = rows.indices.filter { rows[$0].isConnected && rows[$0].originsPrunedHere.contains(origin) }
        for index in others.prefix(MeshLimit.waysRestored) where rows[index].prunes.take(of: MeshLimit.prunes, at: now)
        {
            graft(index, step: step, into: &effects)
        }
    }
}
