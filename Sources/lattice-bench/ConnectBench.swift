import ArgumentParser
import Foundation

/// Time from the start of a second process until both sides are connected.
struct ConnectBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect", abstract: "Time from the second peer's start until both are connected.")

    @OptionGroup var target: TargetOptions

    @Option(help: "Number of starts.")
    var runs = 20

    @Option(help: "The first peer's discovery.")
    var discovery = "embedded"

    @Option(help: "The second peer's discovery; by default the first peer's.")
    var secondDiscovery: String?

    @Option(help: "Seconds between the start of the first peer and of the second.")
    var settle = 2.0

    @Flag(help: "Reuse the same two names, so that each returns while mDNS still has the old entry.")
    var sameNames = false

    /// Seconds from the second peer's start.
    private struct Course {
        /// Until its first line.
        var ready: Double
        /// Until both sides are connected.
        var connected: Double
        /// Whether the second peer has the smaller id, and therefore sends the invitation.
        var isSecondSmaller: Bool
    }

    func validate() throws {
        guard runs > 0, settle >= 0 else { throw ValidationError("--runs must be at least 1, --settle at least 0.") }
    }

    func run() throws {
        try withScratch { folder in
            var courses: [Course] = []
            for run in 0..<runs {
                courses.append(try measure(folder.appending(path: "\(run)"), suffix: sameNames ? "" : "\(run)"))
            }
            let all = Sample(courses.map(\.connected))
            let smaller = Sample(courses.filter(\.isSecondSmaller).map(\.connected))
            let larger = Sample(courses.filter { !$0.isSecondSmaller }.map(\.connected))
            var tally = Tally()
            let limit = try least(in: folder)
            tally.add(cost: "p50_ms", all.median * 1_000, limit: limit.median * 1_000)
            tally.add(cost: "p99_ms", all.percentile(99) * 1_000, limit: limit.percentile(99) * 1_000)
            try tally.report([
                "bench": "connect", "discovery": "\(discovery)-\(secondDiscovery ?? discovery)", "runs": runs,
                "same_names": sameNames, "ready_p50_ms": milliseconds(Sample(courses.map(\.ready)).median),
                "worst_ms": milliseconds(all.worst),
                "newcomer_smaller_p50_ms": milliseconds(smaller.median),
                "newcomer_larger_p50_ms": milliseconds(larger.median),
            ])
        }
    }

    /// Time in seconds for a handshake in C, plus the start of an empty Swift program if there is a compiler.
    private func least(in folder: URL) throws -> Sample {
        let empty = try EmptyProgram.plain(in: folder)
        return Sample(try MeshLimits.handshakes(runs).map { $0 / 1e6 + (try empty?.start() ?? 0) })
    }

    private func milliseconds(_ seconds: Double) -> Double {
        seconds.isNaN ? 0 : rounded(seconds * 1_000)
    }

    /// A fresh identity each time, so that either peer may have the smaller id.
    private func measure(_ folder: URL, suffix: String) throws -> Course {
        let mesh = ["--mesh", "bench-\(UUID().uuidString.prefix(8))"]
        let first = try ChatProcess(
            target.path, prefix: target.first, name: "first\(suffix)", directory: folder,
            mesh + ["--discovery", discovery])
        // Creating an identity and a store is not part of connecting, so the second peer has been started before.
        let before = try ChatProcess(
            target.path, prefix: target.second, name: "second\(suffix)", directory: folder,
            mesh + ["--discovery", "off"])
        try before.start()
        try before.wait { $0["event"] as? String == "ready" }
        before.end()
        try first.start()
        defer { first.end() }
        let firstID = try first.wait { $0["event"] as? String == "ready" }["id"] as? String ?? ""
        Thread.sleep(forTimeInterval: settle)
        let second = try ChatProcess(
            target.path, prefix: target.second, name: "second\(suffix)", directory: folder,
            mesh + ["--discovery", secondDiscovery ?? discovery])
        try second.start()
        defer { second.end() }
        let secondID = try second.wait { $0["event"] as? String == "ready" }["id"] as? String ?? ""
        let ready = seconds() - second.startedAt
        for peer in [first, second] { try peer.wait { $0["state"] as? String == "connected" } }
        return Course(
            ready: ready, connected: seconds() - second.startedAt, isSecondSmaller: secondID < firstID)
    }
}
