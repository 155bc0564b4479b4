import LatticeSimulator
import Testing

/// Plans drawn from seeds; `tools/sweep` tries thousands.
@Suite struct PlanTests {
    /// A refactoring of the mesh must not change the traces. A change of behaviour does; put the new ones here.
    @Test func everyJudgeIsContentWithAHundredPlansAndTheEffectsAreAsTheyWere() {
        var traces: [String] = []
        for ten in UInt64(0)..<10 {
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

    /// Ten seeds each.
    private static let traces = [
        "394b2dc70f408ace", "938cb7fe0bd1f5ff", "f76c36c8614b833", "d39f7c7511723987", "9d4783909385b9e6",
        "1275ebd68c6de0b8", "eefd775d921b02f4", "7e79a9514d6f3cf5", "6f2eb639eaf574fd", "dd3e02f99e67a2aa",
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
