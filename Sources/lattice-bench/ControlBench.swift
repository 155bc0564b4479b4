import ArgumentParser
import Foundation

/// Many programs on one node: how long a line takes to each of them, and what they cost, beside a bare loop of write(2) that hands the same
/// bytes to as many sockets.
struct ControlBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control", abstract: "Delay and memory of a node with so many control clients and so many lines.")

    @OptionGroup var target: TargetOptions

    @Option(help: "How many clients are told what is said.")
    var clients = 500

    @Option(help: "How many lines are said in a second.")
    var rate = 1_000

    @Option(help: "For how many seconds, of each phase.")
    var duration = 10

    @Option(help: "Bytes of each line.")
    var bytes = 100

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        try withScratch { folder in
            let node = try NodeProcess(target.path, directory: folder.appending(path: "node"))
            defer { node.end() }
            let before = try node.memory()
            var listeners: [Listener] = []
            for _ in 0..<clients { listeners.append(try subscribed(node)) }
            let connected = try node.memory()
            try report([
                "bench": "control", "phase": "idle", "clients": clients, "rss_before_kb": before.resident,
                "rss_connected_kb": connected.resident,
                "kb_per_client": rounded(Double(connected.resident - before.resident) / Double(max(1, clients))),
            ])
            let speaker = try UnixConnection(node.socket)
            try tell("plain", try load(listeners, speaker, node), node)
            let stuck = try subscribed(node)
            try tell("one_never_reads", try load(listeners, speaker, node), node)
            let late = stuck.readAll()
            try report([
                "bench": "control", "phase": "it_reads_at_last", "lines_told": late.lines,
                "lines_missed": late.missed, "lines_said": rate * duration,
            ])
            try tell("bare_write", try bare(node.lineBytes(of: text(at: 0))), nil)
        }
    }

    private func subscribed(_ node: NodeProcess) throws -> Listener {
        let connection = try UnixConnection(node.socket)
        try connection.send(#"{"id":1,"method":"subscribe","params":{"topics":["messages"]}}"# + "\n")
        try connection.wait(for: "done")
        return Listener(connection)
    }

    /// A line with the time at which it was said.
    private func text(at nanoseconds: UInt64) -> String {
        let stamp = "@\(nanoseconds)@"
        return stamp + String(repeating: "x", count: max(0, bytes - stamp.count))
    }

    private func load(_ listeners: [Listener], _ speaker: UnixConnection, _ node: NodeProcess) throws -> Load {
        let work = node.processorSeconds()
        let count = rate * duration
        let reading = Reading(listeners, lines: count)
        try paced(count) {
            try speaker.send(##"{"method":"say","params":{"room":"#lobby","text":"\##(text(at: now()))"}}"## + "\n")
        }
        let delays = reading.end()
        return Load(delays: delays, work: node.processorSeconds() - work, lost: reading.lost)
    }

    /// The same bytes to as many sockets, by one loop and nothing else.
    private func bare(_ lineBytes: Int) throws -> Load {
        let pairs = try (0..<clients).map { _ in try UnixConnection.pair() }
        let reading = Reading(pairs.map { Listener($0.1) }, lines: rate * duration)
        let work = processorSeconds()
        let padding = String(repeating: "x", count: max(0, lineBytes - 24))
        try paced(rate * duration) {
            let line = Array("@\(now())@\(padding)\n".utf8)
            for (near, _) in pairs { near.write(line) }
        }
        let delays = reading.end()
        return Load(delays: delays, work: processorSeconds() - work, lost: reading.lost)
    }

    private func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    private func paced(_ count: Int, _ act: () throws -> Void) throws {
        let start = seconds()
        for number in 0..<count {
            let wait = start + Double(number) / Double(rate) - seconds()
            if wait > 0 { Thread.sleep(forTimeInterval: wait) }
            try act()
        }
    }

    private func tell(_ phase: String, _ load: Load, _ node: NodeProcess?) throws {
        let sample = Sample(load.delays)
        var figures: [String: Any] = [
            "bench": "control", "phase": phase, "clients": clients, "lines_per_second": rate, "seconds": duration,
            "deliveries": load.delays.count, "lost": load.lost, "p50_ms": rounded(sample.median * 1e3),
            "p99_ms": rounded(sample.percentile(99) * 1e3), "worst_ms": rounded(sample.worst * 1e3),
            "cpu_seconds": rounded(load.work),
        ]
        if let memory = try node?.memory() {
            figures["rss_kb"] = memory.resident
            figures["rss_peak_kb"] = memory.peak
        }
        try report(figures)
    }
}

private struct Load {
    /// Seconds, of each line to each client.
    let delays: [Double]
    let work: Double
    let lost: Int
}
