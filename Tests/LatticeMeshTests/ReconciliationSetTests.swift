import LatticeCore
import Testing

@testable import LatticeMesh

@Suite struct ReconciliationSetTests {
    @Test func timestampInfinityIsNoItem() {
        #expect(ReconciliationItem(timestamp: .max, id: .zero) == nil)
        #expect(ReconciliationItem(timestamp: .max - 1, id: .zero) != nil)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func itHoldsWhatASortedArrayHolds(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var plain = ReconciliationRun.items(3_000, timestamps: 500, using: &generator).sorted()
        var set = ReconciliationSet(plain.shuffled(using: &generator) + plain.prefix(10))
        expectSame(set, plain, using: &generator)
        for item in ReconciliationRun.items(6_000, timestamps: 20, using: &generator) {
            let insert = set.insert(item)
            #expect(insert)
            plain.append(item)
        }
        plain.sort()
        expectSame(set, plain, using: &generator)
        for item in plain.shuffled(using: &generator).prefix(8_900) {
            let remove = set.remove(item)
            #expect(remove)
            let removeAgain = set.remove(item)
            #expect(!removeAgain)
        }
        plain.removeAll { !set.contains($0) }
        #expect(plain.count == 100)
        expectSame(set, plain, using: &generator)
        #expect(set.groups.reduce(0) { $0 + $1.chunks.count } < 20)
        for item in plain {
            let insertAgain = set.insert(item)
            #expect(!insertAgain)
            let remove = set.remove(item)
            #expect(remove)
        }
        #expect(set.count == 0 && set.groups.isEmpty && set.sum == ReconciliationSum())
    }

    @Test func oneInsertionAfterTheOtherComesToTheSameSums() {
        var generator = SeededGenerator(seed: 5)
        let items = ReconciliationRun.items(40_000, timestamps: 1 << 40, using: &generator)
        var set = ReconciliationSet()
        for item in items { set.insert(item) }
        #expect(set.groups.count > 1)
        #expect(set.sum == ReconciliationSet(items).sum)
        #expect(set.sum(in: 100..<30_000) == ReconciliationSet(items).sum(in: 100..<30_000))
    }

    private func expectSame(
        _ set: ReconciliationSet, _ plain: [ReconciliationItem], using generator: inout SeededGenerator
    ) {
        #expect(set.count == plain.count)
        var all: [ReconciliationItem] = []
        set.forEach(in: 0..<set.count) { all.append($0) }
        #expect(all == plain)
        for _ in 0..<20 {
            let ends = [0, 1].map { _ in Int.random(in: 0...plain.count, using: &generator) }.sorted()
            var sum = ReconciliationSum()
            for item in plain[ends[0]..<ends[1]] { sum += ReconciliationSum(item.id) }
            #expect(set.sum(in: ends[0]..<ends[1]) == sum)
            guard ends[0] < plain.count else { continue }
            #expect(set.item(at: ends[0]) == plain[ends[0]])
            #expect(set.sum(before: ReconciliationBound(before: plain[ends[0]])).count == ends[0])
            let bound = ReconciliationBound(timestamp: plain[ends[0]].timestamp)
            let before = set.sum(before: bound)
            #expect(before.count == plain.firstIndex { $0.timestamp >= bound.timestamp })
            #expect(before == set.sum(in: 0..<before.count))
            let cut = set.cut(at: ends[0])
            #expect(cut.last == (ends[0] > 0 ? plain[ends[0] - 1] : nil) && cut.next == plain[ends[0]])
        }
        #expect(set.sum(before: .infinity) == set.sum && set.sum.count == plain.count)
        #expect(set.cut(at: plain.count).last == plain.last)
    }
}
