import LatticeAPI
import LatticeCore
import LatticeMesh

/// Which strangers' comings and goings are announced and which are counted: somebody may make keys by the thousand.
struct CrowdNews {
    /// How a person's presence is known.
    enum Way {
        case link
        case presence
    }

    private struct Person {
        /// People whose arrival was announced have their departure announced too.
        let isSummedUp: Bool
        var ways: Set<Way> = []
    }

    /// 10 strangers at once are announced, then one every 6 s.
    private static let strangers = TokenBucket.Rate(perSecond: 1, burst: 60)
    private static let strangerCost: Int64 = 6
    /// Present people and neighbours; some 100 bytes each.
    private static let peopleMax = 2 * MeshLimit.peopleMax
    /// A crowd that arrives at once is counted before the first summary.
    private static let gatheringInterval: Duration = .seconds(2)
    private static let lineInterval: Duration = .seconds(30)

    private var people: [PeerID: Person] = [:]
    private var bucket = TokenBucket()
    private var came = 0
    private var left = 0
    private var dueAt: Instant?
    private var toldAt: Instant?

    /// - Parameter isTrusted: always announced.
    /// - Returns: whether it is counted instead of announced.
    mutating func changed(_ peer: PeerID, _ way: Way, isThere: Bool, isTrusted: Bool, at now: Instant) -> Bool {
        if isThere, people[peer] == nil {
            guard people.count < Self.peopleMax else { return !isTrusted }
            let isAnnounced = isTrusted || bucket.take(Self.strangerCost, of: Self.strangers, at: now)
            people[peer] = Person(isSummedUp: !isAnnounced)
            if !isAnnounced { count(\.came, at: now) }
        }
        guard var person = people[peer] else { return false }
        if isThere { person.ways.insert(way) } else { person.ways.remove(way) }
        people[peer] = person.ways.isEmpty ? nil : person
        if person.ways.isEmpty, person.isSummedUp { count(\.left, at: now) }
        return person.isSummedUp && !isTrusted
    }

    private mutating func count(_ number: WritableKeyPath<CrowdNews, Int>, at now: Instant) {
        self[keyPath: number] += 1
        guard dueAt == nil else { return }
        let next = toldAt?.advanced(by: Self.lineInterval) ?? now
        dueAt = max(now.advanced(by: Self.gatheringInterval), next)
    }

    /// - Returns: one notice, once it is time.
    mutating func summary(at now: Instant) -> Notice? {
        guard let time = dueAt, time <= now else { return nil }
        defer { (came, left, dueAt, toldAt) = (0, 0, nil, now) }
        return .crowd(came: came, left: left)
    }
}
