package import LatticeCore
package import LatticeWire
import OrderedCollections

/// The peers of the mesh over any number of hops: the newest presence of each, and the link by which it came first. It
/// also schedules our own presence.
///
/// A presence counts for two and a half renewals after its author made it. Relaying does not make it younger: a relayed
/// presence carries its age.
package struct PresenceTable: Sendable {
    struct Person: Sendable {
        let record: VerifiedRecord
        let presence: Presence
        /// Hops left for our neighbours to relay it; 0 if it ends here.
        let timeToLive: UInt8
        let hops: UInt8
        /// The link that brought it first; `nil` for us and our personas.
        let via: LinkID?
        /// When its author made it, as far as is known.
        let madeAt: Instant
        let authorsClock: AuthorsClock
        var expiresAt: Instant
        /// Its link has ended since, so the next presence is news.
        var isDoubted = false

        func ageMilliseconds(at now: Instant) -> UInt32 {
            UInt32(clamping: max(0, (now - madeAt).nanoseconds / 1_000_000))
        }
    }

    enum Verdict: Hashable, Sendable {
        /// Not a presence, or not newer than the known one.
        case nothingNew
        case isNews
        /// It is news, and its author has said goodbye.
        case isFarewell
    }

    /// Our own presence, announced periodically.
    package private(set) var own: Presence
    private(set) var announceAt: Instant?
    private(set) var persons: OrderedDictionary<PeerID, Person> = [:]
    /// The author whose newest presence each record is.
    private var authors: [RecordID: PeerID] = [:]
    private(set) var sweepAt: Instant?
    /// Presences per link, so that one neighbour that invents people cannot fill the table.
    private var countByLink: [LinkID?: Int] = [:]
    private var departed = Departed()
    private(set) var refused = RefusalCounts()

    init(own: Presence) {
        self.own = own
    }

    subscript(_ peer: PeerID) -> Person? { persons[peer] }

    /// The author whose newest presence this is.
    func person(saying record: RecordID) -> Person? {
        authors[record].flatMap { persons[$0] }
    }

    /// Whether this peer announced itself as running only briefly.
    package func isBrief(_ peer: PeerID) -> Bool { persons[peer]?.presence.isBrief ?? false }

    func knows(_ prefix: PeerPrefix) -> Bool {
        persons.keys.contains { $0.prefix == prefix }
    }

    /// Presences that this link brought first.
    func count(via link: LinkID) -> Int {
        countByLink[link, default: 0]
    }

    // MARK: - Others

    mutating func heard(
        _ record: VerifiedRecord, _ arrival: RecordArrival, via link: LinkID?, me: PeerID, at now: Instant,
        into effects: inout [MeshEffect]
    ) -> Verdict {
        guard let presence = presence(in: record) else { return .nothingNew }
        let known = persons[record.author]
        guard insert(record, presence, arrival, via: link, at: now, into: &effects) else { return .nothingNew }
        // A goodbye of an unknown peer is no news.
        let isChange = known.map { !$0.presence.saysTheSame(as: presence) || $0.isDoubted } ?? presence.isHere
        if isChange, presence.isHere || known?.presence.isHere == true, record.author != me {
            effects.append(.presenceChanged(record.author, presence, hops: arrival.hops))
        }
        return presence.isHere ? .isNews : .isFarewell
    }

    /// Whether neighbours may still accept this presence, however late it is by the clock here.
    mutating func isWorthRelaying(_ record: VerifiedRecord, ageMilliseconds: UInt32) -> Bool {
        presence(in: record).map { Int64(ageMilliseconds) < $0.hereMilliseconds } ?? false
    }

    /// - Returns: `nil` if the record is signed but its body is no presence: nothing to show or relay.
    private mutating func presence(in record: VerifiedRecord) -> Presence? {
        let body = record.record.body
        guard body.count <= MeshLimit.presenceBytesMax else {
            refused.add(.malformed)
            return nil
        }
        do {
            return try Presence(decoding: body)
        } catch {
            // A fault of the author, not of this link: it is counted, and the link stays.
            refused.add(.malformed)
            return nil
        }
    }

    /// - Returns: whether it is newer than the known presence, and so worth relaying.
    private mutating func insert(
        _ record: VerifiedRecord, _ presence: Presence, _ arrival: RecordArrival, via link: LinkID?, at now: Instant,
        into effects: inout [MeshEffect]
    ) -> Bool {
        let author = record.author
        let known = persons[author]
        let last =
            known.map { Departed.Last(created: $0.record.created, clock: $0.authorsClock, at: now) }
            ?? departed[author, at: now]
        if let last, last.created >= record.created { return false }
        var clock = last?.clock ?? AuthorsClock()
        let age = clock.age(of: record.created, told: Int64(arrival.ageMilliseconds), at: now)
        let lifetime = min(Int64(record.record.lifetimeSeconds) * 1_000, presence.hereMilliseconds)
        guard age < lifetime else { return false }
        if let known {
            noteGone(known)
        } else if persons.count >= MeshLimit.peopleMax, !makeSlot(for: link, into: &effects) {
            return false
        }
        departed.remove(author)
        let expiresAt = now + .milliseconds(lifetime - age)
        persons[author] = Person(
            record: record, presence: presence, timeToLive: arrival.timeToLive - 1, hops: arrival.hops, via: link,
            madeAt: now.advanced(byNanoseconds: -age * 1_000_000), authorsClock: clock, expiresAt: expiresAt)
        countByLink[link, default: 0] += 1
        authors[record.id] = author
        sweepAt = min(sweepAt ?? expiresAt, expiresAt)
        return true
    }

    /// A link to this peer has ended, and it may be gone: it expires unless another presence comes in time.
    mutating func doubt(_ peer: PeerID, at now: Instant) {
        guard let person = persons[peer] else { return }
        persons[peer]?.isDoubted = true
        shorten(person, of: peer, at: now)
    }

    /// The path to the peers that came by this link is gone. If there is another, their next presence will come by it.
    mutating func lost(_ link: LinkID, at now: Instant) {
        for (peer, person) in persons where person.via == link { shorten(person, of: peer, at: now) }
    }

    private mutating func shorten(_ person: Person, of peer: PeerID, at now: Instant) {
        let limit = now + .seconds(Int64(person.presence.renewalSeconds)) + MeshLimit.renewalSlack
        guard limit < person.expiresAt else { return }
        persons[peer]?.expiresAt = limit
        sweepAt = min(sweepAt ?? limit, limit)
    }

    /// Evicts the newest entry of the link that has most entries.
    ///
    /// - Returns: `false` if that is the asking link.
    private mutating func makeSlot(for via: LinkID?, into effects: inout [MeshEffect]) -> Bool {
        // Entries of our own personas are not evicted, and a new one always gets an entry.
        let ours = via == nil ? -1 : countByLink[via, default: 0]
        let others = countByLink.filter { $0.key != nil }
        guard let most = others.values.max(), most > ours + 1 else { return false }
        guard let index = persons.values.lastIndex(where: { $0.via != nil && countByLink[$0.via] == most }) else {
            return false
        }
        forget(persons.keys[index], into: &effects)
        return true
    }

    private mutating func noteGone(_ person: Person) {
        countByLink[person.via, default: 1] -= 1
        authors[person.record.id] = nil
    }

    /// Removes what is known about this peer.
    mutating func forget(_ peer: PeerID, into effects: inout [MeshEffect]) {
        guard let gone = persons.removeValue(forKey: peer) else { return }
        noteGone(gone)
        guard gone.presence.isHere else { return }
        let last = gone.presence.ended
        effects.append(.presenceChanged(peer, last, hops: gone.hops))
    }

    /// Removes and reports every peer whose presence has expired.
    mutating func due(at now: Instant, into effects: inout [MeshEffect]) {
        guard let time = sweepAt, time <= now else { return }
        let (gone, stay) = persons.elements.reduce(into: ([(PeerID, Person)](), OrderedDictionary<PeerID, Person>())) {
            if $1.value.expiresAt <= now { $0.0.append(($1.key, $1.value)) } else { $0.1[$1.key] = $1.value }
        }
        persons = stay
        countByLink = stay.values.reduce(into: [:]) { $0[$1.via, default: 0] += 1 }
        for (peer, person) in gone {
            authors[person.record.id] = nil
            departed.insert(
                peer, Departed.Last(created: person.record.created, clock: person.authorsClock, at: now))
            guard person.presence.isHere else { continue }
            let last = person.presence.ended
            effects.append(.presenceChanged(peer, last, hops: person.hops))
        }
        sweepAt = stay.values.lazy.map(\.expiresAt).min().map { max($0, now + MeshLimit.peopleSweepInterval) }
    }

    // MARK: - For neighbours

    /// Sends a neighbour this presence, with its age.
    func give(_ person: Person, to link: LinkID, at now: Instant, into effects: inout [MeshEffect]) {
        guard person.timeToLive > 0, person.hops < RecordFrame.timeToLiveMax, person.expiresAt > now else { return }
        let (record, hops, age) = (person.record, person.hops + 1, person.ageMilliseconds(at: now))
        effects.append(
            age == 0
                ? .forward(record, timeToLive: person.timeToLive, hops: hops, to: [link])
                : .handPresence(
                    record, timeToLive: person.timeToLive, hops: hops, ageMilliseconds: age, to: [link]))
    }

    // MARK: - Ourselves

    mutating func ownChanged(_ changed: Presence, at now: Instant) {
        guard !changed.saysTheSame(as: own) || announceAt == nil else { return }
        own = changed
        announceAt = now
    }

    mutating func announce(at now: Instant, into effects: inout [MeshEffect]) {
        guard let time = announceAt, time <= now else { return }
        own.renewalSeconds = Presence.renewalSeconds(people: persons.count)
        announceAt = now + .seconds(Int64(own.renewalSeconds))
        effects.append(.announce(own))
    }
}
