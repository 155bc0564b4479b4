import LatticeSimulator
import Testing

/// Plans drawn from seeds, over hundreds of them.
@Suite struct PlanTests {
    /// A refactoring of the mesh must not change the traces. A change of behaviour does; put the new ones here.
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

    /// Ten seeds each.
    private static let traces = [
        "80f79efe7f671b5", "6ad2bea3898eed27", "d46a63172764634c", "3156c7f318d27a0a", "a1268dec90e65d99",
        "17daccc414524318", "a34ca7daa08ab2b0", "9da73ab265736f3", "8b65598aa25b252f", "b3e9a9d95ce3a0d",
        "2b7a7268afb1438", "e1a65ad1d2858546", "4b917d4a03dc8b4f", "b359e4c615c1abda", "e1047c4b9097b8f1",
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
