/// A complete trial: the peers, the incidents, and the time by which everything required must have happened.
package struct Plan: Sendable, CustomStringConvertible {
    package var topology: Topology
    package var seed: UInt64
    package var network = NetworkConditions()
    package var settings = MeshSettings()
    package var sabotage = Sabotage.none
    package var isPresenceOn = true
    /// One for each peer; empty if the plan is not about stores.
    package var stores: [StoreSettings] = []
    package var weather: [Weather] = []
    /// Lines said from this time on must arrive; in milliseconds.
    package var linesSince: Int64
    /// When the liveness judges look, in milliseconds.
    package var end: Int64

    package init(_ topology: Topology, seed: UInt64, linesSince: Int64, end: Int64) {
        self.topology = topology
        self.seed = seed
        self.linesSince = linesSince
        self.end = end
    }

    package var world: World {
        var world = World(
            topology, seed: seed, network: network, settings: settings, sabotage: sabotage, isPresenceOn: isPresenceOn,
            stores: stores)
        world.plan(weather)
        return world
    }

    package var description: String {
        var lines = ["seed \(seed): \(topology)"]
        lines.append(
            "latency \(network.latency) ms, jitter \(network.jitter) ms, of 1000 frames \(network.lossPerMille) lost, "
                + "\(network.duplicationPerMille) doubled, \(network.reorderingPerMille) overtaken, "
                + "TTL \(settings.timeToLive), sabotage \(sabotage.rawValue)")
        for (peer, store) in stores.enumerated() where store != StoreSettings() {
            lines.append("peer \(peer) keeps \(store)")
        }
        for event in weather.sorted(by: { $0.time < $1.time }) {
            lines.append("\(Story.clock(event.time))  \(event)")
        }
        lines.append("\(Story.clock(linesSince))  from here on every line is promised to arrive")
        lines.append("\(Story.clock(end))  the end")
        return lines.joined(separator: "\n")
    }
}

/// Runs a plan and judges it: safety throughout, liveness at the end.
package struct Trial {
    package private(set) var world: World
    private let plan: Plan

    /// - Parameter isTraced: whether `world.effectTrace` is recorded.
    package init(_ plan: Plan, isTraced: Bool = false) {
        self.plan = plan
        world = plan.world
        if isTraced { world.effectTrace = EffectTrace() }
    }

    /// Runs to the end, or to the first safety fault.
    ///
    /// - Parameter listener: gets the story in portions of a simulated second; without it no story is recorded.
    /// - Returns: the faults found.
    package mutating func faults(telling listener: (([String]) -> Void)? = nil) -> [Fault] {
        world.story.isOn = listener != nil
        while world.milliseconds < plan.end {
            world.run(until: min(world.milliseconds + 1_000, plan.end))
            listener?(world.story.take())
            if !world.faults.isEmpty { return world.faults }
        }
        let found = livenessFaults
        guard !found.isEmpty else { return [] }
        // A handshake may be in progress at any moment, so only what is still wrong after it counts.
        world.run(until: plan.end + Self.secondLook)
        listener?(world.story.take())
        let still = Set(livenessFaults.map(\.matter))
        return found.filter { still.contains($0.matter) }
    }

    private var livenessFaults: [Fault] {
        LivenessJudge.faults(of: world, linesSince: plan.linesSince) + StoreLiveness.faults(of: world)
    }

    /// Longer than an invitation can take, in milliseconds.
    private static let secondLook: Int64 = 15_000
}
