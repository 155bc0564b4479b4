import LatticeAPI
import LatticeCore
import LatticeMesh
import OrderedCollections

/// What a node learns about people between two reads of their file.
struct Acquaintances {
    /// A person met since the file was written: first and last time.
    struct Met: Equatable {
        var name: PeerName
        let first: WallTime
        var last: WallTime
    }

    /// Two peers with the same name.
    private struct Pair: Hashable {
        let newcomer: PeerID
        let known: PeerID
    }

    private(set) var known = KnownPeople()
    private(set) var unsaved: OrderedDictionary<PeerID, Met> = [:]
    /// People whose change of name shows in their presence.
    private var here = RecentSet<PeerID>(countMax: KnownLimit.peopleMax)
    private var told = RecentSet<Pair>(countMax: KnownLimit.peopleMax)
    private var clashes = ClashNews()
    private var crowd = CrowdNews()
    /// When the file was last written.
    var savedAt: Instant?
    private var lastTrusted: Set<PeerID> = []

    /// - Parameter instant: limits how often clashes are reported.
    /// - Returns: what to report.
    mutating func met(_ peer: PeerID, _ name: PeerName, at now: WallTime, _ instant: Instant) -> [NodeEvent] {
        let meeting = known.met(peer, name, at: now)
        if meeting.isNews, unsaved[peer] != nil || unsaved.count < KnownLimit.peopleMax {
            unsaved[peer, default: Met(name: name, first: now, last: now)].name = name
            unsaved[peer]?.last = now
        }
        var events: [NodeEvent] = []
        if let was = meeting.was, !here.contains(peer) { events.append(.renamed(peer, from: was, to: name)) }
        here.insert(peer)
        if let clash = meeting.clash {
            let pair = Pair(newcomer: peer, known: clash.known.id)
            if told.insert(pair), clashes.judge(clash, at: instant) == .show { events.append(.nameClash(clash)) }
        }
        return events
    }

    /// Summaries of clashes, arrivals and departures that were not reported one by one.
    mutating func summaries(at instant: Instant) -> [Notice] {
        clashes.summary(at: instant) + [crowd.summary(at: instant)].compactMap(\.self)
    }

    /// - Returns: whether it is counted in a notice instead of announced.
    mutating func presenceChanged(_ peer: PeerID, isHere: Bool, at now: Instant) -> Bool {
        crowd.changed(peer, .presence, isThere: isHere, isTrusted: lastTrusted.contains(peer), at: now)
    }

    /// - Returns: the same as for a presence.
    mutating func linkChanged(_ peer: PeerID, _ state: LinkState, at now: Instant) -> Bool {
        switch state {
        case .connecting: false
        case .connected, .notConnected:
            crowd.changed(
                peer, .link, isThere: state == .connected, isTrusted: lastTrusted.contains(peer), at: now)
        }
    }

    /// The file's contents replace what was known; people met since are added again.
    mutating func read(_ file: KnownPeople) {
        known = file
        Self.note(unsaved, in: &known)
    }

    /// A key known this long was not made for a flood.
    private static let trustedAfterMilliseconds: Int64 = 3_600_000

    /// People that this person has marked and not blocked, or has known for an hour.
    var trusted: Set<PeerID> {
        let people = known.all.lazy.filter { person in
            guard person.blocked == nil else { return false }
            guard let first = person.firstSeen, let last = person.lastSeen else { return person.isMarked }
            return person.isMarked || last.milliseconds - first.milliseconds >= Self.trustedAfterMilliseconds
        }
        return Set(people.map(\.id))
    }

    /// - Returns: `trusted`, if that has changed since the last call.
    mutating func takeTrusted() -> Set<PeerID>? {
        let now = trusted
        guard now != lastTrusted else { return nil }
        lastTrusted = now
        return now
    }

    mutating func takeUnsaved() -> OrderedDictionary<PeerID, Met> {
        defer { unsaved = [:] }
        return unsaved
    }

    /// The batch could not be written.
    mutating func putBack(_ batch: OrderedDictionary<PeerID, Met>) {
        unsaved.merge(batch) { now, _ in now }
    }

    static func note(_ batch: OrderedDictionary<PeerID, Met>, in known: inout KnownPeople) {
        for (peer, met) in batch {
            _ = known.met(peer, met.name, at: met.first)
            _ = known.met(peer, met.name, at: met.last)
        }
    }
}
