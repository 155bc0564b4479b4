import DequeModule
import LatticeCore
import LatticeWire
import OrderedCollections

// Records on their way through the mesh, after Plumtree (Leitão, Pereira, Rodrigues 2007): pushed along a tree of eager
// links, announced on the lazy ones, asked for where the tree has a gap.
extension Mesh {
    mutating func submitted(_ record: VerifiedRecord, at now: Instant, into effects: inout [MeshEffect]) {
        guard facts.isOwn(record.author), !seen.contains(record.id) else { return }
        let isAlone = register.connectedCount == 0
        if record.kind == .presence {
            // Kept by `presences` and given to whoever links with us, so it need not wait in the outbox.
            let arrival = PresenceTable.Arrival(timeToLive: options.timeToLive, hops: 0, via: nil, ageMilliseconds: 0)
            _ = heardPresence(record, arrival, at: now, into: &effects)
        } else {
            // What the store keeps reaches whoever compares with it, however much there is of it.
            guard outbox.add(record, sentStep: isAlone ? nil : facts.step) || sync.keeping != nil else {
                effects.append(.outboxFull(record.id))
                return
            }
            effects.append(.deliver(record, hops: 0))
        }
        _ = seen.insert(record)
        fairness.said(record, at: now)
        if !isAlone, !register.hasEager { pushToAll() }
        spread(
            record, timeToLive: options.timeToLive, hops: 0, isStray: false, age: 0, from: nil, at: now, into: &effects)
    }

    mutating func heard(
        _ record: VerifiedRecord, timeToLive: UInt8, hops: UInt8, isStray: Bool, ageMilliseconds: UInt32 = 0,
        isOver: Bool = false, on id: LinkID, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let index = register.index(of: id), register.rows[index].isHeard else { return }
        liveness.heard(index, at: now)
        register[at: index].has(record.id)
        fairness.neighbourHas(record.id, on: id)
        func arrival() -> PresenceTable.Arrival {
            PresenceTable.Arrival(timeToLive: timeToLive - 1, hops: hops, via: id, ageMilliseconds: ageMilliseconds)
        }
        guard seen.insert(record), !facts.isOwn(record.author) else {
            if isNewOfNeighbour(record, index) { _ = heardPresence(record, arrival(), at: now, into: &effects) }
            return duplicateHeard(record, isStray: isStray, from: index, at: now, into: &effects)
        }
        if isTurnedAway(record) { return }
        guard fairness.admits(record, isOfNewcomer: isOfNewcomer(record), on: index, at: now) else {
            return seen.takeBack(record)
        }
        let scaled = Int(hops) * Self.hopsScale
        hopsMean += hopsMean == 0 ? scaled : (scaled - hopsMean) / 8
        missing.came(record.id)
        if !sync.wanted.isEmpty { cameByFlood(record.id) }
        register[at: index].wasUseful()
        routing.learn(record.author, via: id, at: now)
        var age = ageMilliseconds
        if record.kind != .presence {
            effects.append(.deliver(record, hops: hops))
        } else if isOver {
            guard presences.isWorthRelaying(record, ageMilliseconds: age) else { return }
        } else {
            guard heardPresence(record, arrival(), at: now, into: &effects) else { return }
            age = presences[record.author]?.ageMilliseconds(at: now) ?? 0
        }
        spread(
            record, timeToLive: timeToLive - 1, hops: hops, isStray: isStray, age: age, from: index, at: now,
            into: &effects)
    }

    /// Whether it is the presence of a key that is neither here, nor known to this person, nor a neighbour.
    private func isOfNewcomer(_ record: VerifiedRecord) -> Bool {
        record.kind == .presence && presences[record.author] == nil && !fairness.trusts(record.author)
            && !register.rows.contains { $0.isConnected && $0.peer == record.author }
    }

    /// Whether it is a neighbour's own presence, which came over others before and did not count then.
    private func isNewOfNeighbour(_ record: VerifiedRecord, _ index: Int) -> Bool {
        guard record.kind == .presence, record.author == register.rows[index].peer else { return false }
        return !facts.blocked.contains(record.author)
            && (presences[record.author].map { $0.record.created < record.created } ?? true)
    }

