import DequeModule
import LatticeCore
import LatticeWire
import OrderedCollections

/// Records that were announced and have not arrived: which neighbour to request each one from, and when (the missing
/// messages and timers of Plumtree section 3.5).
struct MissingRecords: Sendable {
    private struct Entry: Sendable {
        /// The link that announced it first.
        let announcer: LinkID
        var sources: [LinkID]
        /// Requests so far.
        var asked = 0
        var askAt: Instant
    }

    private var entries: [RecordID: Entry] = [:]
    /// In the order of announcement; may contain ids that have arrived since.
    private var order: Deque<RecordID> = []
    /// Entries by first announcer, so that one neighbour that invents records cannot fill the table.
    private var countByAnnouncer: [LinkID: Int] = [:]
    /// A lower bound: nothing is due before it.
    private(set) var nextDeadline: Instant?
    /// The links that announced the records we gave up, in that order.
    private var givenUp: [LinkID] = []

    var count: Int { entries.count }

    /// A neighbour announced this record; it may still arrive by the tree.
    mutating func noted(_ id: RecordID, at link: LinkID, askAt: Instant) {
        if var known = entries[id] {
            guard known.sources.count < MeshLimit.missingSourcesMax, !known.sources.contains(link) else { return }
            known.sources.append(link)
            entries[id] = known
            return
        }
        guard entries.count < MeshLimit.missingMax else { return }
        guard countByAnnouncer[link, default: 0] < MeshLimit.missingPerLinkMax else { return }
        entries[id] = Entry(announcer: link, sources: [link], askAt: askAt)
        order.append(id)
        countByAnnouncer[link, default: 0] += 1
        nextDeadline = min(nextDeadline ?? askAt, askAt)
    }

    /// - Returns: whether it was requested.
    @discardableResult
    mutating func came(_ id: RecordID) -> Bool {
        guard !entries.isEmpty else { return false }
        let wasAsked = (entries[id]?.asked ?? 0) > 0
        remove(id)
        if entries.isEmpty {
            order.removeAll()
            nextDeadline = nil
        }
        return wasAsked
    }

    /// What to request from which neighbour now. Neighbours take turns, each up to `missingRoundsMax` times; then the
    /// record is given up.
    ///
    /// - Parameter isThere: whether a link still carries records.
    mutating func due(
        at now: Instant, retryAfter: Duration, isThere: (LinkID) -> Bool
    ) -> OrderedDictionary<LinkID, [RecordID]> {
        var questions: OrderedDictionary<LinkID, [RecordID]> = [:]
        guard let time = nextDeadline, time <= now else { return questions }
        var earliest: Instant?
        var isOver: [RecordID] = []
        order.removeAll { entries[$0] == nil }
        for id in order {
            guard var entry = entries[id] else { continue }
            if entry.askAt <= now {
                entry.sources.removeAll { !isThere($0) }
                guard !entry.sources.isEmpty, entry.asked < entry.sources.count * MeshLimit.missingRoundsMax else {
                    isOver.append(id)
                    for source in entry.sources where !givenUp.contains(source) { givenUp.append(source) }
                    continue
                }
                let source = entry.sources[entry.asked % entry.sources.count]
                entry.askAt = now + retryAfter
                // What does not fit one request is asked for with the next.
                if questions[source, default: []].count < Graft.countMax {
                    questions[source, default: []].append(id)
                    entry.asked += 1
                }
                entries[id] = entry
            }
            earliest = min(earliest ?? entry.askAt, entry.askAt)
        }
        for id in isOver { remove(id) }
        nextDeadline = earliest
        return questions
    }

    /// The links that announced records requested in vain, since the last call.
    mutating func takeGivenUp() -> [LinkID] {
        defer { givenUp = [] }
        return givenUp
    }

    private mutating func remove(_ id: RecordID) {
        guard let gone = entries.removeValue(forKey: id), let count = countByAnnouncer[gone.announcer] else { return }
        countByAnnouncer[gone.announcer] = count > 1 ? count - 1 : nil
    }
}
