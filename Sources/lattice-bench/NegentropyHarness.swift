import ArgumentParser
import Foundation
import LatticeCore
import LatticeCrypto
import LatticeMesh

/// One peer on standard input and output, in the format in which Negentropy implementations are tested against each
/// other.
struct NegentropyHarness: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "negentropy-harness",
        abstract: "Speak the line protocol of Negentropy's test suite.",
        discussion: "FRAMESIZELIMIT in the environment is the largest message in bytes: 4096 or more, 0 for no limit.")

    @Flag(help: "Use the compact encoding instead of the reference implementation's.")
    var thrifty = false

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        var session = try HarnessSession(
            frameSizeLimit: environment["FRAMESIZELIMIT"], manner: thrifty ? .thrifty : .reference)
        while let line = readLine() {
            let answers = try session.answer(line)
            guard !answers.isEmpty else { continue }
            let text = answers.joined(separator: "\n") + "\n"
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        }
    }
}

/// A peer's replies to input lines.
///
/// `item,TIMESTAMP,HEX` adds an item, and `seal` ends that. `initiate` is answered with `msg,HEX`. So is `msg,HEX`; the
/// initiator first prints `have,HEX` and `need,HEX` for what it learnt, and `done` at the end.
struct HarnessSession {
    private let frameBytesMax: Int?
    private let manner: Reconciler.Manner
    private var items: [ReconciliationItem] = []
    private var set = ReconciliationSet()
    private var isInitiator = false
    /// Each id is reported once, though a later message may repeat it.
    private var told: Set<Bytes32> = []

    init(frameSizeLimit: String?, manner: Reconciler.Manner) throws {
        self.manner = manner
        switch Int(frameSizeLimit ?? "0") {
        case 0: frameBytesMax = nil
        case let limit? where limit >= Reconciler.frameBytesMin: frameBytesMax = limit
        default: throw BenchError("a frame is of \(Reconciler.frameBytesMin) bytes at least, or 0 for no limit")
        }
    }

    mutating func answer(_ line: String) throws -> [String] {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        switch (fields.first, fields.count) {
        case (nil, _), ("", 1):
            return []
        case ("item", 3):
            guard let timestamp = UInt64(fields[1]), let id = Bytes32(hex: fields[2]),
                let item = ReconciliationItem(timestamp: timestamp, id: id)
            else { throw BenchError("no item: \(line)") }
            items.append(item)
            return []
        case ("seal", 1):
            set = ReconciliationSet(items)
            return []
        case ("initiate", 1):
            isInitiator = true
            return ["msg," + Hex.string(reconciler.begin(with: set))]
        case ("msg", 2):
            guard let message = Hex.bytes(fields[1]) else { throw BenchError("no message: \(line)") }
            return lines(of: try reconciler.read(message, with: set))
        default:
            throw BenchError("unknown: \(line)")
        }
    }

    private mutating func lines(of step: Reconciler.Step) -> [String] {
        var lines: [String] = []
        for (word, ids) in [("have", step.have), ("need", step.need)] {
            lines += ids.filter { told.insert($0).inserted }.map { "\(word),\($0.hex)" }
        }
        return lines + [step.reply.map { "msg," + Hex.string($0) } ?? "done"]
    }

    private var reconciler: Reconciler {
        let sha256: Fingerprinter = { Digest.sha256($0) }
        return isInitiator
            ? Reconciler.initiator(manner, frameBytesMax: frameBytesMax, sha256: sha256)
            : Reconciler.responder(manner, frameBytesMax: frameBytesMax, sha256: sha256)
    }
}
