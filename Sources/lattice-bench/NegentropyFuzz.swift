import ArgumentParser
import Foundation
import LatticeCore
import LatticeMesh

/// Reconciles random sets between two harness processes, like the fuzz test of the reference implementation.
struct NegentropyFuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "negentropy-fuzz", abstract: "Reconcile random sets between two harnesses and check the result.")

    @Option(help: "Duration, in seconds.")
    var seconds = 10.0

    @Option(help: "Seed of the random generator; a failure names the seed of its round.")
    var seed: UInt64 = 1

    @Option(help: "Largest number of items in a set.")
    var items = 10_000

    @Option(help: "Another implementation's harness, as one side of each round.")
    var other: String?

    func run() throws {
        let start = lattice_bench.seconds()
        var (rounds, messages, bytes) = (0, 0, 0)
        repeat {
            let trial = NegentropyTrial(seed: seed + UInt64(rounds), itemsMax: items)
            let peers = try (0..<2).map { side in
                try HarnessProcess(
                    other: side == rounds % 2 ? other : nil, isThrifty: trial.thrifty[side],
                    frameSizeLimit: trial.limits[side])
            }
            defer { for peer in peers { peer.end() } }
            let outcome = try trial.run(peers[0], peers[1])
            rounds += 1
            messages += outcome.messages
            bytes += outcome.bytes
        } while lattice_bench.seconds() - start < seconds
        try report([
            "bench": "negentropy-fuzz", "rounds": rounds, "messages": messages, "bytes": bytes, "first_seed": seed,
        ])
    }
}

protocol HarnessPeer: AnyObject {
    func send(_ line: String) throws
    func receive() throws -> String
}

/// Two random sets and the limits of their peers, generated from a seed.
struct NegentropyTrial {
    struct Outcome {
        var messages = 0
        var bytes = 0
    }

    let seed: UInt64
    let sets: [[ReconciliationItem]]
    /// Message size limits; 0 is none.
    let limits: [Int]
    let thrifty: [Bool]

    init(seed: UInt64, itemsMax: Int) {
        var generator = SeededGenerator(seed: seed)
        // Small sets are as likely as large ones.
        let most = itemsMax >> Int.random(in: 0...10, using: &generator)
        let count = Int.random(in: 0...most, using: &generator)
        let timestamps: UInt64 = [1, 40, UInt64(count) + 1, 1 << 50].randomElement(using: &generator) ?? 1
        let differInThousand = [0, 1, 20, 200, 1_000].randomElement(using: &generator) ?? 0
        var sets: [[ReconciliationItem]] = [[], []]
        for _ in 0..<count {
            let words = (generator.next(), generator.next(), generator.next(), generator.next())
            let timestamp = 1_677_970_534 + UInt64.random(in: 0..<timestamps, using: &generator)
            guard let item = ReconciliationItem(timestamp: timestamp, id: Bytes32(words: words)) else { continue }
            let differs = Int.random(in: 0..<1_000, using: &generator) < differInThousand
            let isFirst = Bool.random(using: &generator)
            if !differs || isFirst { sets[0].append(item) }
            if !differs || !isFirst { sets[1].append(item) }
        }
        self.seed = seed
        self.sets = sets
        limits = (0..<2).map { _ in
            [0, 4_096, Int.random(in: 4_096...60_000, using: &generator)].randomElement(using: &generator) ?? 0
        }
        thrifty = (0..<2).map { _ in Bool.random(using: &generator) }
    }

    /// - Throws: unless each side learns exactly what it lacks, each id once.
    func run(_ first: any HarnessPeer, _ second: any HarnessPeer) throws -> Outcome {
        for (peer, items) in zip([first, second], sets) {
            for item in items { try peer.send("item,\(item.timestamp),\(item.id.hex)") }
            try peer.send("seal")
        }
        try first.send("initiate")
        var outcome = Outcome()
        var known = sets.map { Set($0.map(\.id.hex)) }
        while let message = try learn(from: first, into: &known) {
            try second.send(message)
            let answer = try second.receive()
            try expect(answer.hasPrefix("msg,"), "an answer is a message")
            try first.send(answer)
            for (side, line) in [message, answer].enumerated() {
                let bytes = (line.utf8.count - "msg,".utf8.count) / 2
                try expect(limits[side] == 0 || bytes <= limits[side], "a message of \(bytes) bytes fits its frame")
                outcome.bytes += bytes
            }
            outcome.messages += 2
            try expect(outcome.messages <= Reconciler.roundsMax * 2, "a comparison ends")
        }
        try expect(known[0] == known[1], "both sides know the same")
        return outcome
    }

    /// - Returns: the next message; `nil` at the end.
    private func learn(from peer: any HarnessPeer, into known: inout [Set<String>]) throws -> String? {
        while true {
            let line = try peer.receive()
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            switch fields[0] {
            case "have": try expect(known[1].insert(fields[1]).inserted, "\(line) was not known there")
            case "need": try expect(known[0].insert(fields[1]).inserted, "\(line) was not known here")
            case "msg": return line
            default:
                try expect(line == "done", "\(line) is a line of the harness")
                return nil
            }
        }
    }

    private func expect(_ isSo: Bool, _ what: String) throws {
        if !isSo { throw BenchError("seed \(seed): not so: \(what)") }
    }
}

final class HarnessProcess: HarnessPeer {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unsent = Data()
    private var unread = Data()

    init(other: String?, isThrifty: Bool, frameSizeLimit: Int) throws {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = other.map { URL(filePath: $0) } ?? own
        process.arguments = other == nil ? ["negentropy-harness"] + (isThrifty ? ["--thrifty"] : []) : []
        process.environment = ["FRAMESIZELIMIT": "\(frameSizeLimit)"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Buffered until a reply is awaited.
    func send(_ line: String) {
        unsent += Data((line + "\n").utf8)
    }

    func receive() throws -> String {
        try input.fileHandleForWriting.write(contentsOf: unsent)
        unsent = Data()
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = unread[(end + 1)...] }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw BenchError("the harness ended") }
            unread = Data(unread) + more
        }
    }

    func end() {
        _ = Result { try input.fileHandleForWriting.close() }
        process.waitUntilExit()
    }
}
