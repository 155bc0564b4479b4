import ArgumentParser
import Foundation
import LatticeBridge
import LatticeCore
import LatticeCrypto
import LatticeNats
import LatticeWire

/// Two sites that share nothing but a broker: a line from one to the other, and a site that comes back after it was away.
struct BridgeBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge",
        abstract:
            "A line from site to site over NATS, and catching up, beside the same parcels without nodes and bridges.",
        discussion: "It needs nats-server, and the program lattice-bridge beside the one to measure.")

    @OptionGroup var target: TargetOptions

    @Option(help: "Lines that are said one after the other.")
    var lines = 300

    @Option(help: "Records that the site has missed; a node takes 65,536 at once.")
    var records = 60_000

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    private static let pause = 0.002
    private static let parcelsAtOnce = 256

    func validate() throws {
        guard (1...100_000).contains(lines), (1...60_000).contains(records) else {
            throw ValidationError("--lines must be from 1 to 100,000, --records from 1 to 60,000.")
        }
    }

    func run() async throws {
        // The sockets are then in the folders of the nodes.
        unsetenv("XDG_RUNTIME_DIR")
        var tally = Tally()
        try await withScratch { folder in
            let broker = try NatsServer(in: folder)
            defer { broker.end() }
            try await measureLive(in: folder, broker, &tally)
            try await measureCatchUp(in: folder, broker, &tally)
        }
        try tally.report(["bench": "bridge", "lines": lines, "records": records])
    }

    private struct Site {
        let name: String
        let node: ChatProcess
        let folder: URL

        func bridge(_ program: String, _ broker: NatsServer, _ more: [String] = []) -> SpawnedProcess {
            SpawnedProcess(
                words: [
                    "\(program)-bridge", "nats", "--url", broker.url, "--data-dir", folder.appending(path: name).path,
                ]
                    + more, face: .pipe)
        }

        var socket: String { folder.appending(path: "\(name)/control.sock").path }
    }

    private func site(_ name: String, _ mesh: String, in folder: URL) throws -> Site {
        let node = try ChatProcess(
            target.path, prefix: nil, name: name, directory: folder, ["--discovery", "off", "--mesh", mesh])
        try node.start()
        try node.wait { $0["event"] as? String == "ready" }
        return Site(name: name, node: node, folder: folder)
    }

    private func measureLive(in folder: URL, _ broker: NatsServer, _ tally: inout Tally) async throws {
        let (one, other) = (try site("one", "live", in: folder), try site("other", "live", in: folder))
        defer { for site in [one, other] { site.node.end() } }
        try one.node.say("/bridge allow #lobby")
        let bridges = [one.bridge(target.path, broker), other.bridge(target.path, broker)]
        for bridge in bridges { try bridge.start() }
        defer { for bridge in bridges { bridge.end() } }
        try one.node.say("it begins")
        try other.node.wait(forText: "it begins")
        let names = BridgeNames(tag: "0123456789abcdef")
        let writer = try await NatsBroker(NatsAddress(servers: [broker.url]), names, NatsStreamSettings())
        let reader = try await NatsBroker(NatsAddress(servers: [broker.url]), names, NatsStreamSettings())
        _ = try await reader.stand(of: .week)
        var (bare, whole): ([Double], [Double]) = ([], [])
        for number in 0..<lines {
            var began = seconds()
            async let page = reader.next(.week, after: UInt64(number))
            _ = await writer.publish([parcel(number, names)])
            _ = try await page
            bare.append(seconds() - began)
            try await Task.sleep(for: .seconds(Self.pause))
            began = seconds()
            try one.node.say("line \(number) is said")
            try other.node.wait(forText: "line \(number) is said")
            whole.append(seconds() - began)
            try await Task.sleep(for: .seconds(Self.pause))
        }
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            tally.add(
                cost: "line_\(name)_ms", Self.share(share, of: whole) * 1_000,
                limit: Self.share(share, of: bare) * 1_000)
        }
        for (site, bridge) in zip([one, other], bridges) {
            tally.add("bridge_\(site.name)_kb", Double(try ProcessCost(identifier: bridge.identifier).memory().peak))
        }
    }

    private static func share(_ share: Double, of times: [Double]) -> Double {
        let sorted = times.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    private func parcel(_ number: Int, _ names: BridgeNames) -> BridgeParcel {
        BridgeParcel(
            subject: names.subject(.week, .chat, key: "0"), id: "bare \(number)",
            payload: [UInt8](repeating: 1, count: 300))
    }

    private func measureCatchUp(in folder: URL, _ broker: NatsServer, _ tally: inout Tally) async throws {
        let (one, other) = (try site("from", "away", in: folder), try site("to", "away", in: folder))
        defer { for site in [one, other] { site.node.end() } }
        let lines = try FeedLines(seed: seed, count: records).signed()
        // Everybody lets the room cross.
        let words = try FeedLines(seed: seed, count: records).crossings()
        _ = try FeedLines.put(
            try FeedLines.requests(words + lines, via: "other"), count: words.count + lines.count, at: one.socket)
        let out = one.bridge(target.path, broker, ["--once"])
        try out.start()
        let publishing = try out.waitForEnd().wallTime
        let into = other.bridge(target.path, broker, ["--once"])
        try into.start()
        let reading = try into.waitForEnd().wallTime
        let count = try FeedLines.follow(at: other.socket).count
        guard count == lines.count else { throw BenchError("\(count) of \(lines.count) records have crossed") }
        let bare = try await bareSeconds(lines, broker)
        tally.add(rate: "out_per_s", Double(count) / publishing, limit: Double(count) / bare.publishing)
        tally.add(rate: "in_per_s", Double(count) / reading, limit: Double(count) / bare.reading)
    }

    /// The same parcels, without nodes and without state files.
    private func bareSeconds(
        _ lines: [VerifiedRecord], _ server: NatsServer
    ) async throws -> (publishing: Double, reading: Double) {
        let wrapping = OpenWrapping(mesh: try MeshName("bare"))
        let broker = try await NatsBroker(NatsAddress(servers: [server.url]), wrapping.names, NatsStreamSettings())
        for span in BridgeSpan.allCases { _ = try await broker.stand(of: span) }
        let parcels = lines.map { wrapping.parcel(of: $0.signed, id: $0.id) }
        var began = seconds()
        for first in stride(from: 0, to: parcels.count, by: Self.parcelsAtOnce) {
            let part = Array(parcels[first..<min(first + Self.parcelsAtOnce, parcels.count)])
            let outcomes = await broker.publish(part)
            guard outcomes.allSatisfy({ $0 == .stored }) else { throw BenchError("the broker refused a parcel") }
        }
        let publishing = seconds() - began
        began = seconds()
        var (read, sequence) = (0, UInt64(0))
        while read < parcels.count {
            let page = try await broker.next(.week, after: sequence)
            (read, sequence) = (read + page.messages.count, page.passed)
        }
        return (publishing, seconds() - began)
    }
}

