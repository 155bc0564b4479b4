import ArgumentParser
import Foundation

/// What a peer costs that does nothing: resident memory, and processor time over a while, beside programs that are empty.
struct IdleBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle", abstract: "Resident memory and CPU of an idle peer with so many neighbours.",
        discussion: """
            More than eight links stay only where the neighbours do not reach one another, as around a hub. In a network namespace of \
            its own, with --port 4000, the rule 'tcp dport != 4000 tcp flags & (syn|ack) == syn reject' sees to that.
            """)

    @OptionGroup var target: TargetOptions

    @Option(help: "How many neighbours it has.")
    var peers = 1

    @Option(help: "For how long it is watched, in seconds.")
    var duration = 60

    @Option(help: "For how long its links may take to come about, and then to come to rest, in seconds each.")
    var settle = 10

    @Option(help: "Its discovery, and its neighbours'.")
    var discovery = "off"

    @Option(help: "Its port.")
    var port = 0

    func run() throws {
        try withScratch { folder in
            let arguments = ["--discovery", discovery, "--mesh", "bench-\(UUID().uuidString.prefix(8))"]
            let watched = try ChatProcess(
                target.path, prefix: target.first, name: "watched", directory: folder,
                arguments + ["--port", "\(port)"])
            try watched.start()
            defer { watched.end() }
            let ready = try watched.wait { $0["event"] as? String == "ready" }
            guard let port = ready["port"] as? Int else { throw BenchError("no port is told") }
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
            Thread.sleep(forTimeInterval: TimeInterval(duration))
            let used = try cost.processorSecondsExactly() - before
            var figures: [String: Any] = [
                "bench": "idle", "neighbours": peers, "discovery": discovery, "seconds": duration,
                "links": try links(of: watched), "rss_kb": try cost.memory().resident,
                "cpu_percent": rounded(used / Double(duration) * 100 * 100) / 100,
            ]
            for (name, kilobytes) in cost.parts() { figures[name] = kilobytes }
            for program in try EmptyProgram.both(in: folder) {
                figures["empty_\(program.name)_rss_kb"] = try program.memory()
            }
            try report(figures)
        }
    }

    private func waitForLinks(of watched: ChatProcess) throws {
        let end = seconds() + Double(settle)
        while try links(of: watched) < peers, seconds() < end { Thread.sleep(forTimeInterval: 0.2) }
    }

    private func links(of watched: ChatProcess) throws -> Int {
        try watched.say("/stats")
        return try watched.wait { $0["event"] as? String == "node_stats" }["links"] as? Int ?? 0
    }
}
