import ArgumentParser
import LatticeSimulator

struct MeshArguments: ParsableArguments {
    @Option(help: ArgumentHelp("TTL of a line, in hops.", valueName: "1-64"))
    var ttl = 32

    @Option(help: ArgumentHelp("Links each peer keeps open.", valueName: "1-60"))
    var active: Int?

    @Option(help: ArgumentHelp("Size of the passive view.", valueName: "1-1000"))
    var passive: Int?

    @Option(help: ArgumentHelp("Time to wait for an announced record before it is requested.", valueName: "ms"))
    var graftDelay: Int64?

    @Option(help: ArgumentHelp("IHAVE batching interval.", valueName: "ms"))
    var haveDelay: Int64?

    @Option(
        help: ArgumentHelp(
            "Flood lines within this share of their hops, in percent.", valueName: "0-200"))
    var flood: Int?

    func validate() throws {
        if let flood { try require(flood, in: 0...200, "--flood") }
        try require(ttl, in: 1...64, "--ttl")
        if let active { try require(active, in: 1...60, "--active") }
        if let passive { try require(passive, in: 1...1_000, "--passive") }
        if let graftDelay { try require(graftDelay, in: 0...60_000, "--graft-delay") }
        if let haveDelay { try require(haveDelay, in: 0...60_000, "--have-delay") }
    }

    var settings: MeshSettings {
        var settings = MeshSettings(timeToLive: UInt8(clamping: ttl))
        settings.activeMax = active
        settings.passiveMax = passive
        settings.graftDelay = graftDelay
        settings.haveDelay = haveDelay
        settings.floodPercent = flood
        return settings
    }
}

struct NetworkArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("One way, fixed for each pair of peers.", valueName: "ms..ms"),
        transform: SimArguments.milliseconds)
    var latency: ClosedRange<Int64> = 10...50

    @Option(help: ArgumentHelp("Delay added to each frame.", valueName: "ms..ms"), transform: SimArguments.milliseconds)
    var jitter: ClosedRange<Int64> = 0...0

    @Option(help: ArgumentHelp("Share of the overlay's frames that are lost.", valueName: "0-1"))
    var loss = 0.0

    @Option(help: ArgumentHelp("Share of frames that arrive twice.", valueName: "0-1"))
    var duplication = 0.0

    @Option(help: ArgumentHelp("Share of frames that arrive out of order.", valueName: "0-1"))
    var reorder = 0.0

    func validate() throws {
        for (value, name) in [(loss, "--loss"), (duplication, "--duplication"), (reorder, "--reorder")] {
            try require(value, in: 0...1, name)
        }
    }

    var conditions: NetworkConditions {
        var conditions = NetworkConditions(latency: latency)
        conditions.jitter = jitter
        conditions.lossPerMille = Int((loss * 1_000).rounded())
        conditions.duplicationPerMille = Int((duplication * 1_000).rounded())
        conditions.reorderingPerMille = Int((reorder * 1_000).rounded())
        return conditions
    }
}

func require<Value>(_ value: Value, in range: ClosedRange<Value>, _ name: String) throws {
    guard range.contains(value) else {
        throw ValidationError("\(name) takes \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
}
