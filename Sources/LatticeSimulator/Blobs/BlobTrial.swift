/// Runs a plan about blobs and judges it: safety throughout, the rest at the end.
package struct BlobTrial {
    package private(set) var world: BlobWorld
    private let plan: BlobPlan

    package init(_ plan: BlobPlan) {
        self.plan = plan
        world = BlobWorld(plan)
    }

    /// Runs to the end, to the first safety fault, or until everybody has what they want.
    ///
    /// - Parameter listener: gets the story in portions of a simulated second; without it no story is recorded.
    /// - Returns: the faults found.
    package mutating func faults(telling listener: (([String]) -> Void)? = nil) -> [Fault] {
        world.story.isOn = listener != nil
        while world.milliseconds < plan.end {
            world.run(until: min(world.milliseconds + 1_000, plan.end))
            listener?(world.story.take())
            if !world.judge.faults.isEmpty { return world.judge.faults }
            // What is still on its way may be false or too much.
            if let time = world.contentAt, world.milliseconds >= time + Self.echo { break }
        }
        return world.ending()
    }

    /// In milliseconds.
    private static let echo: Int64 = 5_000
}
