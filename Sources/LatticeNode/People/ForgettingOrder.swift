import HeapModule
import LatticeCore

/// Who is forgotten first when too many people are remembered: the person known for the shortest time.
///
/// Stale ranks stay in the heap until they come up, so that seeing somebody again costs one insertion.
struct ForgettingOrder: Sendable {
    struct Rank: Comparable, Sendable {
        let knownForMilliseconds: Int64
        let firstSeen: Int64
        let id: PeerID

        static func < (one: Rank, other: Rank) -> Bool {
            (one.knownForMilliseconds, one.firstSeen, one.id)
                < (other.knownForMilliseconds, other.firstSeen, other.id)
        }
    }

    private var heap: Heap<Rank>

    init(_ ranks: some Sequence<Rank>) {
        heap = Heap(ranks)
    }

    /// Ranks in the heap, stale ones included.
    var count: Int { heap.count }

    mutating func insert(_ rank: Rank) {
        heap.insert(rank)
    }

    /// Takes the first rank that is not stale.
    mutating func takeFirst(where holds: (Rank) -> Bool) -> Rank? {
        while let rank = heap.popMin() {
            if holds(rank) { return rank }
        }
        return nil
    }
}
