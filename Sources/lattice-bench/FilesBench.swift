import ArgumentParser
import CBaseline
import Foundation

/// Files between whole nodes on this machine, beside what C does with the same bytes.
struct FilesBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files", abstract: "How fast a file comes to another node, directly and over a relay.",
        discussion: """
            Each figure counts from the request until the file stands in the download folder: sealed on the way, verified piece by \
            piece, and verified once more while it is copied. The limit is two processes in C that seal, open, hash and write.
            """)

    @OptionGroup var target: TargetOptions

    @Option(help: "Megabytes of the large file.")
    var megabytes = 1_024

    @Option(help: "Megabytes that go over a relay, which keeps at most 512.")
    var relayed = 400

    @Option(help: "Number of small files.")
    var small = 2_000

    func validate() throws {
        guard (1...32_768).contains(megabytes), (1...512).contains(relayed), (1...65_536).contains(small) else {
            throw ValidationError("--megabytes must be from 1 to 32768, --relayed to 512, --small to 65536.")
        }
    }

    func run() throws {
        try withScratch { folder in
            try direct(in: folder)
            try overRelay(in: folder)
            try manySmall(in: folder)
        }
    }

    private func direct(in folder: URL) throws {
        try withNodes(in: folder, relayed: false) { nodes in
            let file = try file(bytes: megabytes << 20, in: folder)
            let took = try nodes.transfer(file, to: folder.appending(path: "direct"))
            try reportRate("direct", megabytes, took, nodes, beside: file, in: folder)
        }
    }

    private func overRelay(in folder: URL) throws {
        try withNodes(in: folder, relayed: true) { nodes in
            let file = try file(bytes: relayed << 20, in: folder)
            let took = try nodes.transfer(file, to: folder.appending(path: "relayed"))
            try reportRate("relay", relayed, took, nodes, beside: file, in: folder)
        }
    }

    private func reportRate(
        _ way: String, _ megabytes: Int, _ took: (share: Double, fetch: Double), _ nodes: FileNodes, beside file: URL,
        in folder: URL
    ) throws {
        let copy = folder.appending(path: "limit.bin")
        let least = baseline_file_seconds(file.path, copy.path)
        guard least > 0 else { throw BenchError.limitFailed }
        try FileManager.default.removeItem(at: copy)
        let bytes = Double(megabytes) * Double(1 << 20) / 1e6
        var tally = Tally()
        tally.add(rate: "mb_per_second", bytes / took.fetch, limit: bytes / least)
        tally.add("share_mb_per_second", bytes / took.share)
        for (name, kilobytes) in try nodes.peaks() { tally.add("\(name)_peak_kb", Double(kilobytes)) }
        try tally.report(["bench": "files", "way": way, "megabytes": megabytes])
    }

    private func manySmall(in folder: URL) throws {
        try withNodes(in: folder, relayed: false) { nodes in
            let source = folder.appending(path: "small")
            try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
            for number in 0..<small {
                try Self.noise(4_096).write(to: source.appending(path: "\(number).bin"))
            }
            let took = try nodes.transfer(source, to: folder.appending(path: "unpacked"))
            var tally = Tally()
            tally.add("files_per_second", Double(small) / took.fetch)
            tally.add("shared_files_per_second", Double(small) / took.share)
            try tally.report(["bench": "files", "way": "small", "files": small, "bytes_each": 4_096])
        }
    }

    private func withNodes(in folder: URL, relayed: Bool, _ work: (FileNodes) throws -> Void) throws {
        let own = folder.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        defer { _ = Swift.Result { try FileManager.default.removeItem(at: own) } }
        let nodes = try FileNodes(target.path, in: own, relayed: relayed)
        defer { nodes.end() }
        try work(nodes)
    }

    private static func noise(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// A file of one mebibyte of noise, repeated with its number, so that no two pieces are equal.
    private func file(bytes: Int, in folder: URL) throws -> URL {
        let path = folder.appending(path: "large.bin")
        guard FileManager.default.createFile(atPath: path.path, contents: nil) else {
            throw BenchError("no file \(path)")
        }
        let file = try FileHandle(forWritingTo: path)
        var portion = Self.noise(1 << 20)
        for number in 0..<(bytes >> 20) {
            let mark = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            for start in stride(from: 0, to: portion.count, by: 32_768) {
                portion.replaceSubrange(start..<start + 8, with: mark)
            }
            try file.write(contentsOf: portion)
        }
        try file.close()
        return path
    }
}

/// Two nodes that are linked, or that a third one links.
private final class FileNodes {
    private let giver: ChatProcess
    private let relay: ChatProcess?
    private let wanter: ChatProcess

    init(_ program: String, in folder: URL, relayed: Bool) throws {
        let arguments = ["--discovery", "off", "--mesh", "bench-\(UUID().uuidString.prefix(8))"]
        giver = try ChatProcess(program, prefix: nil, name: "giver", directory: folder, arguments)
        try giver.start()
        var port = try Self.port(of: giver)
        if relayed {
            let relay = try ChatProcess(
                program, prefix: nil, name: "relay", directory: folder, arguments + ["--peer", "127.0.0.1:\(port)"])
            try relay.start()
            port = try Self.port(of: relay)
            try relay.wait { $0["state"] as? String == "connected" }
            self.relay = relay
        } else {
            relay = nil
        }
        wanter = try ChatProcess(
            program, prefix: nil, name: "wanter", directory: folder,
            arguments + ["--peer", "127.0.0.1:\(port)"])
        try wanter.start()
        try wanter.wait { $0["state"] as? String == "connected" }
    }

    private static func port(of node: ChatProcess) throws -> Int {
        let ready = try node.wait { $0["event"] as? String == "ready" }
        guard let port = ready["port"] as? Int else { throw BenchError("the node reports no port") }
        return port
    }

    /// - Returns: seconds to share it, and seconds to fetch and save it.
    func transfer(_ source: URL, to target: URL) throws -> (share: Double, fetch: Double) {
        let begun = seconds()
        try giver.say("/send \(source.path)")
        try giver.wait { $0["event"] as? String == "file" }
        let shared = seconds()
        try wanter.wait { $0["event"] as? String == "message" && $0["file"] != nil }
        let asked = seconds()
        try wanter.say("/get --output \(target.path)")
        let outcome = try wanter.wait { ($0["code"] as? String)?.hasPrefix("file") ?? false }
        guard outcome["code"] as? String == "fileSaved" else { throw BenchError("\(outcome)") }
        return (shared - begun, seconds() - asked)
    }

    func peaks() throws -> [(String, Int)] {
        try [("giver", giver), ("relay", relay), ("wanter", wanter)].compactMap { name, node in
            try node.map { (name, try $0.cost.memory().peak) }
        }
    }

    func end() {
        for node in [giver, relay, wanter] { node?.end() }
    }
}
