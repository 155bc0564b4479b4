import ArgumentParser
import Foundation

/// From the start of a second process to both sides being connected.
struct ConnectBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect", abstract: "From the second peer's start to connected on both sides.")

    @OptionGroup var target: TargetOptions

    @Option(help: "How many starts.")
    var runs = 20

    @Option(help: "The first peer's discovery.")
    var discovery = "embedded"

    @Option(help: "The second peer's discovery; by default the same.")
    var secondDiscovery: String?

    @Flag(help: "Start under the same two names again and again: each is back before mDNS has forgotten it.")
    var sameNames = false

    func run() throws {
        try withScratch { folder in
            var times: [Double] = []
            for run in 0..<runs {
                times.append(try measure(folder.appending(path: "\(run)"), suffix: sameNames ? "" : "\(run)"))
            }
            let sample = Sample(times)
            try report([
                "bench": "connect", "discovery": "\(discovery)-\(secondDiscovery ?? discovery)", "runs": runs,
                "same_names": sameNames,
                "median_ms": rounded(sample.median * 1_000), "worst_ms": rounded(sample.worst * 1_000),
            ])
        }
    }

    /// A fresh identity each time, so that which of the two has the smaller id falls anew.
    private func measure(_ folder: URL, suffix: String) throws -> Double {
        let mesh = ["--mesh", "bench-\(UUID().uuidString.prefix(8))"]
        let first = try ChatProcess(
            target.path, prefix: target.first, name: "first\(suffix)", directory: folder,
            mesh + ["--discovery", discovery])
        try first.start()
        defer { first.end() }
        try first.wait { $0["event"] as? String == "ready" }
        let second = try ChatProcess(
            target.path, prefix: target.second, name: "second\(suffix)", directory: folder,
            mesh + ["--discovery", secondDiscovery ?? discovery])
        try second.start()
        defer { second.end() }
        for peer in [first, second] { try peer.wait { $0["state"] as? String == "connected" } }
        return seconds() - second.startedAt
    }
}
