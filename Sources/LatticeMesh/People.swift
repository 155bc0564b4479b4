import LatticeCore
import LatticeWire
import OrderedCollections

/// Who is in the mesh, over any number of hops: each peer's newest presence and the link by which it came first.
struct People: Sendable {
    struct Person: Sendable {
        let record: VerifiedRecord
        let presence: Presence
        /// What a neighbour of ours may still pass on; 0 when it ends here.
        let timeToLive: UInt8
        let hops: UInt8
        /// The neighbour by whom it came first; `nil` for ourselves and whoever speaks through us.
        let via: LinkID?
        let heardAt: Instant
        let expiresAt: Instant
        /// Its link ended since: that it is still here, over others, will be news.
        var isDoubted = false
    }

    private(set) var persons: OrderedDictionary<PeerID, Person> = [:]
    private(set) var sweepAt: Instant?
    /// How many came by which link: one neighbour that makes people up cannot take every place.
    private var countByLink: [LinkID?: Int] = [:]

    subscript(_ peer: PeerID) -> Person? { persons[peer] }

    func knows(_ prefix: PeerPrefix) -> Bool {
        persons.keys.contains { $0.prefix == prefix }
    }

    /// Of how many this link brought the newest presence first.
    func count(via link: LinkID) -> Int {
        countByLink[link, default: 0]
    }

    /// - Returns: whether it says something newer than what is known, so that it is worth passing on.
    mutating func heard(
        _ record: VerifiedRecord, _ presence: Presence, timeToLive: UInt8, hops: UInt8, via: LinkID?, at now: Instant
    ) -> Bool {
        if let known = persons[record.author] {
            guard known.record.created < record.created || known.expiresAt <= now else { return false }
            countByLink[known.via, default: 1] -= 1
        } else if persons.count >= MeshLimit.peopleMax, !makeRoom(for: via) {
            return false
        }
        let lifetime = min(record.record.lifetimeSeconds, Presence.lifetimeSeconds)
        persons[record.author] = Person(
            record: record, presence: presence, timeToLive: timeToLive, hops: hops, via: via, heardAt: now,
            expiresAt: now + .seconds(Int64(lifetime))
        )
        countByLink[via, default: 0] += 1
        if sweepAt == nil { sweepAt = now + MeshLimit.peopleSweepInterval }
        return true
    }

    /// A link to it has ended, and it may be gone.
    mutating func doubt(_ peer: PeerID) {
        persons[peer]?.isDoubted = true
    }

    /// The way to whoever came by this link is gone: if there is another, their next presence will show it.
    mutating func lost(_ link: LinkID, at now: Instant) {
        for (peer, person) in persons where person.via == link {
            let limit = min(person.expiresAt, now + MeshLimit.presenceInterval + MeshLimit.peopleSweepInterval)
            persons[peer] = Person(
                record: person.record, presence: person.presence, timeToLive: person.timeToLive, hops: person.hops,
                via: person.via, heardAt: person.heardAt, expiresAt: limit, isDoubted: person.isDoubted)
        }
    }

    /// Takes the newest place of the link that has most.
    ///
    /// - Returns: `false` if that is the very link that asks.
    private mutating func makeRoom(for via: LinkID?) -> Bool {
        // Who is at this very peer neither gives way nor waits for a place.
        let own = via == nil ? -1 : countByLink[via, default: 0]
        let others = countByLink.filter { $0.key != nil }
        guard let most = others.values.max(), most > own + 1 else { return false }
        guard let index = persons.values.lastIndex(where: { $0.via != nil && countByLink[$0.via] == most }) else {
            return false
        }
        let gone = persons.remove(at: index).value
        countByLink[gone.via, default: 1] -= 1
        return true
    }

    /// Nothing is known of somebody any more.
    mutating func forget(_ peer: PeerID, into effects: inout [MeshEffect]) {
        guard let gone = persons.removeValue(forKey: peer) else { return }
        countByLink[gone.via, default: 1] -= 1
        guard gone.presence.isHere else { return }
        let last = Presence(isHere: false, name: gone.presence.name, rooms: [])
        effects.append(.presenceChanged(peer, last, hops: gone.hops))
    }

    /// Tells of everybody whose presence has run out.
    mutating func due(at now: Instant, into effects: inout [MeshEffect]) {
        guard let time = sweepAt, time <= now else { return }
        let (gone, stay) = persons.elements.reduce(into: ([(PeerID, Person)](), OrderedDictionary<PeerID, Person>())) {
            if $1.value.expiresAt <= now { $0.0.append(($1.key, $1.value)) } else { $0.1[$1.key] = $1.value }
        }
        persons = stay
        countByLink = stay.values.reduce(into: [:]) { $0[$1.via, default: 0] += 1 }
        for (peer, person) in gone where person.presence.isHere {
            let last = Presence(isHere: false, name: person.presence.name, rooms: [])
            effects.append(.presenceChanged(peer, last, hops: person.hops))
        }
        sweepAt = persons.isEmpty ? nil : now + MeshLimit.peopleSweepInterval
    }
}
