import LatticeAPI
import LatticeCore
import Synchronization
import Testing

@testable import LatticeNode

/// Many keys under one name: each costs as much as the first, and people see a few lines about it.
@Suite struct NamesakeFloodTests {
    private static let day = WallTime(milliseconds: 1_795_000_000_000)

    private func peer(_ number: Int) -> PeerID {
        PeerID(Bytes32(words: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15, 0, 0, 1)))
    }

    /// Counts how often two are compared.
    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private struct Counted: Comparable, Sendable {
        let value: Int
        let counter: Counter

        static func == (one: Counted, other: Counted) -> Bool {
            other.counter.count.withLock { $0 += 1 }
            return one.value == other.value
        }

        static func < (one: Counted, other: Counted) -> Bool {
            other.counter.count.withLock { $0 += 1 }
            return one.value < other.value
        }
    }

    @Test(arguments: [1_000, 4_000, 16_000])
    func oneMoreHolderOfANameTakesAsManyComparisonsAsABinarySearch(_ holders: Int) {
        let counter = Counter()
        var names = NameHolders<Counted>()
        for value in 0..<holders { names.insert(Counted(value: (value * 7_919) % holders, counter: counter)) }
        #expect(names.ranks.first?.value == 0)
        counter.count.withLock { $0 = 0 }
        names.insert(Counted(value: holders, counter: counter))
        names.remove(Counted(value: holders / 2, counter: counter))
        // 2^14 is more than 16,000: two searches, and a look at what they found.
        #expect(counter.count.withLock { $0 } <= 2 * (14 + 2))
    }

    @Test func theBestKnownHolderOfANameIsFoundAmongThousands() throws {
        var known = KnownPeople()
        let henry = try PeerName("henry")
        _ = known.met(peer(1), henry, at: Self.day)
        for number in 2..<3_000 {
            let later = WallTime(milliseconds: Self.day.milliseconds + Int64(number))
            #expect(known.met(peer(number), henry, at: later).clash?.known.id == peer(1))
        }
        #expect(known.met(peer(1), henry, at: Self.day).clash == nil)
    }

    @Test func fewClashesAreShownAndTheOthersAreSummedUpInOneLine() throws {
        var people = Acquaintances()
        let henry = try PeerName("henry")
        var shown = 0
        for number in 1...401 {
            let now = WallTime(milliseconds: Self.day.milliseconds + Int64(number))
            let events = people.met(peer(number), henry, at: now, .zero)
            shown += events.count { if case .nameClash = $0 { true } else { false } }
        }
        #expect(shown == 3)
        #expect(people.summaries(at: .zero).isEmpty)
        let lines = people.summaries(at: .zero.advanced(by: .seconds(3)))
        #expect(lines == [.nameShared(name: henry, others: 397)])
        #expect(lines.map(\.code) == ["nameClashes"])
        // Nothing is said twice.
        #expect(people.summaries(at: .zero.advanced(by: .seconds(600))).isEmpty)
        // The next summary comes a minute later at the earliest.
        _ = people.met(peer(500), henry, at: Self.day, .zero.advanced(by: .seconds(10)))
        #expect(people.summaries(at: .zero.advanced(by: .seconds(20))).isEmpty)
        #expect(people.summaries(at: .zero.advanced(by: .seconds(70))).count == 1)
    }

    @Test func manyNamesTwiceAreSummedUpToo() throws {
        var people = Acquaintances()
        var shown = 0
        for number in 0..<1_000 {
            let name = try PeerName("henry \(number / 2)")
            let events = people.met(peer(number), name, at: Self.day, .zero)
            shown += events.count { if case .nameClash = $0 { true } else { false } }
        }
        #expect(shown == 10)
        let lines = people.summaries(at: .zero.advanced(by: .seconds(3)))
        #expect(lines.count == 4)
        guard case .namesShared(400...)? = lines.last else {
            Issue.record("\(lines)")
            return
        }
    }

    @Test func aClashWithSomebodyYouVerifiedIsShownHoweverManyOthersThereAre() throws {
        var people = Acquaintances()
        var file = KnownPeople()
        _ = file.put(
            KnownPerson(id: peer(9_999), name: try PeerName("zoe"), namedSince: Self.day, verified: Self.day))
        people.read(file)
        for number in 0..<1_000 {
            _ = people.met(peer(number), try PeerName("henry \(number / 2)"), at: Self.day, .zero)
        }
        let events = people.met(peer(5_000), try PeerName("zoe"), at: Self.day, .zero)
        #expect(events.contains { if case .nameClash = $0 { true } else { false } })
    }

    @Test func whenTooManyAreKnownTheOneKnownForTheShortestTimeGoesEachTime() throws {
        var known = KnownPeople()
        let minute: Int64 = 60_000
        for number in 0..<KnownLimit.peopleMax {
            let start = Self.day.milliseconds + Int64(number)
            _ = known.met(peer(number), try PeerName("x\(number)"), at: WallTime(milliseconds: start))
            let end = WallTime(milliseconds: start + minute * Int64(number + 1))
            _ = known.met(peer(number), try PeerName("x\(number)"), at: end)
        }
        let later = WallTime(milliseconds: Self.day.milliseconds + minute)
        _ = known.met(peer(10_000), try PeerName("y"), at: later)
        #expect(known[peer(0)] == nil && known[peer(1)] != nil && known.count == KnownLimit.peopleMax)
        // The newcomer was known for no time at all, and makes space for the next one.
        _ = known.met(peer(10_001), try PeerName("z"), at: later)
        #expect(known[peer(10_000)] == nil && known[peer(1)] != nil)
        // People who are seen again and again stay.
        for _ in 0..<3 * KnownLimit.peopleMax { _ = known.met(peer(1), try PeerName("x1"), at: later) }
        _ = known.met(peer(10_002), try PeerName("w"), at: later)
        #expect(known[peer(1)] != nil && known[peer(10_001)] == nil && known.count == KnownLimit.peopleMax)
    }

    @Test func peopleWhomOneKnowsAreTrustedAndStrangersAreNot() throws {
        var people = Acquaintances()
        var file = KnownPeople()
        let hour: Int64 = 3_600_000
        _ = file.put(KnownPerson(id: peer(1), verified: Self.day))
        _ = file.put(KnownPerson(id: peer(2), blocked: Self.day))
        _ = file.met(peer(3), try PeerName("old"), at: Self.day)
        _ = file.met(peer(3), try PeerName("old"), at: WallTime(milliseconds: Self.day.milliseconds + hour))
        _ = file.met(peer(4), try PeerName("new"), at: Self.day)
        people.read(file)
        #expect(people.trusted == [peer(1), peer(3)])
    }
}
