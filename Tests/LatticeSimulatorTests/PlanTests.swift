import LatticeSimulator
import Testing

/// Plans drawn from seeds, over hundreds of them.
@Suite struct PlanTests {
    /// What is changed in the mesh and is to change nothing that it does leaves the traces as they are; any other change is to be
    /// seen here, and puts in the new ones.
    @Test func everyJudgeIsContentWithHundredsOfPlansAndTheEffectsAreAsTheyWere() {
        var traces: [String] = []
        for ten in UInt64(0)..<15 {
            var trace = EffectTrace()
            for seed in ten * 10..<ten * 10 + 10 {
                var trial = Trial(Plan.random(seed: seed), isTraced: true)
                let faults = trial.faults()
                #expect(faults == [], "lattice-sim replay \(seed) --trace")
                if !faults.isEmpty { return }
                trace.add(trial.world.effectTrace?.value ?? 0)
            }
            traces.append("\(trace)")
        }
        #expect(traces == Self.traces)
    }

    /// Of ten seeds each.
    private static let traces: [String] = [
    ]

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
