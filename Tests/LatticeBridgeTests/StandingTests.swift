import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeBridge

/// What a bridge reports.
@Suite struct StandingTests {
    private static func minute(_ minutes: Int64) -> WallTime { WallTime(milliseconds: minutes * 60_000) }

    private var complete: BridgeStatus {
        var status = BridgeStatus()
        (status.isLive, status.behind) = (true, [.week: 0, .month: 0, .year: 0])
        return status
    }

    @Test func aBridgeThatNeverReachedItsBrokerSaysSinceWhen() {
        var standing = BridgeStanding(BridgeEngine(.nats), broker: "nats://broker:4222", startedAt: Self.minute(0))
        var first = BridgeReport(BridgeEngine(.nats), broker: "nats://broker:4222")
        first.startedAt = Self.minute(0)
        #expect(standing.report == first)
        let why = BridgeReport.Obstacle(BrokerFault.unreachable("cannot connect"))
        for minute in Int64(1)...3 { standing.stopped(why, at: Self.minute(minute)) }
        #expect(standing.report.lostAt == Self.minute(1) && !standing.report.isConnected)
        #expect(standing.report.obstacleIn == why && why.code == .unreachable && why.words == "cannot connect")
        standing.connected()
        #expect(standing.report.isConnected && standing.report.lostAt == nil && standing.report.obstacleIn == nil)
    }

    @Test func aBrokerThatGoesIsNotReachableUntilItIsBack() {
        var standing = BridgeStanding(BridgeEngine(.nats), broker: nil, startedAt: Self.minute(0))
        standing.connected()
        var status = complete
        status.behind[.month] = 7
        standing.note(status, isComplete: false, feed: 3, at: Self.minute(0))
        #expect(standing.report.behindIn == 7 && standing.report.feed == 3 && standing.report.isConnected)
        status.obstacleIn = .broker(.unreachable("no answer"))
        for minute in Int64(1)...2 { standing.note(status, isComplete: false, feed: 3, at: Self.minute(minute)) }
        #expect(standing.report.lostAt == Self.minute(1) && !standing.report.isConnected)
        #expect(standing.report.behindIn == nil && standing.report.feed == 3, "what waits here is known")
        standing.stopped(BridgeReport.Obstacle(BrokerFault.closed("no answer")), at: Self.minute(3))
        #expect(standing.report.lostAt == Self.minute(1) && standing.report.feed == nil)
        standing.connected()
        standing.note(complete, isComplete: true, feed: 1, at: Self.minute(4))
        #expect(standing.report.isComplete && standing.report.behindIn == 0 && standing.report.lostAt == nil)
    }

    @Test func aBrokerThatRefusesUsIsThere() {
        var standing = BridgeStanding(BridgeEngine(.nats), broker: nil, startedAt: Self.minute(0))
        standing.stopped(BridgeReport.Obstacle(BrokerFault.refused("the password")), at: Self.minute(0))
        #expect(standing.report.lostAt == nil && !standing.report.isConnected)
        #expect(standing.report.obstacleIn?.code == .refused)
        standing.connected()
        var status = complete
        (status.obstacleIn, status.obstacleOut) = (.nodeBusy, .full)
        standing.note(status, isComplete: false, feed: nil, at: Self.minute(1))
        #expect(standing.report.isConnected && standing.report.lostAt == nil)
        #expect(standing.report.obstacleIn?.code == .nodeBusy && standing.report.obstacleOut?.code == .full)
    }

    @Test func countsGoOnOverConnections() {
        var standing = BridgeStanding(BridgeEngine(.nats), broker: nil, startedAt: Self.minute(0))
        var status = complete
        (status.taken.added, status.taken.refused) = (5, 1)
        (status.published.stored, status.published.repeated) = (2, 3)
        status.clockAhead = .seconds(94)
        for round in 1...3 {
            standing.connected()
            for _ in 1...2 { standing.note(status, isComplete: true, feed: 1, at: Self.minute(0)) }
            #expect(standing.report.taken == .init(added: 5 * round, refused: round))
            #expect(standing.report.published == .init(stored: 2 * round, repeated: 3 * round))
        }
        standing.note(complete, isComplete: true, feed: 1, at: Self.minute(1))
        #expect(standing.report.clockAhead == .seconds(94), "it was measured, and nothing says otherwise")
    }
}

/// The difference to the broker's clock.
@Suite struct BrokerClockTests {
    private let one = RecordID(Bytes32(words: (1, 0, 0, 0)))
    private let two = RecordID(Bytes32(words: (2, 0, 0, 0)))

    private static func at(_ milliseconds: Int64) -> WallTime { WallTime(milliseconds: 1_000_000 + milliseconds) }

    /// What was sent at 0 and answered at 20.
    private func measured(storedAt: Int64, isEarly: Bool, _ outcome: PublishOutcome = .stored) -> Duration? {
        var clock = BrokerClock()
        clock.sends(one, at: Self.at(0))
        if isEarly { clock.came(one, storedAt: Self.at(storedAt).milliseconds) }
        clock.answered(one, outcome, at: Self.at(20))
        if !isEarly { clock.came(one, storedAt: Self.at(storedAt).milliseconds) }
        return clock.ahead
    }

    @Test(arguments: [true, false])
    func theDifferenceIsKnownOnceItIsAnsweredAndBack(isEarly: Bool) {
        for stored in [Int64(0), 10, 20] { #expect(measured(storedAt: stored, isEarly: isEarly) == .zero) }
        #expect(measured(storedAt: 94_020, isEarly: isEarly) == .seconds(-94), "the broker's is ahead")
        #expect(measured(storedAt: -94_000, isEarly: isEarly) == .seconds(94))
    }

    @Test func onlyWhatWasStoredNowTellsSomething() {
        for outcome in [PublishOutcome.known, .full, .failed("x")] {
            #expect(measured(storedAt: 94_000, isEarly: false, outcome) == nil)
            #expect(measured(storedAt: 94_000, isEarly: true, outcome) == nil)
        }
        var clock = BrokerClock()
        clock.came(one, storedAt: 0)
        clock.sends(nil, at: Self.at(0))
        clock.answered(nil, nil, at: Self.at(1))
        clock.sends(one, at: Self.at(0))
        clock.came(one, storedAt: nil)
        clock.came(two, storedAt: 0)
        clock.answered(two, .stored, at: Self.at(1))
        #expect(clock.ahead == nil)
    }

    /// Records that are published without a pause do not push out the one that is under way.
    @Test func oneIsWaitedForButNotForever() {
        var clock = BrokerClock()
        clock.sends(one, at: Self.at(0))
        clock.answered(one, .stored, at: Self.at(10))
        clock.sends(two, at: Self.at(20))
        clock.came(one, storedAt: Self.at(5_010).milliseconds)
        #expect(clock.ahead == .seconds(-5))
        clock.sends(one, at: Self.at(30))
        clock.sends(two, at: Self.at(90_000))
        clock.answered(two, .stored, at: Self.at(90_000))
        clock.came(two, storedAt: Self.at(90_000).milliseconds)
        #expect(clock.ahead == .zero)
    }
}
