import DequeModule
import LatticeCore
import LatticeWire
import OrderedCollections

/// Records that neighbours have and that have not come here: whom to ask for each, and when (Plumtree section 3.5, its
/// missing messages and their timers).
struct MissingRecords: Sendable {
    private struct Entry: Sendable {
        /// Who told of it first.
        let teller: LinkID
        var sources: [LinkID]
        /// How often somebody was asked.
        var asked = 0
        var askAt: Instant
    }

    private var entries: [RecordID: Entry] = [:]
    /// In which order they were told of; some have come meanwhile.
    private var order: Deque<RecordID> = []
    /// Of how many each link told first: one neighbour that makes records up cannot take every place.
    private var countByTeller: [LinkID: Int] = [:]
    /// Nothing is due before it; it may be earlier than what is due.
    private(set) var nextDeadline: Instant?
    /// Who has what was given up, in the order in which it was.
    private var givenUp: [LinkID] = []

    var count: Int { entries.count }

    /// A neighbour has it; whether it comes by itself is waited for.
    mutating func noted(_ id: RecordID, at link: LinkID, askAt: Instant) {
        if var known = entries[id] {
            guard known.sources.count < MeshLimit.missingSourcesMax, !known.sources.contains(link) else { return }
            known.sources.append(link)
            entries[id] = known
            return
        }
        guard entries.count < MeshLimit.missingMax else { return }
        guard countByTeller[link, default: 0] < MeshLimit.missingPerLinkMax else { return }
        entries[id] = Entry(teller: link, sources: [link], askAt: askAt)
        order.append(id)
        countByTeller[link, default: 0] += 1
        nextDeadline = min(nextDeadline ?? askAt, askAt)
    }

    /// It has come.
    mutating func came(_ id: RecordID) {
        guard !entries.isEmpty else { return }
        remove(id)
        if entries.isEmpty {
            order.removeAll()
            nextDeadline = nil
        }
    }

    /// Whom to ask for what now, each neighbour in turn, all of them `missingRoundsMax` times; after that it is given up.
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
                // What one question does not hold is asked for with the next.
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

    /// The links that told of what was asked for in vain since this was last looked at.
    mutating func takeGivenUp() -> [LinkID] {
        defer { givenUp = [] }
        return givenUp
    }

    private mutating func remove(_ id: RecordID) {
        guard let gone = entries.removeValue(forKey: id), let count = countByTeller[gone.teller] else { return }
        countByTeller[gone.teller] = count > 1 ? count - 1 : nil
    }
}
