import DequeModule
import LatticeCore
import LatticeWire
import OrderedCollections

// Records on their way through the mesh, after Plumtree (Leitão, Pereira, Rodrigues 2007): pushed along a tree of eager
// links, announced on the lazy ones, asked for where the tree has a gap.
extension Mesh {
    mutating func submitted(_ record: VerifiedRecord, at now: Instant, into effects: inout [MeshEffect]) {
        guard record.author == me, !seen.contains(record.id) else { return }
        let isAlone = neighbours.connectedCount == 0
        if record.kind == .presence {
            // Kept by `people` and given to whoever links with us, so it need not wait in the outbox.
            _ = heardPresence(record, timeToLive: options.timeToLive, hops: 0, via: nil, at: now, into: &effects)
        } else {
            guard outbox.add(record, sentStep: isAlone ? nil : step) else {
                effects.append(.outboxFull(record.id))
                return
            }
            effects.append(.deliver(record, hops: 0))
        }
        _ = seen.insert(record)
        if !isAlone, !neighbours.links.contains(where: { $0.isConnected && $0.isEager }) { pushToAll() }
        spread(record, timeToLive: options.timeToLive, hops: 0, from: nil, at: now, into: &effects)
    }

    mutating func heard(
        _ record: VerifiedRecord, timeToLive: UInt8, hops: UInt8, on id: LinkID, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard let index = neighbours.index(of: id), neighbours.links[index].isHeard else { return }
        neighbours[at: index].heardAt = now
        neighbours[at: index].has(record.id)
        guard seen.insert(record), record.author != me else {
            return duplicateHeard(from: index, at: now, into: &effects)
        }
        recordCount += 1
        missing.came(record.id)
        neighbours[at: index].usefulCount = recordCount
        if neighbours.links[index].isConnected { neighbours[at: index].beEager(from: step) }
        if record.kind == .presence {
            let isNews = heardPresence(
                record, timeToLive: timeToLive - 1, hops: hops, via: id, at: now, into: &effects)
            guard isNews else { return }
        } else {
            effects.append(.deliver(record, hops: hops))
        }
        spread(record, timeToLive: timeToLive - 1, hops: hops, from: index, at: now, into: &effects)
    }

    /// - Parameters:
    ///   - timeToLive: with what it goes on from here.
    ///   - hops: links it has travelled.
    private mutating func spread(
        _ record: VerifiedRecord, timeToLive: UInt8, hops: UInt8, from giver: Int?, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let goesOn = timeToLive > 0 && hops < RecordFrame.timeToLiveMax
        recent.insert(
            RecentRecords.Entry(record: record, timeToLive: goesOn ? timeToLive : 0, hops: hops, at: now))
        guard goesOn else { return }
        var eager: [LinkID] = []
        for index in neighbours.links.indices where index != giver && neighbours.links[index].isConnected {
            if neighbours.links[index].isEager {
                eager.append(neighbours.links[index].id)
            } else {
                tell(index, of: Have.Entry(id: record.id, hops: hops + 1), at: now)
            }
        }
        if !eager.isEmpty { effects.append(.forward(record, timeToLive: timeToLive, hops: hops + 1, to: eager)) }
    }

    private mutating func pushToAll() {
        for index in neighbours.links.indices where neighbours.links[index].isConnected {
            neighbours[at: index].beEager(from: step)
        }
    }

    // MARK: - The tree

    /// A link that brings what came sooner by another is no branch of the tree, unless it lately was: with many speakers a link
    /// brings the records of some of them first, and a tree that follows the last speaker is never the next one's.
    private mutating func duplicateHeard(from index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        duplicateCount += 1
        let neighbour = neighbours.links[index]
        guard neighbour.isConnected, neighbour.isEager else { return }
        if let useful = neighbour.usefulCount, recordCount - useful < options.prunePatience { return }
        guard neighbours[at: index].prunes.take(of: MeshLimit.prunes, at: now) else { return }
        neighbours[at: index].beLazy(from: step)
        effects.append(.send(.prune, to: neighbour.id))
    }

    mutating func pruned(by index: Int, at now: Instant) {
        neighbours[at: index].beLazy(from: step)
    }

    /// Whether a record that came by the tree would have come much sooner from this neighbour, and duplicates are rare enough
    /// to have it push, too (Plumtree section 3.7 swaps links instead; with many speakers that never ends).
    private func isShortcut(_ entry: Have.Entry, _ index: Int) -> Bool {
        guard !neighbours.links[index].isEager, let known = recent[entry.id] else { return false }
        guard known.hops >= entry.hops + options.shortcutHops else { return false }
        return duplicateCount * 100 < recordCount * options.redundancyPercent
    }

    // MARK: - Have and graft

    private mutating func tell(_ index: Int, of entry: Have.Entry, at now: Instant) {
        neighbours[at: index].untold.append(entry)
        if neighbours.links[index].untold.count > Have.countMax { neighbours[at: index].untold.removeFirst() }
        if tellAt == nil { tellAt = now + options.haveDelay }
    }

