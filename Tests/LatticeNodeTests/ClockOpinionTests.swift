import LatticeCore
import Testing

@testable import LatticeNode

/// Whose clock is off, and whose is borrowed.
struct ClockOpinionTests {
    private let ours = WallTime(milliseconds: 1_800_000_000_000)
    private let now = Instant.zero.advanced(by: .seconds(500))
    private let minute: Int64 = 60_000

    private func peer(_ number: UInt8) -> PeerID {
        PeerID(Bytes32([UInt8](repeating: number, count: 32)) ?? .zero)
    }

    /// Neighbours whose clocks are ahead of ours by these minutes.
    private func opinions(_ minutes: [Int64]) -> ClockOpinions {
        var opinions = ClockOpinions()
        for (index, minutes) in minutes.enumerated() {
            opinions.linked(peer(UInt8(index)), clock: shifted(minutes), at: now)
        }
        return opinions
    }

    private func shifted(_ minutes: Int64) -> WallTime {
        WallTime(milliseconds: ours.milliseconds + minutes * minute)
    }

    @Test(arguments: [1, -1, 0]) func ordinaryClocksAreNotTold(minutes: Int64) {
        var opinions = opinions([minutes])
        #expect(opinions.verdict(on: peer(0), ours: ours, at: now) == nil)
    }

    @Test func anotherClockIsToldOnceForEachDirection() {
        var opinions = opinions([43])
        #expect(opinions.verdict(on: peer(0), ours: ours, at: now) == .theirs(.seconds(43 * 60)))
        #expect(opinions.verdict(on: peer(0), ours: ours, at: now) == nil)
        opinions.linked(peer(0), clock: shifted(-5), at: now)
        #expect(opinions.verdict(on: peer(0), ours: ours, at: now) == .theirs(.seconds(-5 * 60)))
        opinions.linked(peer(0), clock: shifted(43), at: now)
        #expect(opinions.verdict(on: peer(0), ours: ours, at: now) == nil)
    }

    @Test func whereTwoOthersAgreeItIsOurs() {
        var opinions = opinions([43, 43])
        #expect(opinions.verdict(on: peer(1), ours: ours, at: now) == .ours(.seconds(-43 * 60), peers: 2))
        opinions.linked(peer(2), clock: shifted(43), at: now)
        #expect(opinions.verdict(on: peer(2), ours: ours, at: now) == nil, "once is enough")
    }

    @Test func aLeapOfOurOwnDoesNotChangeWhatOthersSaid() {
        var opinions = opinions([0, 0, 0])
        let leapt = shifted(90)
        #expect(opinions.verdict(on: peer(0), ours: leapt, at: now) == .ours(.seconds(90 * 60), peers: 3))
    }

    @Test func twoThatAgreeWithOneAnotherDoNotOutvoteThreeThatAgreeWithUs() {
        var opinions = opinions([0, 0, 1, 43, 43])
        #expect(opinions.verdict(on: peer(4), ours: ours, at: now) == .theirs(.seconds(43 * 60)))
    }

    @Test func aPresenceThatSomebodyKeptForAMinuteSaysNothingAlone() {
        var opinions = ClockOpinions()
        // Its copies come over every link.
        for _ in 0..<3 { opinions.heard(peer(0), said: shifted(-3), at: now) }
        #expect(opinions.verdict(on: peer(0), ours: ours, at: now) == nil)
        opinions.heard(peer(0), said: shifted(0), at: now)
        #expect(opinions.verdict(on: peer(0), ours: ours, at: now) == nil)
        for minutes: Int64 in [-44, -43] { opinions.heard(peer(1), said: shifted(minutes), at: now) }
        #expect(opinions.verdict(on: peer(1), ours: ours, at: now) == .theirs(.seconds(-43 * 60)))
    }

    @Test func clocksThatSayNothingAreNotReckonedWith() {
        var opinions = ClockOpinions()
        for milliseconds in [Int64.max, Int64.min, 1 << 50] {
            opinions.linked(peer(0), clock: WallTime(milliseconds: milliseconds), at: now)
            #expect(opinions.verdict(on: peer(0), ours: ours, at: now) == nil)
            #expect(opinions.lender(at: now) == nil)
        }
    }

    @Test func theMedianOfClocksThatMayBeRightIsLent() {
        var opinions = opinions([0, 9, 500_000])
        opinions.linked(peer(9), clock: WallTime(milliseconds: 0), at: now)
        #expect(opinions.lender(at: now)?.time == shifted(9))
        #expect(opinions.lender(at: now)?.peer == peer(1))
        opinions.unlinked(peer(1))
        #expect(opinions.lender(at: now)?.time == shifted(0))
        for number: UInt8 in [0, 2] { opinions.unlinked(peer(number)) }
        #expect(opinions.lender(at: now) == nil, "1970 is nobody's time")
    }

    @Test func soManyAreRememberedAndNeighboursFirst() {
        var opinions = opinions([43])
        for number in 1..<ClockOpinions.peersMax * 2 {
            let stranger = PeerID(Bytes32((0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8)) }) ?? .zero)
            for minutes: Int64 in [-1, 0] { opinions.heard(stranger, said: shifted(minutes), at: now) }
        }
        #expect(opinions.agreeing(with: shifted(43), within: .seconds(1), at: now) == 1)
    }

    // MARK: Expiry

    @Test func nothingExpiresInTheFirstMinuteOrWhileTheClockLeapt() {
        var judge = TimeJudge(start: now)
        func mayExpire(_ seconds: Int64) -> Bool {
            judge.mayExpire(time: ours, source: .machine, at: now.advanced(by: .seconds(seconds)))
        }
        #expect(!mayExpire(59))
        #expect(mayExpire(60))
        _ = judge.leaps.look(ours, at: now)
        _ = judge.leaps.look(shifted(86_400), at: now.advanced(by: .seconds(1)))
        #expect(!mayExpire(60))
        #expect(mayExpire(1 + 1_800))
    }

    @Test(arguments: [
        ([0, 0], true), ([-70], true), ([-70, -75], false), ([-70, -90], true), ([-70, -75, 0, 0, 0], false),
        ([-50, -50], true),
    ])
    func nothingExpiresWhileTwoNeighboursSayItIsEarlier(minutes: [Int64], mayExpire: Bool) {
        var judge = TimeJudge(start: .zero)
        judge.opinions = opinions(minutes)
        #expect(judge.mayExpire(time: ours, source: .machine, at: now) == mayExpire)
    }

    @Test func nothingExpiresByATimeThatNobodyShares() {
        var judge = TimeJudge(start: .zero)
        #expect(!judge.mayExpire(time: ours, source: .counted, at: now))
        judge.opinions = opinions([0])
        #expect(!judge.mayExpire(time: ours, source: .lent(peer(0)), at: now))
        judge.opinions = opinions([0, 1])
        #expect(judge.mayExpire(time: ours, source: .lent(peer(0)), at: now))
    }
}
