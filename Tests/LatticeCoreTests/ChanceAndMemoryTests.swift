import LatticeCore
import Testing

struct ChanceAndMemoryTests {
    /// The reference implementations of SplitMix64 and xoshiro256**, in another language.
    static let firstWords: [(seed: UInt64, words: [UInt64])] = [
        (0, [0x99EC_5F36_CB75_F2B4, 0xBF6E_1F78_4956_452A, 0x1A5F_849D_4933_E6E0, 0x6AA5_94F1_262D_2D2C]),
        (1, [0xB3F2_AF6D_0FC7_10C5, 0x853B_5596_4736_4CEA, 0x92F8_9756_082A_4514, 0x642E_1C7B_C266_A3A7]),
        (42, [0x1578_0B2E_0C2E_C716, 0x6104_D986_6D11_3A7E, 0xAE17_5332_39E4_99A1, 0xECB8_AD47_03B3_60A1]),
    ]

    @Test(arguments: firstWords)
    func aSeedIsAlwaysTheSameRun(seed: UInt64, expected: [UInt64]) {
        var dice = SeededGenerator(seed: seed)
        #expect((0..<4).map { _ in dice.next() } == expected)
    }

    @Test func aCopyOfTheGeneratorGoesTheSameWay() {
        var dice = SeededGenerator(seed: 3)
        var copy = dice
        #expect((0..<10).map { _ in dice.next() } == (0..<10).map { _ in copy.next() })
    }

    @Test func theOldestIsForgottenFirst() {
        var set = RecentSet<Int>(countMax: 3)
        let areNew = [1, 2, 3, 1, 4].map { set.insert($0) }
        #expect(areNew == [true, true, true, false, true])
        #expect((1...4).map(set.contains) == [false, true, true, true])
        #expect(set.count == 3)
        let isNewAgain = set.insert(1)
        #expect(isNewAgain)
        #expect((1...4).map(set.contains) == [true, false, true, true])
    }

    @Test func aSetOfOneRemembersTheLast() {
        var set = RecentSet<String>(countMax: 1)
        let areNew = ["a", "b", "b", "a"].map { set.insert($0) }
        #expect(areNew == [true, true, false, true])
        #expect(set.count == 1)
    }

    @Test func theSetNeverGrowsBeyondItsLimit() {
        var set = RecentSet<UInt64>(countMax: 50)
        var dice = SeededGenerator(seed: 9)
        for _ in 0..<5_000 {
            let element = UInt64.random(in: 0..<200, using: &dice)
            let wasThere = set.contains(element)
            let isNew = set.insert(element)
            #expect(isNew == !wasThere)
            #expect(set.contains(element) && set.count <= 50)
        }
    }
}
