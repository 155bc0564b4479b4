import LatticeSimulator
import Testing

/// Plans drawn from seeds, over hundreds of them.
@Suite struct PlanTests {
    @Test func everyJudgeIsContentWithHundredsOfPlans() {
        for seed in UInt64(0)..<150 {
            var trial = Trial(Plan.random(seed: seed))
            let faults = trial.faults()
            #expect(faults == [], "lattice-sim replay \(seed) --trace")
            if !faults.isEmpty { return }
        }
    }

    @Test func oneSeedIsOnePlanAndOneStory() {
        func story(_ seed: UInt64) -> [String] {
            let plan = Plan.random(seed: seed)
            var lines = ["\(plan)"]
            var trial = Trial(plan)
            lines += trial.faults { lines += $0 }.map(\.description)
            return lines
        }
        for seed in UInt64(0)..<5 {
            #expect(story(seed) == story(seed))
            #expect(story(seed).count > 10)
        }
        #expect(story(1) != story(2))
    }

    @Test func thePlanSaysWhatBefallsWhomInTheOrderOfTime() {
        let text = "\(Plan.random(seed: 3))"
        #expect(text.hasPrefix("seed 3: "))
        #expect(text.contains("the storm is over"))
        #expect(text.hasSuffix("the end"))
    }
}
