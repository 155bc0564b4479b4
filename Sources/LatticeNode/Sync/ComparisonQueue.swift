import DequeModule
import LatticeCore
import LatticeMesh
import OrderedCollections

/// Steps of comparisons that wait to be made: every link has its turn, and a full queue is told so.
struct ComparisonQueue {
    /// A neighbour asks about five groups at a time, and is asked about as many.
    static let worksPerLinkMax = 16

    private struct Waiting {
        let work: ComparisonWork
        let since: Instant
    }

    private var works: OrderedDictionary<LinkID, Deque<Waiting>> = [:]
    private var refused: Deque<ComparisonWork> = []

    /// What there is to do next: a step, or an answer that there was no room for one.
    enum Next: Equatable {
        case step(ComparisonWork)
        case refusal(ComparisonWork)
    }

    /// Steps and refusals that wait.
    var count: Int { works.values.reduce(refused.count) { $0 + $1.count } }
    /// When that step came which waits for the longest.
    var oldest: Instant? { works.values.lazy.compactMap { $0.first?.since }.min() }

    /// One beyond the limit is refused when its turn comes, so that whoever asked is not answered before it has finished asking.
    mutating func add(_ work: ComparisonWork, at now: Instant) {
        guard works[work.link, default: []].count < Self.worksPerLinkMax else { return refused.append(work) }
        works[work.link, default: []].append(Waiting(work: work, since: now))
    }

    mutating func next() -> Next? {
        if let work = refused.popFirst() { return .refusal(work) }
        guard let link = works.keys.first, var queue = works.removeValue(forKey: link), let first = queue.popFirst()
        else { return nil }
        // Behind all others.
        if !queue.isEmpty { works[link] = queue }
        return .step(first.work)
    }

    mutating func closed(_ link: LinkID) {
        works[link] = nil
        refused.removeAll { $0.link == link }
    }
}