    /// Its time is over by the clock here: nothing is made of it, and it is not asked for when another neighbour has it.
    ///
    /// A presence goes on. It may be the clock here that is wrong, and this peer the only way from its author to others.
    mutating func overdue(
        _ record: VerifiedRecord, timeToLive: UInt8, hops: UInt8, isStray: Bool, ageMilliseconds: UInt32,
        on id: LinkID, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let index = register.index(of: id), register.rows[index].isHeard else { return }
        if record.kind == .presence {
            // However wrong a neighbour's clock: its link proves that it is there.
            let isOver = !register.rows.contains { $0.isConnected && $0.peer == record.author }
            if isOver, !seen.contains(record.id) { refusals.add(.expired) }
            return heard(
                record, timeToLive: timeToLive, hops: hops, isStray: isStray, ageMilliseconds: ageMilliseconds,
                isOver: isOver, on: id, at: now, into: &effects)
        }
        liveness.heard(index, at: now)
        register[at: index].has(record.id)
        refusals.add(.expired)
        guard seen.insert(record) else { return }
        missing.came(record.id)
        if !sync.wanted.isEmpty { cameByFlood(record.id) }
    }

    /// - Parameters:
    ///   - timeToLive: with what it goes on from here.
    ///   - hops: links it has travelled.
    ///   - age: of a presence, in milliseconds.
    private mutating func spread(
        _ record: VerifiedRecord, timeToLive: UInt8, hops: UInt8, isStray: Bool, age: UInt32, from giver: Int?,
        at now: Instant, into effects: inout [MeshEffect]
    ) {
        let goesOn = timeToLive > 0 && hops < RecordFrame.timeToLiveMax
        recent.insert(
            RecentRecords.Entry(
                record: record, timeToLive: goesOn ? timeToLive : 0, hops: hops, isStray: isStray, at: now,
                giver: giver.map { register.rows[$0].id }))
        guard goesOn else { return }
        let isNearOrigin = Int(hops) < floodRadius
        let origin = record.author.prefix
        // Whoever is sent all that is ours can confirm it.
        let isOurs = giver == nil
        var eager: [LinkID] = []
        var beside: [LinkID] = []
        for index in register.rows.indices where index != giver && register.rows[index].isConnected {
            let isEager = register.rows[index].isEager
            let comesAnyway = register.rows[index].prunedOrigins.contains(origin)
            if isEager, isOurs || !comesAnyway {
                eager.append(register.rows[index].id)
            } else if isNearOrigin, !comesAnyway {
                beside.append(register.rows[index].id)
            } else {
                tell(index, of: Have.Entry(id: record.id, hops: hops + 1), at: now)
            }
        }
        func push(isStray: Bool, to links: [LinkID]) {
            guard !links.isEmpty else { return }
            guard record.kind != .presence || age == 0 else {
                effects.append(
                    .handPresence(record, timeToLive: timeToLive, hops: hops + 1, ageMilliseconds: age, to: links))
                return
            }
            effects.append(
                .forward(record, timeToLive: timeToLive, hops: hops + 1, isStray: isStray, to: links))
        }
        push(isStray: isStray, to: eager)
        push(isStray: true, to: beside)
    }

    /// Within so many hops of its origin a record is pushed beside the tree, too: there that costs few frames, and it enters the
    /// tree in many places at once, whoever speaks. A share of the hops that records take, so that it grows with the mesh.
    private var floodRadius: Int {
        (hopsMean * floodPercent / 100 + Self.hopsScale / 2) / Self.hopsScale
    }

    private static let hopsScale = 16

    private mutating func pushToAll() {
        for index in register.rows.indices where register.rows[index].isConnected {
            register[at: index].beEager(from: facts.step)
        }
    }

    // MARK: - The tree

