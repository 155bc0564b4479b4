import DequeModule
import LatticeCore
import LatticeWire

/// Records that are not fetched again for a while: a store that declines a record would decline it again a minute
/// later.
struct Declined: Sendable {
    private struct Told: Hashable, Sendable {
        let id: RecordID
        let peer: PeerID
    }

    private var ids = TimedSet<RecordID>(countMax: MeshLimit.declinedMax, lifetime: MeshLimit.declinedFor)
    /// Expired by the age that this peer gave.
    private var aged = TimedSet<Told>(countMax: MeshLimit.declinedMax / 4, lifetime: MeshLimit.declinedFor)

    /// By blocked authors: every round finds them missing.
    private var blocked = TimedSet<RecordID>(countMax: MeshLimit.declinedMax, lifetime: MeshLimit.blockedFor)

    func contains(_ id: RecordID, from peer: PeerID, at now: Instant) -> Bool {
        ids.contains(id, at: now) || blocked.contains(id, at: now) || aged.contains(Told(id: id, peer: peer), at: now)
    }

    /// What the store wants has changed.
    mutating func forget() {
        self = Declined()
    }

    mutating func insert(_ id: RecordID, at now: Instant) {
        ids.insert(id, at: now)
    }

    mutating func insert(blocked id: RecordID, at now: Instant) {
        blocked.insert(id, at: now)
    }

    /// This peer says that the record has expired; another one may give a lower age.
    mutating func insert(_ id: RecordID, of peer: PeerID, at now: Instant) {
        aged.insert(Told(id: id, peer: peer), at: now)
    }
}

/// The most recent elements, each for a limited time; the oldest is evicted for the newest.
struct TimedSet<Element: Hashable & Sendable>: Sendable {
    private struct Entry: Sendable {
        let element: Element
        let until: Instant
    }

    private var times: [Element: Instant] = [:]
    private var order: Deque<Entry> = []
    private let countMax: Int
    private let lifetime: Int64

    init(countMax: Int, lifetime: Duration) {
        precondition(countMax > 0, "a memory holds something")
        self.countMax = countMax
        self.lifetime = lifetime.nanoseconds
    }

    var count: Int { times.count }

    func contains(_ element: Element, at now: Instant) -> Bool {
        guard !times.isEmpty, let until = times[element] else { return false }
        return now < until
    }

    mutating func insert(_ element: Element, at now: Instant) {
        while let first = order.first, first.until <= now { removeFirst() }
        guard times[element] == nil else { return }
        if order.count >= countMax { removeFirst() }
        let until = now.advanced(byNanoseconds: lifetime)
        times[element] = until
        order.append(Entry(element: element, until: until))
    }

    private mutating func removeFirst() {
        times[order.removeFirst().element] = nil
    }
}