    /// Tells every neighbour what it is still to be told of.
    mutating func releaseUntold(at now: Instant, into effects: inout [MeshEffect]) {
        guard let time = tellAt, time <= now else { return }
        tellAt = nil
        for index in neighbours.links.indices where !neighbours.links[index].untold.isEmpty {
            let entries = neighbours.links[index].untold
            neighbours[at: index].untold.removeAll(keepingCapacity: true)
            effects.append(.send(.have(Have(entries: entries)), to: neighbours.links[index].id))
        }
    }

    mutating func told(of have: Have, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let link = neighbours.links[index].id
        var isShortcut = false
        for entry in have.entries {
            neighbours[at: index].has(entry.id)
            if !seen.contains(entry.id) {
                missing.noted(entry.id, at: link, askAt: now + options.graftDelay)
            } else if !isShortcut {
                isShortcut = self.isShortcut(entry, index)
            }
        }
        if isShortcut, neighbours[at: index].prunes.take(of: MeshLimit.prunes, at: now) {
            beOnTrial(index)
            effects.append(.send(.graft(Graft(ids: [])), to: link))
        }
    }

    /// It is pushed to and pushes, and has a few records' time to prove useful.
    private mutating func beOnTrial(_ index: Int) {
        neighbours[at: index].beEager(from: step)
        neighbours[at: index].usefulCount = recordCount
    }

    mutating func releaseMissing(at now: Instant, into effects: inout [MeshEffect]) {
        guard let deadline = missing.nextDeadline, deadline <= now else { return }
        let there = neighbours.connected
        let questions = missing.due(at: now, retryAfter: options.graftDelay * 2) { there.contains($0) }
        for (link, ids) in questions {
            guard let index = neighbours.index(of: link) else { continue }
            beOnTrial(index)
            effects.append(.send(.graft(Graft(ids: ids)), to: link))
        }
    }

    /// A neighbour lacks records, or wants to be pushed to: it becomes a branch of the tree, and is given what is there.
    mutating func grafted(_ graft: Graft, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        neighbours[at: index].beEager(from: step)
        let link = neighbours.links[index].id
        for id in graft.ids {
            guard let (record, timeToLive, hops) = kept(id), timeToLive > 0 else { continue }
            let cost = Int64(record.signed.bytes.count / 1_024 + 1)
            guard neighbours[at: index].grafts.take(cost, of: MeshLimit.grafts, at: now) else { return }
            effects.append(.forward(record, timeToLive: timeToLive, hops: hops + 1, to: [link]))
        }
    }

    private func kept(_ id: RecordID) -> (VerifiedRecord, timeToLive: UInt8, hops: UInt8)? {
        if let entry = recent[id] { return (entry.record, entry.timeToLive, entry.hops) }
        guard let person = people.persons.values.first(where: { $0.record.id == id }) else { return nil }
        guard person.hops < RecordFrame.timeToLiveMax else { return nil }
        return (person.record, person.timeToLive, person.hops)
    }

    // MARK: - Newcomers and presences

    /// A new neighbour is told of everybody who is here, so that it need not wait a minute for their next presence, and of what
    /// was said in the last half minute, so that a mesh that is healing loses nothing of it.
    mutating func introduce(to id: LinkID, _ peer: PeerID, at now: Instant, into effects: inout [MeshEffect]) {
        guard let index = neighbours.index(of: id) else { return }
        let isPushed = people.persons.count <= MeshLimit.introducedMax
        for person in people.persons.values where person.timeToLive > 0 && person.record.author != peer {
            guard person.hops < RecordFrame.timeToLiveMax else { continue }
            if isPushed {
                effects.append(
                    .forward(person.record, timeToLive: person.timeToLive, hops: person.hops + 1, to: [id]))
            } else {
                tell(index, of: Have.Entry(id: person.record.id, hops: person.hops + 1), at: now)
            }
        }
        for entry in recent.all where entry.timeToLive > 0 && entry.record.kind != .presence {
            guard entry.record.author != peer else { continue }
            tell(index, of: Have.Entry(id: entry.record.id, hops: entry.hops + 1), at: now)
        }
    }

    /// - Returns: whether it says something new.
    private mutating func heardPresence(
        _ record: VerifiedRecord, timeToLive: UInt8, hops: UInt8, via: LinkID?, at now: Instant,
        into effects: inout [MeshEffect]
    ) -> Bool {
        let presence: Presence
        guard record.record.body.count <= MeshLimit.presenceBytesMax else { return false }
        do {
            presence = try Presence(decoding: record.record.body)
        } catch {
            return false  // Signed by its author and still no presence: nothing to show, nothing to pass on.
        }
        let known = people[record.author]?.presence
        let isNews = people.heard(record, presence, timeToLive: timeToLive, hops: hops, via: via, at: now)
        if isNews, known != presence, hops > 0 {
            effects.append(.presenceChanged(record.author, presence, hops: hops))
        }
        return isNews
    }
}
