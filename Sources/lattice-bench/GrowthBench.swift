import ArgumentParser
import CBaseline
import Foundation

/// The cost of a line for each peer in meshes of different sizes: one peer writes at a steady rate, all read.
struct GrowthBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth", abstract: "Processor time and bytes per line and peer, in meshes of several sizes.",
        discussion: """
            Runs on the machine's loopback, or in a network namespace; bytes are those on its loopback, headers included. The limit \
            is a tree of as many processes in C: each opens a line, verifies it, inserts it into SQLite and forwards it.
            """)

    @OptionGroup var target: TargetOptions

    @Option(help: "Mesh sizes, separated by commas.")
    var peers = "2,8,32,64"

    @Option(help: "Lines per second.")
    var rate = 5

    @Option(help: "Seconds during which lines are sent.")
    var duration = 20

    @Option(help: "Seconds for the mesh to settle first.")
    var settle = 20

    @Option(help: "Rounds, with the sizes in turn; two rounds of one size differ by a tenth.")
    var rounds = 3

    @Option(help: "Bytes of text in a line.")
    var bytes = 256

    func validate() throws {
        let sizes = peers.split(separator: ",").map { Int($0) }
        guard sizes.allSatisfy({ ($0 ?? 0) >= 2 && ($0 ?? 0) <= 250 }), !sizes.isEmpty else {
            throw ValidationError("Sizes are numbers from 2 to 250, separated by commas, such as 2,8,32.")
        }
        guard (16...900).contains(bytes) else { throw ValidationError("--bytes must be from 16 to 900.") }
        guard (1...1_000).contains(rate), (1...3_600).contains(duration), settle >= 0, rounds > 0 else {
            throw ValidationError("--rate must be from 1 to 1000, --duration from 1 to 3600, --rounds at least 1.")
        }
    }

    func run() throws {
        let sizes = peers.split(separator: ",").compactMap { Int($0) }
        var tallies = [Tally](repeating: Tally(), count: sizes.count)
        var missing = [Int](repeating: 0, count: sizes.count)
        for _ in 0..<rounds {
            for (index, size) in sizes.enumerated() {
                missing[index] += try withScratch { folder in try measure(size, folder, &tallies[index]) }
            }
        }
        for (index, size) in sizes.enumerated() {
            try tallies[index].report([
                "bench": "growth", "peers": size, "lines": rate * duration, "rate": rate, "rounds": rounds,
                "missing": missing[index],
            ])
        }
    }

    /// - Returns: how many lines somebody did not receive.
    private func measure(_ size: Int, _ folder: URL, _ tally: inout Tally) throws -> Int {
        let least = try least(size, in: folder)
        let mesh = ["--mesh", "bench-\(UUID().uuidString.prefix(8))", "--discovery", "off"]
        var all: [ChatProcess] = []
        defer { for peer in all { peer.end() } }
        var first = ""
        for number in 0..<size {
            let peer = try ChatProcess(
                target.path, prefix: nil, name: "peer\(number)", directory: folder,
                mesh + (first.isEmpty ? [] : ["--peer", first]))
            try peer.start()
            all.append(peer)
            let port = try peer.wait { $0["event"] as? String == "ready" }["port"] as? Int ?? 0
            guard !first.isEmpty else {
                first = "127.0.0.1:\(port)"
                continue
            }
            try peer.wait { $0["state"] as? String == "connected" }
        }
        Thread.sleep(forTimeInterval: Double(settle))
        let idle = try Toll(all)
        Thread.sleep(forTimeInterval: Double(duration))
        let rested = try Toll(all)
        let missing = try speak(to: all)
        let worked = try Toll(all)
        let (still, busy) = (rested - idle, worked - rested)
        let shares = Double(rate * duration * size)
        let processor = busy.processor - still.processor * busy.seconds / still.seconds
        let carried = Double(busy.bytes) - Double(still.bytes) * busy.seconds / still.seconds
        tally.add(cost: "cpu_us_per_line_and_peer", processor / shares * 1e6, limit: least.processor)
        tally.add(cost: "bytes_per_line_and_peer", carried / shares, limit: least.bytes)
        tally.add("idle_cpu_percent_per_peer", still.processor / still.seconds / Double(size) * 100)
        let memory = try all.map { Double(try $0.cost.memory().resident) }.reduce(0, +) / Double(size)
        try tally.add(memory: "rss_kb_mean", memory, beside: try EmptyProgram.plain(in: folder))
        return missing
    }

    /// The least that C needs: microseconds of processor time, and bytes, for each line and peer.
    private func least(_ size: Int, in folder: URL) throws -> (processor: Double, bytes: Double) {
        let below = folder.appending(path: "limit").path
        try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: true)
        let before = try Toll.loopbackBytes()
        let processor = below.withCString { path in
            var plan = baseline_crowd_plan(
                bytes: Int32(bytes + Self.recordBytes), peers: Int32(size), rate: Int32(rate),
                lines: Int32(rate * duration), folder: path)
            return baseline_crowd(&plan)
        }
        guard processor > 0 else { throw BenchError.limitFailed }
        let carried = Double(try Toll.loopbackBytes() - before)
        return (processor, carried / Double(rate * duration * size))
    }

    /// Bytes of a record besides its text: id and signature.
    private static let recordBytes = 32 + 64

    /// - Returns: how many lines somebody did not receive in time.
    private func speak(to all: [ChatProcess]) throws -> Int {
        let count = rate * duration
        let start = seconds()
        let padding = String(repeating: "x", count: max(0, bytes - 16))
        // The writer's output is read as well, so that its pipe does not fill up.
        let counted = all.map { LineCount(of: $0, "growth-") }.dropFirst()
        for number in 0..<count {
            let due = start + Double(number) / Double(rate)
            if due > seconds() { Thread.sleep(forTimeInterval: due - seconds()) }
            try all[0].say("growth-\(number) \(padding)")
        }
        let end = seconds() + Self.patience
        func missing() -> Int { counted.map { count - $0.value }.reduce(0, +) }
        while missing() > 0, seconds() < end { Thread.sleep(forTimeInterval: 0.05) }
        return missing()
    }

    /// How long to wait for the last line, in seconds.
    private static let patience = 20.0
}

private struct Toll {
    var processor: Double
    var bytes: Int
    var seconds: Double

    init(_ peers: [ChatProcess]) throws {
        processor = try peers.map { try $0.cost.processorSecondsExactly() }.reduce(0, +)
        bytes = try Self.loopbackBytes()
        seconds = lattice_bench.seconds()
    }

    private init(processor: Double, bytes: Int, seconds: Double) {
        self.processor = processor
        self.bytes = bytes
        self.seconds = seconds
    }

    static func - (left: Toll, right: Toll) -> Toll {
        Toll(
            processor: left.processor - right.processor, bytes: left.bytes - right.bytes,
            seconds: left.seconds - right.seconds)
    }

    /// Bytes sent over the loopback of this network namespace (proc(5), net/dev).
    static func loopbackBytes() throws -> Int {
        let table = try String(contentsOfFile: "/proc/self/net/dev", encoding: .utf8)
        let line = table.split(separator: "\n").first { $0.contains("lo:") } ?? ""
        let fields = line.split(separator: ":").last?.split(separator: " ") ?? []
        return fields.count > 8 ? Int(fields[8]) ?? 0 : 0
    }
}
