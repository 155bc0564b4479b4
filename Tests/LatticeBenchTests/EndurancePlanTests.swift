import Testing

@testable import lattice_bench

@Suite struct EndurancePlanTests {
    private static func plan(seed: UInt64, churn: Double = 10) -> EndurancePlan {
        EndurancePlan(peers: 8, steadfast: 3, lines: 12_000, rate: 20, churn: churn, seed: seed)
    }

    @Test func theSameSeedIsTheSamePlan() {
        #expect(Self.plan(seed: 4) == Self.plan(seed: 4))
        #expect(Self.plan(seed: 4) != Self.plan(seed: 5))
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func whoeverGoesComesBackAndSomeNeverGo(seed: UInt64) {
        let plan = Self.plan(seed: seed)
        var away: Set<Int> = []
        var (lines, last, leavings) = ([Int](), 0.0, 0)
        for step in plan.steps {
            #expect(step.at >= last)
            last = step.at
            switch step.act {
            case .say(let line, let peer):
                lines.append(line)
                #expect((0..<8).contains(peer))
            case .leave(let peer, _):
                leavings += 1
                #expect(peer >= 3 && away.insert(peer).inserted && step.at < plan.duration - EndurancePlan.calm)
            case .comeBack(let peer): #expect(away.remove(peer) != nil)
            }
        }
        #expect(away.isEmpty && lines == Array(0..<12_000) && leavings > 30)
        #expect(last <= plan.duration)
    }

    @Test func everyWayOfGoingIsTaken() {
        let ways: [EndurancePlan.Leaving] = Self.plan(seed: 1).steps.compactMap {
            if case .leave(_, let way) = $0.act { way } else { nil }
        }
        #expect(EndurancePlan.Leaving.allCases.allSatisfy(ways.contains))
    }

    @Test func withoutChurnNobodyGoes() {
        #expect(Self.plan(seed: 1, churn: 0).steps.count == 12_000)
    }
}
