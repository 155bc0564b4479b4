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

    private static let recordsAtOnce = 512
    private static let requestsAtOnce = 4
    private static let window = 4_096

    func validate() throws {
        guard (1...60_000).contains(records), rounds > 0 else {
            throw ValidationError("--records must be from 1 to 60,000, --rounds at least 1.")
        }
    }

    func run() async throws {
        // The socket is then in the folder of the node.
        unsetenv("XDG_RUNTIME_DIR")
        let source = try BenchPosts(seed: seed)
        var tally = Tally()
        for _ in 0..<rounds {
            let lines = lines(source)
            try await withScratch { folder in try await measure(lines, in: folder, &tally) }
        }
        try tally.report(["bench": "feed", "records": records, "rounds": rounds])
    }

    /// Lines that were said an hour ago, so that the node stores them and has nobody to relay them to.
    private func lines(_ source: BenchPosts) -> [VerifiedRecord] {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let now = Int64(time.tv_sec) * 1_000
        return concurrently(0..<records) { number in
            var generator = SeededGenerator(seed: source.seed &* 1_000_003 &+ UInt64(number))
            let author = source.identities[number % source.identities.count]
            return author.sign(
                Record(
                    kind: .chat, author: author.peer,
                    created: HybridTime(wallTime: WallTime(milliseconds: now - 3_600_000 + Int64(number))),
                    lifetimeSeconds: 604_800, topic: Array("#bench".utf8),
                    body: ChatLine(
                        style: .says, name: source.names[number % source.names.count],
                        text: source.words.text(&generator)
                    ).body))
        }
    }

    private func measure(_ lines: [VerifiedRecord], in folder: URL, _ tally: inout Tally) async throws {
        let requests = try requests(lines)
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
        tally.add(rate: "put_per_s", count / (try put(requests, at: path)), limit: count / verifying)
        tally.add(rate: "feed_per_s", count / (try follow(at: path)), limit: count / carrying)
        tally.add("bytes_a_record", Double(requests.reduce(0) { $0 + $1.count }) / count)
    }

    private func requests(_ lines: [VerifiedRecord]) throws -> [[UInt8]] {
        try stride(from: 0, to: lines.count, by: Self.recordsAtOnce).map { first in
            let records = lines[first..<min(first + Self.recordsAtOnce, lines.count)].map {
                Data($0.signed.bytes).base64EncodedString()
            }
            return try Self.line(first, "records.put", ["via": "nats", "records": records])
        }
    }

    private static func line(_ id: Int, _ method: String, _ params: [String: Any]) throws -> [UInt8] {
        let call: [String: Any] = ["id": id, "method": method, "params": params]
        let data = try JSONSerialization.data(withJSONObject: call, options: .withoutEscapingSlashes)
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// - Returns: seconds until all are on disk.
    private func put(_ requests: [[UInt8]], at path: String) throws -> Double {
        let socket = try LineSocket(path)
        var replies: [[UInt8]] = []
        let began = seconds()
        for request in requests.prefix(Self.requestsAtOnce) { try socket.send(request) }
        for request in requests.dropFirst(Self.requestsAtOnce) {
            replies.append(try socket.line())
            try socket.send(request)
        }
        while replies.count < requests.count { replies.append(try socket.line()) }
        let taken = seconds() - began
        let added = replies.reduce(0) { $0 + Self.count(of: #""is":"added""#, in: $1) }
        guard added == records else { throw BenchError("the node took \(added) of \(records) records") }
        return taken
    }

    /// - Returns: seconds until all were read from the start of the store, each batch confirmed as it came.
    private func follow(at path: String) throws -> Double {
        let socket = try LineSocket(path)
        var batches: [[UInt8]] = []
        let began = seconds()
        try socket.send(Self.line(1, "records.subscribe", ["kinds": [1], "window": Self.window]))
        let opened = String(decoding: try socket.line(), as: UTF8.self)
        guard let feed = opened.split(separator: #""feed":"#).last.flatMap({ Int($0.prefix { $0.isNumber }) }) else {
            throw BenchError("the node opened no feed: \(opened)")
        }
        while true {
            let line = try socket.line()
            // What stands before the records tells where the batch ends; other lines are answers.
            let head = String(decoding: line.prefix(Self.headBytes), as: UTF8.self)
            guard head.contains(#""method":"records""#) else { continue }
            batches.append(line)
            if head.contains(#""live":true"#) { break }
            guard let position = head.split(separator: #""position":""#).dropFirst().first?.split(separator: "\"").first
            else { throw BenchError("a batch has no position: \(head)") }
            try socket.send(Self.line(2, "records.taken", ["feed": feed, "position": String(position)]))
        }
        let taken = seconds() - began
        let read = batches.reduce(0) { $0 + Self.count(of: #""bytes":""#, in: $1) }
        guard read == records else { throw BenchError("the feed had \(read) of \(records) records") }
        return taken
    }

    private static let headBytes = 256

    private static func count(of text: String, in line: [UInt8]) -> Int {
        String(decoding: line, as: UTF8.self).components(separatedBy: text).count - 1
    }
}
