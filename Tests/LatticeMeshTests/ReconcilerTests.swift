import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeMesh

@Suite struct ReconcilerTests {
    private let initiator = Reconciler.initiator(frameBytesMax: nil, sha256: sha256)
    private let responder = Reconciler.responder(frameBytesMax: nil, sha256: sha256)

    @Test func anEmptySetAsksWithAnEmptyList() {
        // Version, infinity, no prefix, id list, of none.
        #expect(initiator.begin(with: ReconciliationSet()) == [0x61, 0, 0, 2, 0])
    }

    @Test func fewItemsAreAskedForByTheirIds() throws {
        let item = try ReconciliationRun.item(7, 0xAB, 0xCD)
        #expect(initiator.begin(with: ReconciliationSet([item])) == [0x61, 0, 0, 2, 1] + item.id.bytes)
    }

    @Test func theFingerprintOfNothingIsSHA256OfItsZeros() {
        // SHA-256 of 33 zero bytes: a sum of 32 and a count of one.
        #expect(Hex.string(ReconciliationSum().fingerprintBytes()) == "7f9c9e31ac8256ca2f258583df262dbc")
    }

    @Test func sumsCarryAndCountsAreVarints() {
        var sum = ReconciliationSum()
        for _ in 0..<130 { sum += ReconciliationSum(Bytes32([255] + [UInt8](repeating: 0, count: 31)) ?? .zero) }
        // 130 × 255 = 0x817E, the lowest byte first; 130 = 1 × 128 + 2.
        let hashed: [UInt8] = [0x7E, 0x81] + [UInt8](repeating: 0, count: 30) + [0x81, 0x02]
        #expect(sum.fingerprintBytes() == Array(Digest.sha256(hashed, []).prefix(16)))
    }

    @Test func aSumCarriesThroughAllOfItsBytes() {
        let most = Bytes32([UInt8](repeating: 255, count: 32)) ?? .zero
        let one = Bytes32([1] + [UInt8](repeating: 0, count: 31)) ?? .zero
        var sum = ReconciliationSum(most)
        sum += ReconciliationSum(one)
        var zeros = ReconciliationSum(.zero)
        zeros += ReconciliationSum(.zero)
        #expect(sum == zeros)
        sum -= ReconciliationSum(one)
        #expect(sum == ReconciliationSum(most))
    }

    @Test func thirtyTwoItemsAreSplitIntoSixteenPartsWithShortestBounds() throws {
        // Thirty-three: the first part takes the one too many. Two timestamps, so both kinds of bound occur.
        let items = try (0..<33).map { try ReconciliationRun.item($0 < 17 ? 300 : 301, UInt8($0 * 7)) }
        let set = ReconciliationSet(items)
        var expected: [UInt8] = [0x61]
        var start = 0
        for bucket in 0..<16 {
            let end = start + (bucket == 0 ? 3 : 2)
            switch end {
            case 33: expected += [0, 0]
            // 300 + 1 as base-128 digits, then distances of 0 and 1.
            case 3: expected += [0x82, 0x2D, 1, UInt8(end * 7)]
            case 17: expected += [2, 0]
            default: expected += [1, 1, UInt8(end * 7)]
            }
            expected += [1] + set.sum(in: start..<end).fingerprintBytes()
            start = end
        }
        #expect(initiator.begin(with: set) == expected)
    }

    @Test func equalSetsAreKnownToBeEqualAfterOneRound() throws {
        var generator = SeededGenerator(seed: 1)
        let set = ReconciliationSet(ReconciliationRun.items(5_000, timestamps: 1 << 40, using: &generator))
        let run = try ReconciliationRun(set, set)
        let isFound = run.found(have: [], need: []) && run.messages.count == 2
        #expect(isFound)
        #expect(run.messages[1] == [0x61])
    }

    @Test func anotherVersionIsAnsweredWithOurs() throws {
        let none = ReconciliationSet()
        #expect(try responder.read([0x62, 1, 2, 3], with: none) == Reconciler.Step(reply: [0x61]))
        #expect(throws: ReconciliationError.notAMessage(0x70)) { try responder.read([0x70], with: none) }
        #expect(throws: ReconciliationError.unknownVersion(0x60)) { try initiator.read([0x60], with: none) }
    }

