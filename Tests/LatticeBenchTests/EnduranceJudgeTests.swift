import LatticeCore
import Testing

@testable import lattice_bench

/// The judge is judged: what leaks is seen, and what only wavers is not.
@Suite struct EnduranceJudgeTests {
    private let judge = EnduranceJudge()
    private static let hour = 3_600.0

    /// An hour of looks.
    private func series(_ kilobytes: (Double) -> Double) -> EnduranceSeries {
        var series = EnduranceSeries(duration: Self.hour)
        for look in 0..<720 { series.add(kilobytes(Double(look) * 5), at: Double(look) * 5) }
        return series
    }

    private func faults(lines: Int = 36_000, _ kilobytes: (Double) -> Double) -> [String] {
        judge.memory(of: "peer0", series(kilobytes), lines: lines, store: series { _ in 1_000 })
    }

    @Test func flatMemoryHolds() {
        var dice = SeededGenerator(seed: 3)
        #expect(faults { _ in 30_000 } == [])
        #expect(faults { _ in 30_000 + Double.random(in: 0...3_000, using: &dice) } == [])
        // What is used for the first time comes in the first quarter.
        #expect(faults { $0 < 800 ? 20_000 + $0 * 20 : 36_000 } == [])
        // One look in the middle of something large.
        #expect(faults { $0 == 3_000 ? 400_000 : 30_000 } == [])
    }

    @Test func memoryThatGrowsWithTheRecordsHoldsAndNoMore() {
        #expect(faults { 30_000 + $0 * 20 * 0.1 } == [])
        #expect(faults { 30_000 + $0 * 20 * 0.5 }.count == 2)
    }

    @Test func pagesOfTheStoreMayStayInMemoryUpToALimit() {
        let store = series { $0 * 12 }
        func grown(by kilobytesPerSecond: Double) -> [String] {
            let memory = series { 30_000 + $0 * kilobytesPerSecond }
            return judge.memory(of: "peer0", memory, lines: 36_000, store: store)
        }
        #expect(grown(by: 13) == [] && grown(by: 14).count == 2)
    }

    @Test func aLeakIsSeen() {
        // One and a half KiB a line of twenty a second.
        #expect(
            faults { 30_000 + $0 * 30 } == [
                "the memory of peer0 grew by 54000 KiB, 8596 are allowed",
                "the memory of peer0 grows by 1800 KiB a minute",
            ])
        // Of somebody who hears nothing: half a MiB a minute.
        #expect(faults(lines: 0) { 30_000 + $0 * 8.7 }.count == 2)
        // It begins late.
        #expect(faults { $0 < 1_800 ? 30_000 : 30_000 + ($0 - 1_800) * 20 }.count == 2)
        // All at once.
        #expect(faults { $0 < 2_500 ? 30_000 : 60_000 }.count == 2)
    }

    @Test func whoWasNotLookedAtIsNotFoundWell() {
        var few = EnduranceSeries(duration: Self.hour)
        few.add(1, at: 10)
        #expect(
            judge.memory(of: "peer0", few, lines: 1, store: few) == [
                "the memory of peer0 was not looked at often enough"
            ])
    }

    @Test func aSlopeIsThatOfTheTimeAfterTheFirstQuarter() {
        #expect(abs(series { $0 < 900 ? $0 * 1_000 : 900_000 + ($0 - 900) * 2 }.slopePerMinute - 120) < 0.001)
        #expect(EnduranceSeries(duration: 1).slopePerMinute == 0)
    }

    @Test func oneDescriptorMoreIsSeen() {
        let before = EnduranceRest(sockets: 2, pipes: 4, storeFiles: 6, others: 9, threads: 7)
        var after = before
        after.threads += 4
        #expect(judge.descriptors(of: "peer1", before: before, after: after) == [])
        #expect(before.isLike(after))
        after.sockets += 1
        #expect(
            judge.descriptors(of: "peer1", before: before, after: after) == [
                "peer1 has 3 sockets open at rest, and had 2"
            ])
        #expect(!before.isLike(after))
        after = before
        after.storeFiles -= 1
        after.threads += 5
        #expect(judge.descriptors(of: "peer1", before: before, after: after).count == 2)
    }

    @Test func linesThatComeLaterAndLaterAreSeen() {
        let quick = (0..<100).map { 2 + Double($0) / 10 }
        #expect(judge.delays(first: quick, last: quick.map { $0 * 1.9 }) == [])
        #expect(judge.delays(first: quick, last: quick.map { $0 * 5 }).count == 2)
        // A tenth of them only.
        #expect(
            judge.delays(first: quick, last: Array(quick.prefix(90)) + [Double](repeating: 500, count: 10)).count == 1)
        // Below this nobody sees a difference.
        #expect(judge.delays(first: [0.5], last: [9]) == [])
        #expect(judge.delays(first: [], last: [1]).count == 1)
        #expect(judge.delays(first: [1], last: []).count == 1)
    }

    @Test func onAMachineThatOthersUseNobodyIsBlamed() {
        #expect(judge.isQuiet(series { _ in 1.1 }))
        #expect(judge.isQuiet(series { $0.truncatingRemainder(dividingBy: 50) == 0 ? 20 : 1 }))
        #expect(!judge.isQuiet(series { $0 > 2_800 ? 3 : 1 }) && !judge.isQuiet(series { $0 < 800 ? 3 : 1 }))
        #expect(!judge.isQuiet(EnduranceSeries(duration: 60)))
    }

    @Test func aClockThatRunsAheadIsSeen() {
        #expect(judge.clock(ahead: 3) == [])
        #expect(judge.clock(ahead: 251) == ["lines are dated 251 ms ahead of the machine's clock"])
    }

    @Test func aLineThatIsLostOrRepeatedOrInSomeStoresOnlyIsSeen() {
        let whole = EnduranceBooks(isAcknowledged: [true, true, false, false], kept: [[1, 1, 1, 0], [1, 1, 1, 0]])
        #expect(whole.faults == [])
        var books = whole
        books.kept[1][1] = 0
        #expect(books.faults == ["1 lines are missing in somebody's store"] && books.lost == 1)
        books = whole
        books.kept[0][2] = 2
        #expect(books.faults == ["1 lines are more than once in somebody's store"] && books.repeated == 1)
        books = whole
        books.kept[0][3] = 1
        #expect(books.faults == ["1 lines that no front received are in some stores only"] && books.apart == 1)
    }

    @Test func aLineTellsWhichItIs() {
        #expect(EnduranceLedger.text(of: 12, bytes: 20).utf8.count == 20)
        #expect(EnduranceLedger.line(in: EnduranceLedger.text(of: 12, bytes: 20)) == 12)
        #expect(EnduranceLedger.line(in: "12") == nil && EnduranceLedger.line(in: "endure-") == nil)
    }

    /// What only those heard who may forget it is not safe.
    @Test func whatNobodyKeepsIsNotElsewhere() {
        let ledger = EnduranceLedger(lines: 2, duration: 60)
        ledger.typed(0, isSteadfast: true)
        #expect(ledger.isElsewhere([0]))
        ledger.acknowledged(0, dated: nil)
        #expect(!ledger.isElsewhere([0]))
        ledger.heard(0, isFresh: true, isSteadfast: false)
        #expect(!ledger.isElsewhere([0, 1]))
        ledger.heard(0, isFresh: true, isSteadfast: true)
        #expect(ledger.isElsewhere([0, 1]))
        #expect(ledger.isAcknowledged == [true, false] && ledger.typedCount == 1)
    }
}
