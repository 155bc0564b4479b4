import ArgumentParser
import CBaseline
import Foundation
import LatticeMesh

/// The cost of an idle peer: resident memory, and processor time over a period, compared with empty programs.
struct IdleBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle", abstract: "Memory and CPU of an idle peer with several neighbours.",
        discussion: """
            More than eight links stay only if the neighbours cannot reach each other, as around a hub. In a network namespace of \
            its own, with --port 4000, the nft rule 'tcp dport != 4000 tcp flags & (syn|ack) == syn reject' ensures that.
            """)

    @OptionGroup var target: TargetOptions

    @Option(help: "Number of neighbours.")
    var peers = 1

    @Option(help: "Seconds to measure.")
    var duration = 60

    @Option(help: "Seconds for its links to come up, and again for them to settle.")
    var settle = 10

    @Option(help: "Discovery of the peer and its neighbours.")
    var discovery = "off"

    @Option(help: "Port of the peer.")
    var port = 0

    func validate() throws {
        guard (0...BASELINE_LINKS_MAX).contains(peers), duration > 0 else {
            throw ValidationError("--peers must be from 0 to 64, --duration at least 1.")
        }
    }

    func run() throws {
        try withScratch { folder in
            let arguments = ["--discovery", discovery, "--mesh", "bench-\(UUID().uuidString.prefix(8))"]
            let watched = try ChatProcess(
                target.path, prefix: target.first, name: "watched", directory: folder,
                arguments + ["--port", "\(port)"])
            try watched.start()
            defer { watched.end() }
            let ready = try watched.wait { $0["event"] as? String == "ready" }
            guard let port = ready["port"] as? Int else { throw BenchError("the node reports no port") }
            var neighbours: [ChatProcess] = []
            defer { for neighbour in neighbours { neighbour.end() } }
            for number in 0..<peers {
                let neighbour = try ChatProcess(
                    target.path, prefix: target.second, name: "neighbour\(number)", directory: folder,
                    arguments + ["--peer", "127.0.0.1:\(port)"])
                try neighbour.start()
                neighbours.append(neighbour)
                try watched.wait { $0["state"] as? String == "connected" }
            }
            try waitForLinks(of: watched)
            Thread.sleep(forTimeInterval: TimeInterval(settle))
            let cost = watched.cost
            let before = try cost.processorSecondsExactly()
            // The C limit runs as long, and works too little to matter.
            let least = baseline_idle(Int32(max(1, peers)), Int32(duration), Self.pingSeconds)
            let used = try cost.processorSecondsExactly() - before
            guard least > 0 else { throw BenchError.limitFailed }
            var tally = Tally()
            let percent = 100 / Double(duration)
            tally.add(cost: "cpu_percent", used * percent, limit: least * percent)
            let empty = try EmptyProgram.both(in: folder)
            try tally.add(memory: "rss_kb", Double(try cost.memory().resident), beside: empty.first)
            for program in empty { tally.add("empty_\(program.name)_rss_kb", Double(try program.memory())) }
            for (name, kilobytes) in cost.parts() { tally.add(name, Double(kilobytes)) }
            try tally.report([
                "bench": "idle", "neighbours": peers, "discovery": discovery, "seconds": duration,
                "links": try links(of: watched),
            ])
        }
    }

    private static let pingSeconds = Int32(MeshLimit.pingAfterSilence.components.seconds)

    private func waitForLinks(of watched: ChatProcess) throws {
        let end = seconds() + Double(settle)
        while try links(of: watched) < peers, seconds() < end { Thread.sleep(forTimeInterval: 0.2) }
    }

    private func links(of watched: ChatProcess) throws -> Int {
        try watched.say("/stats")
        return try watched.wait { $0["event"] as? String == "node_stats" }["links"] as? Int ?? 0
    }
}
