import LatticeCore
import Testing

@Suite struct RefusalCountsTests {
    @Test func whatHappenedStandsInTheOrderOfTheReasons() {
        var counts = RefusalCounts()
        counts.add(.store)
        counts.add(.connections, 2)
        counts.add(.store, 3)
        counts.add(.link, 0)
        #expect(counts.happened.map(\.reason) == [.connections, .store])
        #expect(counts[.store] == 4 && counts[.connections] == 2 && counts[.link] == 0)
    }

    @Test func twoRoomsCountsAreOne() {
        var (one, other) = (RefusalCounts(), RefusalCounts())
        one.add(.faults)
        other.add(.faults, 4)
        other.add(.probes)
        one.add(other)
        #expect(one[.faults] == 5 && one[.probes] == 1)
    }

    @Test func aNumberThatCannotGrowStays() {
        var counts = RefusalCounts()
        counts.add(.tree, .max)
        counts.add(.tree)
        #expect(counts[.tree] == .max)
    }

    @Test func everyReasonHasAWordOfItsOwn() {
        #expect(Set(RefusalReason.allCases.map(\.rawValue)).count == RefusalReason.allCases.count)
    }
}
