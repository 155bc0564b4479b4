import HeapModule
import LatticeCore

/// What is to happen, by time; what was put in first comes first.
struct EventQueue {
    private struct Entry: Comparable {
        let time: Instant
        let number: UInt64
        let happening: World.Happening

        static func < (left: Entry, right: Entry) -> Bool {
            (left.time, left.number) < (right.time, right.number)
        }

        static func == (left: Entry, right: Entry) -> Bool {
            left.number == right.number
        }
    }

    private var heap = Heap<Entry>()
    private var last: UInt64 = 0

    mutating func push(_ happening: World.Happening, at time: Instant) {
        last += 1
        heap.insert(Entry(time: time, number: last, happening: happening))
    }

    mutating func pop(until end: Instant) -> (Instant, World.Happening)? {
        guard let first = heap.min, first.time <= end else { return nil }
        _ = heap.popMin()
        return (first.time, first.happening)
    }
}