/// A nats-server with JetStream in a folder of its own.
private final class NatsServer {
    private let process: SpawnedProcess
    let url: String

    init(in folder: URL) throws {
        let ports = folder.appending(path: "ports")
        try FileManager.default.createDirectory(at: ports, withIntermediateDirectories: true)
        let configuration = folder.appending(path: "nats.conf")
        let text = """
            listen: "127.0.0.1:-1"
            ports_file_dir: "\(ports.path)"
            jetstream { store_dir: "\(folder.path)/js", max_file: 4G, max_mem: 64M }
            """
        try Data(text.utf8).write(to: configuration)
        process = SpawnedProcess(words: ["nats-server", "-c", configuration.path], face: .pipe)
        try process.start()
        for _ in 0..<Self.looksMax {
            let names = try FileManager.default.contentsOfDirectory(atPath: ports.path)
            let content = names.first.flatMap { FileManager.default.contents(atPath: "\(ports.path)/\($0)") } ?? Data()
            if let address = String(decoding: content, as: UTF8.self).firstMatch(of: /nats:\/\/[0-9.:]+/) {
                url = String(address.0)
                return
            }
            usleep(10_000)
        }
        throw BenchError("nats-server does not start")
    }

    private static let looksMax = 1_000

    func end() { process.end() }
}