    /// A branch that brings what another branch brought sooner is none. What was pushed beside the tree and came too late is not
    /// wanted again, while a branch that comes later than what was pushed beside it stays one.
    private mutating func duplicateHeard(
        _ record: VerifiedRecord, isStray: Bool, from index: Int, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard register.rows[index].isConnected else { return }
        var origin: PeerID? = record.author
        if register.rows[index].isEager {
            guard !isStray, let known = recent.fresh(record.id), !known.isStray, isBranch(known.giver) else { return }
            register[at: index].broughtDuplicate()
            guard register.rows[index].isWorthless else { return }
            origin = nil
        }
        prune(of: origin, index, at: now, into: &effects)
    }

    private mutating func prune(of origin: PeerID?, _ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard register[at: index].prunes.take(of: MeshLimit.prunes, at: now) else { return }
        if origin == nil { register[at: index].beLazy(from: facts.step) }
        effects.append(.send(.prune(of: origin), to: register.rows[index].id))
    }

    private func isBranch(_ link: LinkID?) -> Bool {
        guard let index = link.flatMap(register.index) else { return false }
        return register.rows[index].isConnected && register.rows[index].isEager
    }

    /// A neighbour is told to have had, over far fewer hops, what came by the tree: it becomes a branch, and the one by which it
    /// came is one no more (Plumtree section 3.8). Whoever is fewer hops from the origin cannot hang on us, so the tree
    /// stays whole.
    private mutating func optimise(
        _ entry: Have.Entry, by index: Int, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard !register.rows[index].isEager, let known = recent.fresh(entry.id), !known.isStray,
            isBranch(known.giver),
            known.hops >= entry.hops + options.shortcutHops, let giver = known.giver.flatMap(register.index),
            register[at: index].prunes.take(of: MeshLimit.prunes, at: now)
        else { return }
        register[at: index].beEager(from: facts.step)
        effects.append(.send(.graft(Graft(ids: [])), to: register.rows[index].id))
        prune(of: nil, giver, at: now, into: &effects)
        recent.came(entry.id, by: register.rows[index].id, hops: entry.hops)
    }

    /// A link may be a branch to us and none to the neighbour: it prunes what it has anyway, and is pushed the rest.
    mutating func pruned(of origin: PeerID?, by index: Int) {
        if let origin {
            register[at: index].prunedOrigins.insert(origin.prefix)
        } else {
            register[at: index].beLazy(from: facts.step)
        }
    }

    // MARK: - Have and graft

    private mutating func tell(_ index: Int, of entry: Have.Entry, at now: Instant) {
        register[at: index].untold.append(entry)
        if register.rows[index].untold.count > MeshLimit.untoldMax { register[at: index].untold.removeFirst() }
        if tellAt == nil { tellAt = now.advanced(byNanoseconds: haveDelay) }
    }

    /// Tells every neighbour what it is still to be told of.
    mutating func releaseUntold(at now: Instant, into effects: inout [MeshEffect]) {
        guard let time = tellAt, time <= now else { return }
        tellAt = nil
        for index in register.rows.indices where !register.rows[index].untold.isEmpty {
            let entries = register.rows[index].untold
            register[at: index].untold.removeAll(keepingCapacity: true)
            let link = register.rows[index].id
            for start in stride(from: 0, to: entries.count, by: Have.countMax) {
                let part = Array(entries[start..<min(start + Have.countMax, entries.count)])
                effects.append(.send(.have(Have(entries: part)), to: link))
            }
        }
    }

    mutating func told(of have: Have, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard register[at: index].haves.take(Int64(have.entries.count), of: MeshLimit.haves, at: now) else {
            return refusals.add(.tree)
        }
        let link = register.rows[index].id
        for entry in have.entries {
            register[at: index].has(entry.id)
            if seen.contains(entry.id) {
                optimise(entry, by: index, at: now, into: &effects)
            } else {
                missing.noted(entry.id, at: link, askAt: now.advanced(byNanoseconds: graftDelay))
            }
        }
    }

