import LatticeCore
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// When keys are made, told and destroyed.
struct PrekeyPlanTests {
    private static let start: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour

    private static func at(_ milliseconds: Int64) -> WallTime {
        WallTime(milliseconds: start + milliseconds)
    }

    /// One rotating key, id 0, and 32 one-time keys, ids 1…32, all made and published at the start.
    private struct Ring {
        var kept: [StoredPrekey]

        init() {
            kept = (0...32).map { id in
                StoredPrekey(
                    prekey: Prekey(id: UInt64(id), key: .zero), sealed: [], isRotating: id == 0, made: at(0))
            }
        }

        mutating func use(_ id: Int, at milliseconds: Int64) {
            change(id, used: at(milliseconds))
        }

        mutating func change(_ id: Int, used: WallTime? = nil, replaced: WallTime? = nil) {
            let key = kept[id]
            kept[id] = StoredPrekey(
                prekey: key.prekey, sealed: key.sealed, isRotating: key.isRotating, made: key.made, used: used,
                replaced: replaced)
        }

        func plan(at milliseconds: Int64, ranFor: Duration = .seconds(600)) -> PrekeyPlan {
            let all = Ring().kept.map(\.prekey)
            return PrekeyPlan(
                kept, published: (PrekeysBody(rotating: all[0], oneTime: Array(all[1...])), at(0)),
                at: at(milliseconds), ranFor: ranFor)
        }
    }

    @Test func whoHasNothingMakesAllAndPublishesIt() {
        let plan = PrekeyPlan([], published: nil, at: Self.at(0), ranFor: .zero)
        #expect(plan.makesRotating && plan.publishes && plan.oneTimeToMake == 32)
        #expect(plan.destroyed.isEmpty && plan.oneTime.isEmpty && plan.rotating == nil)
    }

    @Test func whatIsFreshIsLeftAlone() {
        for time in [0, Self.hour, Self.day, 6 * Self.day] {
            let plan = Ring().plan(at: time)
            #expect(!plan.publishes && plan.destroyed.isEmpty && plan.oneTimeToMake == 0)
        }
    }

    @Test func aUsedKeyLeavesTheListWithinTheHourAndIsDestroyedAfterADay() {
        var ring = Ring()
        ring.use(5, at: 0)
        #expect(!ring.plan(at: Self.hour - 1).publishes)
        let after = ring.plan(at: Self.hour)
        #expect(after.publishes && after.oneTimeToMake == 1 && !after.makesRotating)
        #expect(!after.oneTime.map(\.id).contains(5) && after.oneTime.count == 31)
        #expect(ring.plan(at: Self.day - 1).destroyed.isEmpty)
        #expect(ring.plan(at: Self.day).destroyed == [5])
    }

    @Test func whenHalfAreGoneTheyArePublishedAtOnce() {
        var ring = Ring()
        for id in 1...16 { ring.use(id, at: 0) }
        #expect(!ring.plan(at: 1).publishes)
        ring.use(17, at: 0)
        let plan = ring.plan(at: 1)
        #expect(plan.publishes && plan.oneTimeToMake == 17)
    }

    @Test func theRotatingKeyIsExchangedDailyIfUsedAndElseWeekly() {
        var ring = Ring()
        #expect(!ring.plan(at: 7 * Self.day - 1).makesRotating)
        #expect(ring.plan(at: 7 * Self.day).makesRotating)
        ring.use(0, at: 1)
        #expect(!ring.plan(at: Self.day - 1).makesRotating)
        #expect(ring.plan(at: Self.day).makesRotating)
    }

    @Test func aReplacedKeyIsDestroyedAfterFiveDays() {
        var ring = Ring()
        ring.change(0, replaced: Self.at(Self.day))
        #expect(ring.plan(at: 6 * Self.day - 1).destroyed.isEmpty)
        #expect(ring.plan(at: 6 * Self.day).destroyed == [0])
    }

    @Test func nothingIsDestroyedBeforeWhatWaitedWasOpened() {
        var ring = Ring()
        ring.use(5, at: 0)
        #expect(ring.plan(at: 40 * Self.day, ranFor: .seconds(599)).destroyed.isEmpty)
        #expect(ring.plan(at: 40 * Self.day).destroyed.count == 32)
    }

    @Test func anUnusedKeyIsListedForTwentyThreeDaysAndKeptForThirty() {
        let ring = Ring()
        #expect(ring.plan(at: 23 * Self.day - 1).oneTime.count == 32)
        #expect(ring.plan(at: 23 * Self.day).oneTime.isEmpty)
        #expect(ring.plan(at: 30 * Self.day - 1).destroyed.isEmpty)
        #expect(ring.plan(at: 30 * Self.day).destroyed.count == 32)
    }

    /// Somebody has used up a thousand keys today.
    @Test func whoUsesUpKeysForSpiteHasNoMoreMadeThanADayMayCost() {
        func plan(used count: Int, at milliseconds: Int64 = 0) -> PrekeyPlan {
            var kept = Array(Ring().kept.prefix(1))
            for id in 1...count {
                kept.append(
                    StoredPrekey(
                        prekey: Prekey(id: UInt64(id), key: .zero), sealed: [], isRotating: false, made: Self.at(0),
                        used: Self.at(0)))
            }
            let body = PrekeysBody(rotating: kept[0].prekey, oneTime: [])
            return PrekeyPlan(kept, published: (body, Self.at(0)), at: Self.at(milliseconds), ranFor: .seconds(600))
        }
        #expect(plan(used: 992).oneTimeToMake == 32)
        let last = plan(used: 1_000)
        #expect(last.publishes && last.oneTimeToMake == 24)
        for used in [1_009, 1_024, 1_056] {
            let plan = plan(used: used)
            #expect(!plan.publishes && plan.oneTimeToMake == 0, "\(used)")
        }
        // A day later those are destroyed, and then there is room.
        #expect(plan(used: 1_024, at: Self.day).destroyed.count == 1_024)
    }
}
