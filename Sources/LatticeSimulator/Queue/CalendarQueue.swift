import HeapModule

/// Future events ordered by millisecond; within one millisecond, first in, first out.
///
/// A ring of buckets, one for each millisecond. Each bucket is a chain through one array of slots, so pushing and
/// popping take constant time, and nothing is allocated once the array has reached its peak size. Events beyond the
/// ring wait in a heap until the ring reaches them.
struct CalendarQueue {
    /// Milliseconds covered by the ring, a power of two: longer than all but the rarest waits of the mesh.
    static let span: Int64 = 65_536

    private struct Slot {
        var entry: Entry
        var next: Int32
    }

    private struct Far: Comparable {
        let time: Int64
        let number: UInt64
        let entry: Entry

        static func < (left: Far, right: Far) -> Bool {
            (left.time, left.number) < (right.time, right.number)
        }

        static func == (left: Far, right: Far) -> Bool {
            left.number == right.number
        }
    }

    private static let none: Int32 = -1
    private static let mask = Int(span) - 1

    private var slots: [Slot] = []
    private var firstFree = none
    private var heads = [Int32](repeating: none, count: Int(span))
    private var tails = [Int32](repeating: none, count: Int(span))
    /// One bit a bucket, so that a quiet stretch is skipped 64 buckets at a time.
    private var occupied = [UInt64](repeating: 0, count: Int(span) / 64)
    private var far = Heap<Far>()
    private var lastNumber: UInt64 = 0
    /// Milliseconds since the start.
    private(set) var now: Int64 = 0
    private(set) var count = 0

    /// - Parameter time: in milliseconds; an event in the past becomes the last one of the present.
    mutating func push(_ entry: Entry, at time: Int64) {
        count += 1
        let time = max(time, now)
        guard time < now + Self.span else {
            lastNumber += 1
            far.insert(Far(time: time, number: lastNumber, entry: entry))
            return
        }
        append(entry, to: Int(time) & Self.mask)
    }

    /// Returns the next entry due by `end`, and advances the clock to its time.
    mutating func pop(until end: Int64) -> Entry? {
        while now <= end {
            let bucket = Int(now) & Self.mask
            let head = heads[bucket]
            if head != Self.none { return take(head, from: bucket) }
            guard let next = nextTime(), next <= end else { return nil }
            advance(to: next)
        }
        return nil
    }

    /// Advances the clock; nothing may be due before `time`.
    mutating func advance(to time: Int64) {
        guard time > now else { return }
        now = time
        while let first = far.min, first.time < now + Self.span {
            _ = far.popMin()
            append(first.entry, to: Int(first.time) & Self.mask)
        }
    }

    private mutating func append(_ entry: Entry, to bucket: Int) {
        let slot: Int32
        if firstFree == Self.none {
            slot = Int32(slots.count)
            slots.append(Slot(entry: entry, next: Self.none))
        } else {
            slot = firstFree
            firstFree = slots[Int(slot)].next
            slots[Int(slot)] = Slot(entry: entry, next: Self.none)
        }
        let tail = tails[bucket]
        if tail == Self.none {
            heads[bucket] = slot
            occupied[bucket >> 6] |= 1 << UInt64(bucket & 63)
        } else {
            slots[Int(tail)].next = slot
        }
        tails[bucket] = slot
    }

    private mutating func take(_ head: Int32, from bucket: Int) -> Entry {
        let slot = slots[Int(head)]
        heads[bucket] = slot.next
        if slot.next == Self.none {
            tails[bucket] = Self.none
            occupied[bucket >> 6] &= ~(1 << UInt64(bucket & 63))
        }
        slots[Int(head)].next = firstFree
        firstFree = head
        count -= 1
        return slot.entry
    }

    /// When the next entry is due, if the current bucket is empty.
    private func nextTime() -> Int64? {
        let start = Int(now) & Self.mask
        var word = start >> 6
        var bits = occupied[word] & ~((2 << UInt64(start & 63)) &- 1)
        // The word where the search starts is checked again at the end, for the buckets before the start.
        for _ in 0...occupied.count {
            if bits != 0 {
                let bucket = word << 6 + bits.trailingZeroBitCount
                return now + Int64((bucket - start) & Self.mask)
            }
            word = (word + 1) % occupied.count
            bits = occupied[word]
        }
        return far.min?.time
    }
}
