import DequeModule
package import LatticeCore
import LatticeWire
import OrderedCollections

/// Spreads records through the mesh, after Plumtree (Leitão, Pereira, Rodrigues 2007): it pushes them along a tree of
/// eager links, announces them on lazy links, and requests what the tree failed to bring. It also keeps own records
/// until a neighbour confirms them.
package struct Broadcast: Sendable {
    private let timeToLive: UInt8
    private let shortcutHops: UInt8
    private let announceNanoseconds: Int64
    private let graftNanoseconds: Int64
    private let graftAgainAfter: Duration
    /// Row `i` belongs to link `i` of `LinkRegister`.
    private var rows: [BroadcastLink] = []
    private var seen = Seen()
    private var recent = RecentRecords()
    private(set) var missing = MissingRecords()
    private(set) var floodRadius: FloodRadius
    /// When the next announcements go out.
    private var announceAt: Instant?
    /// Own records that no neighbour has confirmed.
    package private(set) var outbox = Outbox()
    private(set) var refused = RefusalCounts()

    init(_ options: MeshOptions) {
        timeToLive = options.timeToLive
        shortcutHops = options.shortcutHops
        announceNanoseconds = options.haveDelay.nanoseconds
        graftNanoseconds = options.graftDelay.nanoseconds
        graftAgainAfter = options.graftDelay * 2
        floodRadius = FloodRadius(percent: options.floodPercent ?? 20 + 200 / options.activeMax)
    }

    // MARK: - Links

    mutating func linkOpened(_ id: LinkID) {
        rows.append(BroadcastLink(id: id))
    }

    mutating func linkConnected(_ index: Int, step: UInt64) {
        rows[index].connected(in: step)
    }

    mutating func linkClosing(_ index: Int) {
        rows[index].closing()
    }

    mutating func linkRemoved(at index: Int) {
        rows.remove(at: index)
    }

    private func index(of id: LinkID?) -> Int? {
        for index in rows.indices where rows[index].id == id { return index }
        return nil
    }

    private var connected: [LinkID] {
        var ids: [LinkID] = []
        for index in rows.indices where rows[index].isConnected { ids.append(rows[index].id) }
        return ids
    }

    // MARK: - Records received

    package func hasSeen(_ id: RecordID) -> Bool {
        seen.contains(id)
    }

    /// Marks a neighbour's record as seen.
    ///
    /// - Returns: whether it is new.
    mutating func isNew(_ record: VerifiedRecord, from index: Int) -> Bool {
        rows[index].has(record.id)
        return seen.insert(record)
    }

    /// The last record was refused: another copy of it counts as new.
    mutating func takeBack(_ record: VerifiedRecord) {
        seen.takeBack(record)
    }

    /// The record is here, or dropped for good: it is not requested.
    mutating func settled(_ id: RecordID) {
        missing.came(id)
    }

    /// A neighbour's store served this record.
    mutating func fetched(_ id: RecordID) {
        seen.fetched(id)
        missing.came(id)
    }

    mutating func accepted(_ record: VerifiedRecord, hops: UInt8, from index: Int) {
        floodRadius.heard(hops: hops)
        missing.came(record.id)
        rows[index].wasUseful()
    }

    // MARK: - Records sent

    /// Keeps an own record until a neighbour has confirmed it.
    ///
    /// - Returns: `false` if the outbox is full.
    mutating func keep(_ record: VerifiedRecord, isAlone: Bool, step: UInt64) -> Bool {
        outbox.add(record, sentStep: isAlone ? nil : step)
    }

    mutating func submitted(
        _ record: VerifiedRecord, isAlone: Bool, step: UInt64, at now: Instant, into effects: inout [MeshEffect]
    ) {
        _ = seen.insert(record)
        if !isAlone, !hasEager { pushToAll(from: step) }
        let arrival = RecordArrival(timeToLive: timeToLive + 1, hops: 0)
        spread(record, arrival, ageMilliseconds: 0, from: nil, at: now, into: &effects)
    }

    /// Whether any link is eager.
    private var hasEager: Bool {
        for index in rows.indices where rows[index].isConnected && rows[index].isEager { return true }
        return false
    }

    private mutating func pushToAll(from step: UInt64) {
        for index in rows.indices where rows[index].isConnected { rows[index].beEager(from: step) }
    }

    /// - Parameter age: the age of a presence now.
    mutating func spread(
        _ record: VerifiedRecord, _ arrival: RecordArrival, ageMilliseconds age: UInt32, from giver: Int?,
        at now: Instant, into effects: inout [MeshEffect]
    ) {
        let (timeToLive, hops) = (arrival.timeToLive - 1, arrival.hops)
        let goesOn = timeToLive > 0 && hops < RecordFrame.timeToLiveMax
        recent.insert(
            RecentRecords.Entry(
                record: record, timeToLive: goesOn ? timeToLive : 0, hops: hops, isStray: arrival.isStray, at: now,
                giver: giver.map { rows[$0].id }))
        guard goesOn else { return }
        let isNearOrigin = floodRadius.contains(hops: hops)
        let origin = record.author.prefix
        // A neighbour can only confirm records that it was sent, so ours go out on every eager link.
        let isOurs = giver == nil
        var eager: [LinkID] = []
        var beside: [LinkID] = []
        for index in rows.indices where index != giver && rows[index].isConnected {
            let comesAnyway = rows[index].prunedOrigins.contains(origin)
            if rows[index].isEager, isOurs || !comesAnyway {
                eager.append(rows[index].id)
            } else if isNearOrigin, !comesAnyway {
                beside.append(rows[index].id)
            } else {
                announce(Have.Entry(id: record.id, hops: hops + 1), on: index, at: now)
            }
        }
        func push(isStray: Bool, to links: [LinkID]) {
            guard !links.isEmpty else { return }
            effects.append(
                record.kind == .presence && age > 0
                    ? .handPresence(record, timeToLive: timeToLive, hops: hops + 1, ageMilliseconds: age, to: links)
                    : .forward(record, timeToLive: timeToLive, hops: hops + 1, isStray: isStray, to: links))
        }
        push(isStray: arrival.isStray, to: eager)
        push(isStray: true, to: beside)
    }

    // MARK: - The tree

    /// A branch that brings what another branch brought sooner is no branch. A record pushed beside the tree that came
    /// too late prunes only its author; a branch that is slower than such a record stays.
    mutating func heardAgain(
        _ record: VerifiedRecord, isStray: Bool, from index: Int, step: UInt64, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard rows[index].isConnected else { return }
        var origin: PeerID? = record.author
        if rows[index].isEager {
            guard !isStray, let known = recent.fresh(record.id), !known.isStray, isBranch(known.giver) else { return }
            rows[index].broughtDuplicate()
            guard rows[index].isWorthless else { return }
            origin = nil
        }
        prune(of: origin, index, step: step, at: now, into: &effects)
    }

    private mutating func prune(
        of origin: PeerID?, _ index: Int, step: UInt64, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard rows[index].prunes.take(of: MeshLimit.prunes, at: now) else { return }
        if origin == nil { rows[index].beLazy(from: step) }
        effects.append(.send(.prune(of: origin), to: rows[index].id))
    }

    private func isBranch(_ link: LinkID?) -> Bool {
        guard let index = index(of: link) else { return false }
        return rows[index].isConnected && rows[index].isEager
    }

    /// A neighbour announced, over far fewer hops, a record that came by the tree: it becomes a branch in place of the
    /// one that brought the record (Plumtree section 3.8). A peer that is fewer hops from the origin cannot depend on
    /// us, so the tree stays connected.
    private mutating func optimise(
        _ entry: Have.Entry, by index: Int, step: UInt64, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard !rows[index].isEager, let known = recent.fresh(entry.id), !known.isStray, isBranch(known.giver),
            known.hops >= entry.hops + shortcutHops, let giver = self.index(of: known.giver),
            rows[index].prunes.take(of: MeshLimit.prunes, at: now)
        else { return }
        rows[index].beEager(from: step)
        effects.append(.send(.graft(Graft(ids: [])), to: rows[index].id))
        prune(of: nil, giver, step: step, at: now, into: &effects)
        recent.came(entry.id, by: rows[index].id, hops: entry.hops)
    }

    /// A link may be a branch for us and not for the neighbour: it prunes what it gets another way, and is pushed the
    /// rest.
    mutating func pruned(of origin: PeerID?, by index: Int, step: UInt64) {
        if let origin {
            rows[index].prunedOrigins.insert(origin.prefix)
        } else {
            rows[index].beLazy(from: step)
        }
    }

    // MARK: - Announcements

    private mutating func announce(_ entry: Have.Entry, on index: Int, at now: Instant) {
        rows[index].announceSoon(entry)
        if announceAt == nil { announceAt = now.advanced(byNanoseconds: announceNanoseconds) }
    }

    mutating func releaseAnnouncements(at now: Instant, into effects: inout [MeshEffect]) {
        guard let time = announceAt, time <= now else { return }
        announceAt = nil
        for index in rows.indices where !rows[index].unannounced.isEmpty {
            let entries = rows[index].unannounced
            rows[index].announced()
            for start in stride(from: 0, to: entries.count, by: Have.countMax) {
                let part = Array(entries[start..<min(start + Have.countMax, entries.count)])
                effects.append(.send(.have(Have(entries: part)), to: rows[index].id))
            }
        }
    }

    mutating func heard(
        _ have: Have, by index: Int, step: UInt64, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard rows[index].haves.take(Int64(have.entries.count), of: MeshLimit.haves, at: now) else {
            return refused.add(.tree)
        }
        for entry in have.entries {
            rows[index].has(entry.id)
            if seen.contains(entry.id) {
                optimise(entry, by: index, step: step, at: now, into: &effects)
            } else {
                missing.noted(entry.id, at: rows[index].id, askAt: now.advanced(byNanoseconds: graftNanoseconds))
            }
        }
    }

    // MARK: - Requests

    /// Requests announced records that have not arrived.
    ///
    /// - Returns: the links that announced records which were requested in vain.
    mutating func releaseMissing(step: UInt64, at now: Instant, into effects: inout [MeshEffect]) -> [LinkID] {
        guard let deadline = missing.nextDeadline, deadline <= now else { return [] }
        let there = connected
        let questions = missing.due(at: now, retryAfter: graftAgainAfter) { there.contains($0) }
        for (link, ids) in questions {
            guard let index = index(of: link) else { continue }
            rows[index].beEager(from: step)
            effects.append(.send(.graft(Graft(ids: ids)), to: link))
        }
        return missing.takeGivenUp()
    }

    /// A neighbour lacks records, or wants to be a branch: the link becomes eager, and the records are sent if they are
    /// here.
    mutating func grafted(
        _ graft: Graft, by index: Int, _ presences: PresenceTable, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        rows[index].wasGrafted(in: facts.step)
        let link = rows[index].id
        for id in graft.ids {
            // A look-up costs work even if the record is not here, so it is charged.
            guard takeGrafts(1, index, at: now) else { return }
            guard let (record, timeToLive, hops) = kept(id, facts), timeToLive > 0 else {
                givePresence(id, to: link, presences, facts, at: now, into: &effects)
                continue
            }
            guard takeGrafts(Int64(record.signed.bytes.count / 1_024), index, at: now) else { return }
            effects.append(.forward(record, timeToLive: timeToLive, hops: hops + 1, to: [link]))
        }
    }

    private mutating func takeGrafts(_ cost: Int64, _ index: Int, at now: Instant) -> Bool {
        let isTaken = rows[index].grafts.take(cost, of: MeshLimit.grafts, at: now)
        if !isTaken { refused.add(.tree) }
        return isTaken
    }

    private func kept(_ id: RecordID, _ facts: MeshFacts) -> (VerifiedRecord, timeToLive: UInt8, hops: UInt8)? {
        guard let entry = recent[id], entry.record.kind != .presence else { return nil }
        return facts.blocked.contains(entry.record.author) ? nil : (entry.record, entry.timeToLive, entry.hops)
    }

    private func givePresence(
        _ id: RecordID, to link: LinkID, _ presences: PresenceTable, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        if let person = presences.person(saying: id) {
            return presences.give(person, to: link, at: now, into: &effects)
        }
        guard let entry = recent[id], entry.record.kind == .presence, entry.timeToLive > 0,
            !facts.blocked.contains(entry.record.author)
        else { return }
        // Its author has sent a newer one since. The neighbour gets this one anyway, so that it stops requesting it.
        effects.append(
            .handPresence(
                entry.record, timeToLive: entry.timeToLive, hops: entry.hops + 1,
                ageMilliseconds: UInt32(clamping: (now - entry.at).nanoseconds / 1_000_000), to: [link]))
    }

    // MARK: - New neighbours

    /// Brings a new neighbour up to date: everybody's presence, because the next ones may be a minute away, and announcements
    /// of recent records (half a minute), because some may have been lost while the mesh was split.
    mutating func introduce(
        to index: Int, _ peer: PeerID, _ presences: PresenceTable, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let isPushed = presences.persons.count <= MeshLimit.introducedMax
        for person in presences.persons.values where person.timeToLive > 0 && person.record.author != peer {
            guard person.hops < RecordFrame.timeToLiveMax, person.expiresAt > now else { continue }
            if isPushed {
                presences.give(person, to: rows[index].id, at: now, into: &effects)
            } else {
                announce(Have.Entry(id: person.record.id, hops: person.hops + 1), on: index, at: now)
            }
        }
        for entry in recent.all where entry.timeToLive > 0 && entry.record.kind != .presence {
            guard entry.record.author != peer, !facts.blocked.contains(entry.record.author) else { continue }
            announce(Have.Entry(id: entry.record.id, hops: entry.hops + 1), on: index, at: now)
        }
    }

    // MARK: - Confirmations

    /// Decides which neighbours to ask about unconfirmed own records.
    mutating func confirmers(step: UInt64, into effects: inout [MeshEffect]) -> Confirmers {
        guard let oldest = outbox.entries.first?.sentStep else { return .nobody }
        let those = rows.indices.filter { index in
            rows[index].isConnected && rows[index].eagerSteps?.contains(oldest) ?? false
        }
        guard those.isEmpty else { return .those(those) }
        guard let index = rows.firstIndex(where: \.isConnected) else { return .nobody }
        rows[index].beEager(from: step)
        sendUnconfirmed(to: index, step: step, into: &effects)
        return .another(index)
    }

    /// Sends everything unconfirmed to one neighbour. From then on only that neighbour can confirm it: on the other
    /// links it may only have been announced, or not even that.
    mutating func sendUnconfirmed(to index: Int, step: UInt64, into effects: inout [MeshEffect]) {
        let records = outbox.sendAll(step: step)
        guard !records.isEmpty else { return }
        for other in rows.indices where other != index { rows[other].wasPassedOver(in: step) }
        for record in records {
            effects.append(.forward(record, timeToLive: timeToLive, hops: 1, to: [rows[index].id]))
        }
    }

    /// A neighbour answered a ping of this event: it has everything that was sent before it.
    mutating func ponged(by index: Int, sentStep: UInt64, into effects: inout [MeshEffect]) {
        guard let steps = rows[index].eagerSteps, steps.lowerBound <= sentStep else { return }
        let confirmed = outbox.confirm(sentIn: steps.lowerBound...min(steps.upperBound, sentStep))
        if !confirmed.isEmpty { effects.append(.confirmed(confirmed)) }
    }

    /// - Returns: whether neighbours should be asked for confirmations now.
    mutating func confirms(at now: Instant) -> Bool {
        outbox.confirms(at: now)
    }

    // MARK: - Time

    /// The earliest deadline that a quiet event can bring forward.
    var treeDeadline: Instant? {
        guard let announceAt else { return missing.nextDeadline }
        return min(announceAt, missing.nextDeadline ?? announceAt)
    }

    var nextDeadline: Instant? {
        guard let confirmAt = outbox.confirmAt else { return treeDeadline }
        return min(confirmAt, treeDeadline ?? confirmAt)
    }
}
