import ArgumentParser
import Foundation

/// Measures the program as people run it: whole processes, pipes and sockets. Prints one JSON object a line.
@main
struct LatticeBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lattice-bench",
        abstract: "Measure lattice; each figure stands beside a limit from the same run.",
        subcommands: [
            StartBench.self, ConnectBench.self, ChatBench.self, IdleBench.self, StoreLinesBench.self, SearchBench.self,
            ListsBench.self,
            SyncBench.self, FeedBench.self, BridgeBench.self,
            NegentropyHarness.self, MeshBench.self, FilesBench.self, PicturesBench.self, KnownBench.self,
            GrowthBench.self, LibraryBench.self,
            EndureBench.self,
        ]
    )
}

/// The program to measure, and where its peers run.
struct TargetOptions: ParsableArguments {
    @Option(help: "The program to measure; by default the one in the folder of this one.")
    var program: String?

    @Option(help: "Command that runs the first peer on another host, such as 'tools/lab run demo-a'.")
    var first: String?

    @Option(help: "Command that runs the second peer on another host.")
    var second: String?

    var path: String {
        program
            ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "lattice")
            .path
    }
}

struct Sample {
    private let sorted: [Double]

    init(_ values: [Double]) {
        sorted = values.sorted()
    }

    /// The nearest-rank percentile.
    func percentile(_ percent: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    var median: Double { percentile(50) }
    var worst: Double { sorted.last ?? .nan }
}

func report(_ figures: [String: Any]) throws {
    let data = try JSONSerialization.data(withJSONObject: figures, options: [.sortedKeys, .withoutEscapingSlashes])
    // Written at once, so that an interrupted run has printed its figures so far.
    try FileHandle.standardOutput.write(contentsOf: data + Data("\n".utf8))
}

func rounded(_ value: Double) -> Double {
    (value * 100).rounded() / 100
}

/// Monotonic time in seconds.
func seconds() -> Double {
    Double(DispatchTime.now().uptimeNanoseconds) / 1e9
}

/// Processor time of this process in seconds. Other load on the machine does not change it.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
