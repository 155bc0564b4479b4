import DequeModule
import LatticeCore
import LatticeMesh
import OrderedCollections

/// Queued steps of comparisons: links take turns, and a full queue answers with a refusal.
struct ComparisonQueue {
    /// A neighbour asks about five groups at a time, and is asked about as many.
    static let worksPerLinkMax = 16

    private struct Waiting {
        let work: ComparisonWork
        let since: Instant
    }

    private var works: OrderedDictionary<LinkID, Deque<Waiting>> = [:]
    private var refused: Deque<ComparisonWork> = []

    /// The next task: a step, or a refusal for lack of space.
    enum Next: Equatable {
        case step(ComparisonWork)
        case refusal(ComparisonWork)
    }

    /// Queued steps and refusals.
    var count: Int { works.values.reduce(refused.count) { $0 + $1.count } }
    /// Arrival of the oldest step.
    var oldest: Instant? { works.values.lazy.compactMap { $0.first?.since }.min() }

    /// A step beyond the limit is refused in its turn: no answer goes out before the neighbour has finished asking.
    mutating func add(_ work: ComparisonWork, at now: Instant) {
        guard works[work.link, default: []].count < Self.worksPerLinkMax else { return refused.append(work) }
        works[work.link, default: []].append(Waiting(work: work, since: now))
    }

    mutating func next() -> Next? {
        if let work = refused.popFirst() { return .refusal(work) }
        guard let link = works.keys.first, var queue = works.removeValue(forKey: link), let first = queue.popFirst()
        else { return nil }
        // Moves the link behind all others.
        if !queue.isEmpty { works[link] = queue }
        return .step(first.work)
    }

    mutating func closed(_ link: LinkID) {
        works[link] = nil
        refused.removeAll { $0.link == link }
    }
}