    @Test(arguments: [nil, 4_096, 60_000] as [Int?], 1...5 as ClosedRange<UInt64>)
    func bothSidesLearnWhatTheOtherLacks(frameBytesMax: Int?, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let sizes = [0, 1, 40, 500, 3_000]
        // Few timestamps make bounds with prefixes, many make bounds without.
        let timestamps: UInt64 = [1, 30, 1 << 50].randomElement(using: &generator) ?? 1
        func some() -> [ReconciliationItem] {
            let size = sizes.randomElement(using: &generator) ?? 0
            return ReconciliationRun.items(size, timestamps: timestamps, using: &generator)
        }
        let (both, mine, theirs) = (some(), some(), some())
        let here = ReconciliationSet(both + mine)
        let there = ReconciliationSet(both + theirs)
        for manners in [[.reference], [.thrifty], [.thrifty, .reference], [.reference, .thrifty]]
            as [[Reconciler.Manner]]
        {
            for (first, second, have, need) in [(here, there, mine, theirs), (there, here, theirs, mine)] {
                let run = try ReconciliationRun(first, second, manners, frameBytesMax: frameBytesMax)
                let isFound = run.found(have: have, need: need)
                #expect(isFound)
                let isOnceEach = run.have.count == have.count && run.need.count == need.count
                #expect(isOnceEach || frameBytesMax != nil)
                #expect(run.messages.allSatisfy { $0.count <= frameBytesMax ?? .max })
            }
        }
    }

    @Test(arguments: [.reference, .thrifty] as [Reconciler.Manner], 1...2 as ClosedRange<UInt64>)
    func whatIsBeforeTheBeginningDoesNotExist(manner: Reconciler.Manner, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let both = ReconciliationRun.items(2_000, timestamps: 1_000, using: &generator)
        let mine = ReconciliationRun.items(300, timestamps: 1_000, using: &generator)
        let theirs = ReconciliationRun.items(300, timestamps: 1_000, using: &generator)
        let here = ReconciliationSet(both + mine)
        let there = ReconciliationSet(both + theirs)
        for since in [0, 1, 500, 999, 1_000, .max] as [UInt64] {
            func kept(_ items: [ReconciliationItem]) -> [ReconciliationItem] { items.filter { $0.timestamp >= since } }
            for frameBytesMax in [nil, 4_096] {
                let run = try ReconciliationRun(here, there, [manner], from: since, frameBytesMax: frameBytesMax)
                let isFound = run.found(have: kept(mine), need: kept(theirs))
                #expect(isFound)
                let alone = try ReconciliationRun(
                    ReconciliationSet(kept(both + mine)), ReconciliationSet(kept(both + theirs)), [manner],
                    frameBytesMax: frameBytesMax)
                let isTheSame = run.messages == alone.messages
                #expect(isTheSame)
            }
        }
    }

    @Test func itemsThatComeBetweenMessagesAreFoundOrLeftForTheNextTime() throws {
        var generator = SeededGenerator(seed: 3)
        let items = ReconciliationRun.items(3_000, timestamps: 1 << 40, using: &generator)
        var here = ReconciliationSet(Array(items.dropLast(100)))
        let there = ReconciliationSet(Array(items.dropFirst(100)))
        var next: [UInt8]? = initiator.begin(with: here)
        var rounds = 0
        while let question = next, rounds < 100 {
            for item in ReconciliationRun.items(20, timestamps: 1 << 40, using: &generator) { here.insert(item) }
            let answer = try responder.read(question, with: there).reply ?? []
            let step = try initiator.read(answer, with: here)
            // What it needs it lacked, and what it has it had.
            #expect(step.need.allSatisfy { id in !items.dropLast(100).contains { $0.id == id } })
            next = step.reply
            rounds += 1
        }
        #expect(next == nil)
    }
}
