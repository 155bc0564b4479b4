import LatticeCore
import Testing

@testable import LatticeSimulator

/// The calendar queue against the plainest queue there is.
@Suite struct QueueTests {
    @Test func whatIsDueComesByTimeAndThenInTheOrderItWasPutIn() {
        for seed in UInt64(0)..<50 {
            var generator = SeededGenerator(seed: seed)
            var queue = CalendarQueue()
            var plain: [(time: Int64, number: Int)] = []
            var number = 0
            var popped: [Int] = []
            var expected: [Int] = []
            for _ in 0..<400 {
                if Int.random(in: 0..<3, using: &generator) > 0 {
                    // Now, soon, in the last bucket of the ring, just beyond it, and far beyond it.
                    let waits: [Int64] = [0, 1, 63, 64, 1_000, 65_535, 65_536, 200_000]
                    let time = queue.now + (waits.randomElement(using: &generator) ?? 0)
                    queue.push(Entry(.woke, payload: number), at: time)
                    plain.append((time, number))
                    number += 1
                } else {
                    let end = queue.now + Int64.random(in: 0...70_000, using: &generator)
                    let first = plain.indices.min {
                        (plain[$0].time, plain[$0].number) < (plain[$1].time, plain[$1].number)
                    }
                    if let first, plain[first].time <= end { expected.append(plain.remove(at: first).number) }
                    if let entry = queue.pop(until: end) { popped.append(Int(entry.payload)) }
                }
            }
            #expect(popped == expected, "seed \(seed)")
            #expect(queue.count == plain.count)
        }
    }

    @Test func theClockStandsAtTheTimeOfWhatWasTakenOut() {
        var queue = CalendarQueue()
        queue.push(Entry(.woke), at: 500_000)
        queue.push(Entry(.woke), at: 3)
        #expect(queue.pop(until: 10) != nil)
        #expect(queue.now == 3)
        #expect(queue.pop(until: 499_999) == nil)
        queue.advance(to: 499_999)
        #expect(queue.pop(until: 500_000) != nil)
        #expect(queue.now == 500_000)
    }

    @Test func anEntryIsSmall() {
        #expect(MemoryLayout<Entry>.size <= 12)
    }

    @Test func idsLeadBackToTheirNumbers() {
        let registry = Registry(seed: 9)
        for number in [0, 1, 255, 256, 65_536, 99_999] {
            #expect(registry.number(of: registry.peer(number)) == number)
            #expect(registry.number(of: registry.record(number)) == number)
            #expect(Registry.number(at: Registry.address(of: number)) == number)
        }
        #expect(Registry.number(at: PeerAddress(host: "192.168.1.7", port: 1)) == nil)
        #expect(Registry.number(at: PeerAddress(host: "somewhere", port: 1)) == nil)
    }
}
