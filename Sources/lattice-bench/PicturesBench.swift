import ArgumentParser
import Foundation
import LatticePictureDecoder

/// What it takes to make a photo and a thumbnail of a camera's picture, beside decoding it.
struct PicturesBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pictures", abstract: "Time and memory of making a photo and a thumbnail, beside djpeg.",
        discussion: """
            The picture has 4,000 by 3,000 pixels and is made by cjpeg (Debian: libjpeg-turbo-progs). The child process that \
            decodes is started anew each time, as djpeg is. If vipsthumbnail (libvips-tools) is there, it is measured, too.
            """)

    @OptionGroup var target: TargetOptions

    @Option(help: "Rounds, in turn.")
    var runs = 20

    @Option(help: "A picture to use instead.")
    var picture: String?

    private static let width = 4_000
    private static let height = 3_000

    func validate() throws {
        guard (1...1_000).contains(runs) else { throw ValidationError("--runs must be from 1 to 1000.") }
    }

    func run() async throws {
        try await withScratch { folder in
            let path = try picture ?? made(in: folder)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            let peers = [
                ("djpeg", ["djpeg", "-outfile", "/dev/null", path]),
                ("djpeg_quarter", ["djpeg", "-scale", "1/4", "-outfile", "/dev/null", path]),
                (
                    "vipsthumbnail",
                    ["vipsthumbnail", path, "--size", "560x560", "--output", "\(folder.path)/%s.small.jpg"]
                ),
            ].filter { Self.isThere($0.1[0]) }
            guard peers.first?.0 == "djpeg" else { throw BenchError("djpeg is missing: install libjpeg-turbo-progs") }
            let decoder = PictureDecoder(program: target.path)
            var tally = Tally()
            // The first round only loads the files into memory.
            for round in 0...runs {
                let ours = try await Self.cost { _ = try await decoder.render(bytes) }
                // Of all children so far: the peers come later.
                if round == 0 { tally.add("peak_kb", Double(Self.children.ru_maxrss)) }
                let theirs = try peers.map { name, words in
                    let process = SpawnedProcess(words: words, face: .pipe)
                    try process.start()
                    return (name, try process.waitForEnd())
                }
                guard round > 0 else { continue }
                tally.add(cost: "ms", ours.wallTime * 1_000, limit: theirs[0].1.wallTime * 1_000)
                tally.add(cost: "cpu_ms", ours.processor * 1_000, limit: theirs[0].1.processor * 1_000)
                for (name, cost) in theirs {
                    tally.add("\(name)_ms", cost.wallTime * 1_000)
                    tally.add("\(name)_cpu_ms", cost.processor * 1_000)
                }
            }
            try tally.report(["bench": "pictures", "runs": runs, "bytes": bytes.count, "limit": "djpeg"])
        }
    }

    private static var children: rusage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return usage
    }

    /// Processor time is that of children that ended meanwhile.
    private static func cost(of work: () async throws -> Void) async throws -> (wallTime: Double, processor: Double) {
        let (begun, before) = (seconds(), children.processorSeconds)
        try await work()
        return (seconds() - begun, children.processorSeconds - before)
    }

    private static func isThere(_ program: String) -> Bool {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    /// Soft hills with grain, as a camera sees them: about 4 MB.
    private func made(in folder: URL) throws -> String {
        var generator = SystemRandomNumberGenerator()
        var rows = Data("P6 \(Self.width) \(Self.height) 255\n".utf8)
        rows.reserveCapacity(rows.count + Self.width * Self.height * 3)
        for y in 0..<Self.height {
            let row = (0..<Self.width).flatMap { x -> [UInt8] in
                let hill = (x * x / 9_000 + y * 40 / (1 + x / 50 % 7)) % 200
                let grain = Int.random(in: 0...24, using: &generator)
                return [hill + grain, (hill + y / 20) % 200 + grain, (200 - hill) + grain].map(UInt8.init)
            }
            rows.append(contentsOf: row)
        }
        let plain = folder.appending(path: "picture.ppm")
        try rows.write(to: plain)
        let path = folder.appending(path: "picture.jpg").path
        let process = SpawnedProcess(words: ["cjpeg", "-quality", "85", "-outfile", path, plain.path], face: .pipe)
        try process.start()
        _ = try process.waitForEnd()
        return path
    }
}
