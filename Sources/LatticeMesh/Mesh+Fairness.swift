package import LatticeCore
import LatticeWire
import OrderedCollections

// Nobody is so loud that others are not heard: what comes in is measured, what goes out on a busy link takes turns.
extension Mesh {
    /// What was turned down since the start.
    package var refusedCounts: RefusedCounts {
        var counts = fairness.refused
        counts.byBlock += routing.blockedCount
        return counts
    }

    /// What was turned down since the start, records and all else.
    package var refusalCounts: RefusalCounts {
        var all = refusals
        let records = refusedCounts
        all.add(.origin, records.byOrigin)
        all.add(.link, records.byLink)
        all.add(.backlog, records.byBacklog)
        all.add(.blocked, records.byBlock)
        all.add(.probes, routing.refusedCount)
        all.add(.dials, candidates.dialsDelayed)
        return all
    }

    /// Whether records of others wait here for this link.
    package func isBusy(_ link: LinkID) -> Bool {
        backlogs[link] != nil
    }

    /// Records that wait for busy links.
    package var backlogCount: Int {
        backlogs.values.reduce(0) { $0 + $1.count }
    }

    /// When that came which waits for a busy link for the longest; `nil` if nothing does.
    package var backlogSince: Instant? {
        backlogs.values.lazy.compactMap(\.oldest).min()
    }

    /// When we may speak again; `nil` if we may now, as far as others go by how much we say.
    package func quietUntil(at now: Instant) -> Instant? {
        fairness.quietUntil(at: now)
    }

    // MARK: - What comes in

    /// Whether a new record that came by this link is taken. What is refused is not marked as seen, so that another copy can still
    /// bring it. Copies of what is known cost nothing: whoever repeats an old record must not silence its author.
    mutating func admits(_ record: VerifiedRecord, on index: Int, at now: Instant) -> Bool {
        if isOfNewcomer(record), !newcomers.admits(by: &register[at: index].newcomers, at: now) {
            refusals.add(.newcomers)
            return false
        }
        return fairness.admits(record, by: &register[at: index].records, at: now)
    }

    /// Whether it is the presence of a key that is neither here, nor known to this person, nor a neighbour.
    private func isOfNewcomer(_ record: VerifiedRecord) -> Bool {
        record.kind == .presence && people[record.author] == nil && !newcomers.trusted.contains(record.author)
            && !register.rows.contains { $0.isConnected && $0.peer == record.author }
    }

    /// A neighbour that has a record need not be sent it.
    mutating func needNoMore(_ have: Have, by index: Int) {
        let link = register.rows[index].id
        guard backlogs[link] != nil else { return }
        for entry in have.entries { backlogs[link]?.needsNoMore(entry.id) }
    }

    // MARK: - What goes out

    mutating func linkBusy(_ link: LinkID) {
        guard let neighbour = register[link], neighbour.isConnected, backlogs[link] == nil else { return }
        backlogs[link] = FairQueue()
    }

    /// Lets a portion go. The link stays busy while there is more; it is to be told free again then.
    mutating func linkFree(_ link: LinkID, at now: Instant, into effects: inout [MeshEffect]) {
        guard let neighbour = register[link], neighbour.isConnected else {
            backlogs[link] = nil
            return
        }
        for entry in backlogs[link]?.takePortion() ?? [] where !facts.blocked.contains(entry.record.author) {
            guard entry.record.kind != .presence else {
                // It has waited, and is not younger for that.
                effects.append(
                    .handPresence(
                        entry.record, timeToLive: entry.timeToLive, hops: entry.hops,
                        ageMilliseconds: UInt32(clamping: (now - entry.since).nanoseconds / 1_000_000), to: [link]))
                continue
            }
            effects.append(
                .forward(
                    entry.record, timeToLive: entry.timeToLive, hops: entry.hops, isStray: entry.isStray, to: [link]))
        }
        if backlogs[link]?.isEmpty ?? true { backlogs[link] = nil }
    }

    /// Records that were to be sent on busy links wait for their turn instead; whatever else was goes at once.
    ///
    /// Our own do not wait: our speech is paced by how fast links take it, and a pong confirms every record of ours that an
    /// effect sent before its ping.
    mutating func keepBack(from first: Int, at now: Instant, _ effects: inout [MeshEffect]) {
        guard !backlogs.isEmpty, first < effects.count else { return }
        var kept = first
        for index in first..<effects.count {
            if let effect = keepBack(effects[index], at: now) {
                effects[kept] = effect
                kept += 1
            }
        }
        effects.removeSubrange(kept...)
    }

    /// - Returns: what is left of it to be done now.
    private mutating func keepBack(_ effect: MeshEffect, at now: Instant) -> MeshEffect? {
        guard case .forward(let record, let timeToLive, let hops, let isStray, let links) = effect,
            !facts.isOwn(record.author)
        else { return effect }
        let entry = FairQueue.Entry(
            record: record, timeToLive: timeToLive, hops: hops, isStray: isStray, since: now)
        var free: [LinkID] = []
        for link in links {
            if backlogs[link] == nil {
                free.append(link)
            } else {
                fairness.refused.byBacklog += backlogs[link]?.push(entry) ?? 0
            }
        }
        guard !free.isEmpty else { return nil }
        return .forward(record, timeToLive: timeToLive, hops: hops, isStray: isStray, to: free)
    }
}
