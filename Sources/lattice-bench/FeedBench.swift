import ArgumentParser
import Foundation
import LatticeCore
import LatticeCrypto
import LatticeWire

/// Records through the control socket of a node, as a program copies them from one network to another: into the store, and
/// out of it again.
struct FeedBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed",
        abstract: "Records a second into a node and out of it, beside Ed25519 on all cores and a bare socket.")

    @OptionGroup var target: TargetOptions

    @Option(help: "Number of records, each a chat line; a node takes 65,536 at once.")
    var records = 40_000

    @Option(help: "Rounds, each with a new node.")
    var rounds = 3

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    func validate() throws {
        guard (1...60_000).contains(records), rounds > 0 else {
            throw ValidationError("--records must be from 1 to 60,000, --rounds at least 1.")
        }
    }

    func run() async throws {
        // The socket is then in the folder of the node.
        unsetenv("XDG_RUNTIME_DIR")
        let source = try FeedLines(seed: seed, count: records)
        var tally = Tally()
        for _ in 0..<rounds {
            let lines = source.signed()
            try await withScratch { folder in try await measure(lines, in: folder, &tally) }
        }
        try tally.report(["bench": "feed", "records": records, "rounds": rounds])
    }

    private func measure(_ lines: [VerifiedRecord], in folder: URL, _ tally: inout Tally) async throws {
        let requests = try FeedLines.requests(lines)
        let carrying = try LineSocket.seconds(toCarry: requests)
        let began = seconds()
        let verified = await RecordVerifier.verifyAll(lines.map(\.signed))
        let verifying = seconds() - began
        guard verified.count == lines.count else { throw BenchError("a record was not verified") }
        let node = try ChatProcess(
            target.path, prefix: nil, name: "node", directory: folder,
            ["--discovery", "off", "--mesh", "bench-\(UUID().uuidString.prefix(8))"])
        try node.start()
        defer { node.end() }
        try node.wait { $0["event"] as? String == "ready" }
        let path = folder.appending(path: "node/control.sock").path
        let count = Double(lines.count)
        let putting = try FeedLines.put(requests, count: lines.count, at: path)
        tally.add(rate: "put_per_s", count / putting, limit: count / verifying)
        let read = try FeedLines.follow(at: path)
        guard read.count == records else { throw BenchError("the feed had \(read.count) of \(records) records") }
        tally.add(rate: "feed_per_s", count / read.seconds, limit: count / carrying)
        tally.add("bytes_a_record", Double(requests.reduce(0) { $0 + $1.count }) / count)
    }
}
