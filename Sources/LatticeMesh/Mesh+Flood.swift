import LatticeCore
import LatticeWire
import OrderedCollections

// Records on their way through the mesh: each goes once to every link but the one it came from, as far as its TTL goes.
extension Mesh {
    mutating func submitted(_ record: VerifiedRecord, at now: Instant, into effects: inout [MeshEffect]) {
        guard record.author == me, !seen.contains(record.id) else { return }
        let links = neighbours.connected
        if record.kind == .presence {
            // Kept by `people` and given to whoever links with us, so it need not wait in the outbox.
            _ = heardPresence(record, timeToLive: options.timeToLive, hops: 0, via: nil, at: now, into: &effects)
        } else {
            guard outbox.add(record, sentStep: links.isEmpty ? nil : step) else {
                effects.append(.outboxFull(record.id))
                return
            }
            effects.append(.deliver(record, hops: 0))
        }
        _ = seen.insert(record)
        guard !links.isEmpty else { return }
        effects.append(.forward(record, timeToLive: options.timeToLive, hops: 1, to: links))
    }

    mutating func heard(
        _ record: VerifiedRecord, timeToLive: UInt8, hops: UInt8, on id: LinkID, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard let neighbour = neighbours[id], neighbour.isHeard else { return }
        neighbours[id]?.heardAt = now
        guard seen.insert(record), record.author != me else { return }
        if record.kind == .presence {
            let isNews = heardPresence(
                record, timeToLive: timeToLive - 1, hops: hops, via: id, at: now, into: &effects)
            guard isNews else { return }
        } else {
            effects.append(.deliver(record, hops: hops))
        }
        pass(on: record, timeToLive: timeToLive, hops: hops, from: id, into: &effects)
    }

    private func pass(
        on record: VerifiedRecord, timeToLive: UInt8, hops: UInt8, from giver: LinkID, into effects: inout [MeshEffect]
    ) {
        guard timeToLive > 1, hops < RecordFrame.timeToLiveMax else { return }
        let links = neighbours.connected.filter { $0 != giver }
        guard !links.isEmpty else { return }
        effects.append(.forward(record, timeToLive: timeToLive - 1, hops: hops + 1, to: links))
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

    /// A new neighbour is told of everybody who is here, so that it need not wait a minute for their next presence.
    func introduceEverybody(to id: LinkID, _ peer: PeerID, into effects: inout [MeshEffect]) {
        for person in people.persons.values where person.timeToLive > 0 && person.record.author != peer {
            guard person.hops < RecordFrame.timeToLiveMax else { continue }
            effects.append(
                .forward(person.record, timeToLive: person.timeToLive, hops: person.hops + 1, to: [id]))
        }
    }
}
