import ArgumentParser
import CBaseline
import Foundation
import LatticeCore
import LatticeStore
import LatticeWire

/// Files between whole nodes on this machine, beside what C does with the same bytes.
struct FilesBench: AsyncParsableCommand {
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

    func run() async throws {
        try await withScratch { folder in
            try await direct(in: folder)
            try await overRelay(in: folder)
            try await killed(in: folder)
            try await manySmall(in: folder)
        }
    }

    private func direct(in folder: URL) async throws {
        try await withNodes(in: folder, relayed: false) { nodes in
            let file = try file(bytes: megabytes << 20, in: folder)
            let took = try nodes.transfer(file, to: folder.appending(path: "direct"))
            try reportRate("direct", megabytes, took, nodes, beside: file, in: folder)
        }
    }

    private func overRelay(in folder: URL) async throws {
        try await withNodes(in: folder, relayed: true) { nodes in
            let file = try file(bytes: relayed << 20, in: folder)
            let took = try nodes.transfer(file, to: folder.appending(path: "relayed"))
            try reportRate("relay", relayed, took, nodes, beside: file, in: folder)
        }
    }

    /// Who fetches is killed at half: how much is sent twice, and how long it takes to see what is missing.
    private func killed(in folder: URL) async throws {
        try await withNodes(in: folder, relayed: false) { nodes in
            let file = try file(bytes: megabytes << 20, in: folder)
            // The nodes of the tree are pieces, too.
            let pieces = BlobShape(size: Int64(megabytes) << 20).pieceCount
            var tally = Tally()
            let sent = try await nodes.transferTwice(file, to: folder.appending(path: "killed"), pieces: pieces) {
                tally.add("missing_known_after_ms", try await Self.secondsToBegin(in: $0) * 1_000)
            }
            tally.add("sent_twice_kb", Double((sent - pieces) * 32))
            try tally.report(["bench": "files", "way": "killed", "megabytes": megabytes])
        }
    }

    /// - Parameter folder: the data folder of a node that does not run.
    private static func secondsToBegin(in folder: URL) async throws -> Double {
        let ending = ".blobs"
        let blobs = try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(ending) }
        guard let blobs else { throw BenchError("no blobs in \(folder.path)") }
        let parts = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(blobs)/part")
        let words = parts.first { !$0.contains(".") }?.split(separator: "-") ?? []
        guard words.count == 2, let root = Bytes32(hex: String(words[0])), let size = Int64(words[1]),
            let name = BlobName(root: root, size: size)
        else { throw BenchError("nothing had come") }
        let files = try BlobFiles(beside: "\(folder.path)/\(blobs.dropLast(ending.count)).sqlite")
        let begun = seconds()
        let have = try await files.begin(name)
        let took = seconds() - begun
        await files.close()
        guard !have.isEmpty, !have.isComplete else { throw BenchError("it was not killed at half") }
        return took
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

    private func manySmall(in folder: URL) async throws {
        try await withNodes(in: folder, relayed: false) { nodes in
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

    private func withNodes(in folder: URL, relayed: Bool, _ work: (FileNodes) async throws -> Void) async throws {
        let own = folder.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        defer { _ = Swift.Result { try FileManager.default.removeItem(at: own) } }
        let nodes = try FileNodes(target.path, in: own, relayed: relayed)
        defer { nodes.end() }
        try nodes.forgetStart()
        try await work(nodes)
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
