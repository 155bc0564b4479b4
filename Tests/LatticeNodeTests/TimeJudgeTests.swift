import LatticeCore
import Testing

@testable import LatticeNode

/// What is reported about this machine's clock and those of neighbours.
struct TimeJudgeTests {
    private let ours = WallTime(milliseconds: 1_800_000_000_000)
    private let wrong = WallTime(milliseconds: 12_000)
    private let bob = PeerID(Bytes32([UInt8](repeating: 1, count: 32)) ?? .zero)
    private let carol = PeerID(Bytes32([UInt8](repeating: 2, count: 32)) ?? .zero)

    private func at(_ seconds: Int64) -> Instant { Instant.zero.advanced(by: .seconds(seconds)) }

    private func later(_ seconds: Int64) -> WallTime { WallTime(milliseconds: ours.milliseconds + seconds * 1_000) }

    @Test func aWrongClockIsReportedOnceAndThenWhoseIsUsed() {
        var (judge, wallClock) = (TimeJudge(start: .zero), WallClock(start: .zero))
        let counted = judge.look(&wallClock, machine: wrong, at: at(1))
        #expect(counted.news == [.wrong(machine: wrong, used: wallClock.time(machine: wrong, at: at(1)), of: nil)])
        #expect(judge.look(&wallClock, machine: wrong, at: at(2)).news == [])
        let lent = judge.linked(bob, clock: ours, &wallClock, machine: wrong, at: at(3))
        #expect(lent == [.wrong(machine: wrong, used: ours, of: bob)])
        // A second neighbour with the same clock causes no second notice.
        #expect(judge.linked(carol, clock: ours, &wallClock, machine: wrong, at: at(4)) == [])
        #expect(judge.look(&wallClock, machine: later(2), at: at(5)).news == [.recovered])
        #expect(judge.look(&wallClock, machine: later(3), at: at(6)).news == [])
    }

    @Test func aJumpIsReportedOnceInItsHoldTimeAndRevivesEachTime() {
        var (judge, wallClock) = (TimeJudge(start: .zero), WallClock(start: .zero))
        let day: Int64 = 86_400
        let looks: [(time: Int64, at: Int64)] = [(0, 1), (day, 2), (1, 3), (day, 1_700), (0, 1_900)]
        let found = looks.map { judge.look(&wallClock, machine: later($0.time), at: at($0.at)) }
        #expect(found.map(\.hasLeapt) == [false, true, true, true, true])
        #expect(found.map(\.news.count) == [0, 1, 0, 0, 1])
    }

    @Test func aNeighboursClockIsReportedOnce() {
        var (judge, wallClock) = (TimeJudge(start: .zero), WallClock(start: .zero))
        let ahead = judge.linked(bob, clock: later(2_580), &wallClock, machine: ours, at: at(1))
        #expect(ahead == [.theirs(.seconds(2_580), bob)])
        #expect(judge.linked(bob, clock: later(2_580), &wallClock, machine: ours, at: at(1)) == [])
        let outvoted = judge.linked(carol, clock: later(2_580), &wallClock, machine: ours, at: at(1))
        #expect(outvoted == [.ours(.seconds(-2_580), peers: 2)])
    }
}