    mutating func releaseMissing(at now: Instant, into effects: inout [MeshEffect]) {
        guard let deadline = missing.nextDeadline, deadline <= now else { return }
        let there = register.connected
        let questions = missing.due(at: now, retryAfter: options.graftDelay * 2) { there.contains($0) }
        graftsFailed(missing.takeGivenUp(), at: now)
        for (link, ids) in questions {
            guard let index = register.index(of: link) else { continue }
            register[at: index].beEager(from: facts.step)
            effects.append(.send(.graft(Graft(ids: ids)), to: link))
        }
    }

    /// A neighbour lacks records, or wants to be pushed to: it becomes a branch of the tree, and is given what is there.
    mutating func grafted(_ graft: Graft, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        register[at: index].wasGrafted(in: facts.step)
        let link = register.rows[index].id
        for id in graft.ids {
            // To look is work, too: who asks for what nobody has pays for it.
            guard register[at: index].grafts.take(of: MeshLimit.grafts, at: now) else { return refusals.add(.tree) }
            guard let (record, timeToLive, hops) = kept(id), timeToLive > 0 else {
                _ = givePresence(id, to: link, at: now, into: &effects)
                continue
            }
            let cost = Int64(record.signed.bytes.count / 1_024)
            guard register[at: index].grafts.take(cost, of: MeshLimit.grafts, at: now) else {
                return refusals.add(.tree)
            }
            effects.append(.forward(record, timeToLive: timeToLive, hops: hops + 1, to: [link]))
        }
    }

    private func kept(_ id: RecordID) -> (VerifiedRecord, timeToLive: UInt8, hops: UInt8)? {
        guard let entry = recent[id], entry.record.kind != .presence else { return nil }
        return facts.blocked.contains(entry.record.author) ? nil : (entry.record, entry.timeToLive, entry.hops)
    }

    /// - Returns: whether it is a presence that was heard lately.
    private func givePresence(
        _ id: RecordID, to link: LinkID, at now: Instant, into effects: inout [MeshEffect]
    ) -> Bool {
        if let person = presences.person(saying: id) {
            presences.give(person, to: link, at: now, into: &effects)
            return true
        }
        guard let entry = recent[id], entry.record.kind == .presence else { return false }
        guard entry.timeToLive > 0, !facts.blocked.contains(entry.record.author) else { return true }
        // Its author has said something newer meanwhile: the neighbour is to look for this one no more.
        effects.append(
            .handPresence(
                entry.record, timeToLive: entry.timeToLive, hops: entry.hops + 1,
                ageMilliseconds: UInt32(clamping: (now - entry.at).nanoseconds / 1_000_000), to: [link]))
        return true
    }

    // MARK: - Newcomers and presences

    /// A new neighbour is told of everybody who is here, so that it need not wait a minute for their next presence, and of what
    /// was said in the last half minute, so that a mesh that is healing loses nothing of it.
    mutating func introduce(to index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let (id, peer) = (register.rows[index].id, register.rows[index].peer)
        let isPushed = presences.persons.count <= MeshLimit.introducedMax
        for person in presences.persons.values where person.timeToLive > 0 && person.record.author != peer {
            guard person.hops < RecordFrame.timeToLiveMax, person.expiresAt > now else { continue }
            if isPushed {
                presences.give(person, to: id, at: now, into: &effects)
            } else {
                tell(index, of: Have.Entry(id: person.record.id, hops: person.hops + 1), at: now)
            }
        }
        for entry in recent.all where entry.timeToLive > 0 && entry.record.kind != .presence {
            guard entry.record.author != peer, !facts.blocked.contains(entry.record.author) else { continue }
            tell(index, of: Have.Entry(id: entry.record.id, hops: entry.hops + 1), at: now)
        }
    }

    /// - Returns: whether it is news.
    private mutating func heardPresence(
        _ record: VerifiedRecord, _ arrival: PresenceTable.Arrival, at now: Instant, into effects: inout [MeshEffect]
    ) -> Bool {
        switch presences.heard(record, arrival, me: me, at: now, into: &effects) {
        case .nothingNew: return false
        case .isNews: return true
        case .isFarewell:
            candidates.left(record.author.prefix)
            return true
        }
    }
}
