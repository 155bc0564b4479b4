import DequeModule
package import LatticeCore
import LatticeWire
import OrderedCollections

/// Spreads records through the mesh, after Plumtree (Leitão, Pereira, Rodrigues 2007): it pushes them along a tree of
/// eager links, announces them on lazy links, and requests what the tree failed to bring. It also keeps own records
/// until a neighbour confirms them.
package struct Broadcast: Sendable {
    private let timeToLive: UInt8
    let shortcutHops: UInt8
    private let graftNanoseconds: Int64
    private let quickGraftNanoseconds: Int64
    private let graftAgainAfter: Duration
    /// Row `i` belongs to link `i` of `LinkRegister`.
    var rows: [BroadcastLink] = []
    private var seen = Seen()
    var recent = RecentRecords()
    private(set) var missing = MissingRecords()
    private(set) var floodRadius: FloodRadius
    private var announcements: Announcements
    var unreliable = UnreliableOrigins()
    /// Own records that no neighbour has confirmed.
    package private(set) var outbox = Outbox()
    private(set) var refused = RefusalCounts()

    init(_ options: MeshOptions) {
        timeToLive = options.timeToLive
        shortcutHops = options.shortcutHops
        announcements = Announcements(haveDelay: options.haveDelay)
        graftNanoseconds = options.graftDelay.nanoseconds
        quickGraftNanoseconds = options.graftDelay.nanoseconds / 3
        graftAgainAfter = options.graftDelay * 2
        floodRadius = FloodRadius(percent: options.floodPercent ?? 20 + 200 / options.activeMax)
    }

    // MARK: - Links

    mutating func linkOpened(_ id: LinkID, announcesFirst: Bool) {
        rows.append(BroadcastLink(id: id))
        announcements.linkOpened(announcesFirst: announcesFirst)
    }

    mutating func linkConnected(_ index: Int, step: UInt64) {
        rows[index].connected(in: step)
    }

    mutating func linkClosing(_ index: Int) {
        rows[index].closing()
        announcements.linkClosing(index)
    }

    mutating func linkRemoved(at index: Int) {
        rows.remove(at: index)
        announcements.linkRemoved(at: index)
    }

    func index(of id: LinkID?) -> Int? {
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
        announcements.has(record.id, at: index)
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

    mutating func accepted(
        _ record: VerifiedRecord, hops: UInt8, from index: Int, step: UInt64, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        floodRadius.heard(hops: hops)
        if missing.came(record.id) { wasLacking(record.author.prefix, step: step, at: now, into: &effects) }
        rows[index].wasUseful()
    }

    // MARK: - Records sent

    /// Keeps an own record until a neighbour has confirmed it.
    ///
    /// - Returns: `false` if the outbox is full.
    mutating func keep(_ record: VerifiedRecord, isUrgent: Bool, isAlone: Bool, step: UInt64) -> Bool {
        outbox.add(record, isUrgent: isUrgent, sentStep: isAlone ? nil : step)
    }

    mutating func submitted(
        _ record: VerifiedRecord, isUrgent: Bool, isAlone: Bool, step: UInt64, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        _ = seen.insert(record)
        if !isAlone, !hasEager { pushToAll(from: step) }
        let arrival = RecordArrival(timeToLive: timeToLive + 1, hops: 0)
        spread(record, arrival, isUrgent: isUrgent, ageMilliseconds: 0, from: nil, at: now, into: &effects)
    }

    /// Marks a record of others that no neighbour brought as seen.
    ///
    /// - Returns: whether it is new.
    mutating func isNew(supplied record: VerifiedRecord) -> Bool {
        seen.insert(record)
    }

    /// Sends a record of others that no neighbour brought, as if its author were a neighbour.
    mutating func supplied(
        _ record: VerifiedRecord, isUrgent: Bool, step: UInt64, at now: Instant, into effects: inout [MeshEffect]
    ) {
        if !hasEager { pushToAll(from: step) }
        let arrival = RecordArrival(timeToLive: timeToLive, hops: 1)
        spread(record, arrival, isUrgent: isUrgent, ageMilliseconds: 0, from: nil, at: now, into: &effects)
    }

    /// Whether any link is eager.
    private var hasEager: Bool {
        for index in rows.indices where rows[index].isConnected && rows[index].isEager { return true }
        return false
    }

    private mutating func pushToAll(from step: UInt64) {
        for index in rows.indices where rows[index].isConnected { rows[index].beEager(from: step) }
    }

    /// An urgent record is pushed on every link: urgent records are rare, and a missing branch would delay
    /// them.
    ///
    /// - Parameter age: the age of a presence now.
    mutating func spread(
        _ record: VerifiedRecord, _ arrival: RecordArrival, isUrgent: Bool, ageMilliseconds age: UInt32,
        from giver: Int?, at now: Instant, into effects: inout [MeshEffect]
    ) {
        let (timeToLive, hops) = (arrival.timeToLive - 1, arrival.hops)
        let goesOn = timeToLive > 0 && hops < RecordFrame.timeToLiveMax
        recent.insert(
            RecentRecords.Entry(
                record: record, timeToLive: goesOn ? timeToLive : 0, hops: hops, isStray: arrival.isStray,
                isUrgent: isUrgent, ageMilliseconds: age, at: now, giver: giver.map { rows[$0].id }))
        guard goesOn else { return }
        // A neighbour can only confirm records that it was sent, so ours go out on every eager link. They go out on the
        // others as well, because a neighbour that gets them from us prunes every other way.
        let isOurs = giver == nil
        let isNearOrigin = isOurs || floodRadius.contains(hops: hops)
        let origin = record.author.prefix
        var eager: [LinkID] = []
        var beside: [LinkID] = []
        for index in rows.indices where index != giver && rows[index].isConnected {
            let comesAnyway = rows[index].prunedOrigins.contains(origin)
            if rows[index].isEager, isOurs || !comesAnyway {
                eager.append(rows[index].id)
            } else if isUrgent || (isNearOrigin && !comesAnyway) {
                beside.append(rows[index].id)
            } else {
                let entry = Have.Entry(id: record.id, hops: hops + 1)
                if comesAnyway, floodRadius.isSmall {
                    announcements.addLater(entry, to: index, at: now)
                } else {
                    announcements.add(entry, to: index, at: now)
                }
            }
        }
        func push(isStray: Bool, to links: [LinkID]) {
            guard !links.isEmpty else { return }
            effects.append(
                record.kind == .presence && age > 0
                    ? .handPresence(record, timeToLive: timeToLive, hops: hops + 1, ageMilliseconds: age, to: links)
                    : .forward(
                        record, timeToLive: timeToLive, hops: hops + 1, isStray: isStray, isUrgent: isUrgent, to: links)
            )
        }
        push(isStray: arrival.isStray, to: eager)
        push(isStray: true, to: beside)
    }

    // MARK: - The tree

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

    mutating func releaseAnnouncements(at now: Instant, into effects: inout [MeshEffect]) {
        announcements.release(at: now) { [rows] index, have in
            effects.append(.send(.have(have), to: rows[index].id))
        }
    }

    mutating func heard(
        _ have: Have, by index: Int, step: UInt64, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard rows[index].haves.take(Int64(have.entries.count), of: MeshLimit.haves, at: now) else {
            return refused.add(.tree)
        }
        // Where an origin pushes to everybody, its copy is not behind an announcement by much.
        let wait = floodRadius.isOneHop ? quickGraftNanoseconds : graftNanoseconds
        for entry in have.entries {
            announcements.has(entry.id, at: index)
            if seen.contains(entry.id) {
                heardKnown(entry, by: index, step: step, at: now, into: &effects)
            } else {
                missing.noted(entry.id, at: rows[index].id, askAt: now.advanced(byNanoseconds: wait))
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
            graft(index, ids: ids, step: step, into: &effects)
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
        announcements.grafted(by: index)
        let link = rows[index].id
        for id in graft.ids {
            // A look-up costs work even if the record is not here, so it is charged.
            guard takeGrafts(1, index, at: now) else { return }
            guard let entry = kept(id, facts), entry.timeToLive > 0 else {
                givePresence(id, to: link, presences, facts, at: now, into: &effects)
                continue
            }
            guard takeGrafts(Int64(entry.record.signed.bytes.count / 1_024), index, at: now) else { return }
            effects.append(
                .forward(
                    entry.record, timeToLive: entry.timeToLive, hops: entry.hops + 1, isUrgent: entry.isUrgent,
                    to: [link]))
        }
    }

    private mutating func takeGrafts(_ cost: Int64, _ index: Int, at now: Instant) -> Bool {
        let isTaken = rows[index].grafts.take(cost, of: MeshLimit.grafts, at: now)
        if !isTaken { refused.add(.tree) }
        return isTaken
    }

    private func kept(_ id: RecordID, _ facts: MeshFacts) -> RecentRecords.Entry? {
        guard let entry = recent[id], entry.record.kind != .presence else { return nil }
        return facts.blocked.contains(entry.record.author) ? nil : entry
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
                ageMilliseconds: entry.ageMilliseconds(at: now), to: [link]))
    }

    // MARK: - New neighbours

    /// Brings a new neighbour up to date: everybody's presence, because the next ones may be a minute away, and announcements
    /// of recent records (half a minute), because some may have been lost while the mesh was split. Urgent ones are pushed.
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
                announcements.add(Have.Entry(id: person.record.id, hops: person.hops + 1), to: index, at: now)
            }
        }
        for entry in recent.all where entry.timeToLive > 0 && entry.record.kind != .presence {
            guard entry.record.author != peer, !facts.blocked.contains(entry.record.author) else { continue }
            // Unconfirmed ones of ours are sent anyway.
            if entry.isUrgent, entry.giver != nil, entry.hops < RecordFrame.timeToLiveMax {
                effects.append(
                    .forward(
                        entry.record, timeToLive: entry.timeToLive, hops: entry.hops + 1, isStray: true, isUrgent: true,
                        to: [rows[index].id]))
                continue
            }
            announcements.add(Have.Entry(id: entry.record.id, hops: entry.hops + 1), to: index, at: now)
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
        let entries = outbox.sendAll(step: step)
        guard !entries.isEmpty else { return }
        for other in rows.indices where other != index { rows[other].wasPassedOver(in: step) }
        for entry in entries {
            effects.append(
                .forward(entry.record, timeToLive: timeToLive, hops: 1, isUrgent: entry.isUrgent, to: [rows[index].id]))
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
        var earliest = missing.nextDeadline
        if let haveAt = announcements.nextDeadline { earliest = min(haveAt, earliest ?? haveAt) }
        return earliest
    }

    var nextDeadline: Instant? {
        guard let confirmAt = outbox.confirmAt else { return treeDeadline }
        return min(confirmAt, treeDeadline ?? confirmAt)
    }
}
