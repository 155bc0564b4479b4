import ArgumentParser
import Foundation

/// A mesh of processes that talk for a long time while some of them leave and return, observed from outside.
struct EndureBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endure",
        abstract: "Endurance: many lines for a long time, with peers that are killed and restart.",
        discussion: """
            Exits with 1 if a line is lost or stored twice, if memory or descriptors grow, if lines arrive later and later, or if the \
            dates of lines run ahead of the clock. Only root can count descriptors.
            """)

    @OptionGroup var target: TargetOptions

    @Option(help: "Number of processes.")
    var peers = 8

    @Option(help: "Processes that run from start to end.")
    var steadfast = 3

    @Option(help: "Lines per second over all rooms together.")
    var rate = 20.0

    @Option(help: "Duration, in minutes.")
    var minutes = 5.0

    @Option(help: "Mean seconds between two departures; 0 for none.")
    var churn = 20.0

    @Option(help: "Lines that every second peer sends before it meets the others.")
    var past = 200

    @Option(help: "Bytes of text in a line.")
    var bytes = 100

    @Option(help: "Seconds between two samples of the processes.")
    var every = 5.0

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    func validate() throws {
        guard (2...64).contains(peers), (1...peers).contains(steadfast) else {
            throw ValidationError("--peers must be from 2 to 64, and at least 1 must stay.")
        }
        guard rate > 0, minutes > 0, churn >= 0, past >= 0, bytes >= 16, every > 0 else {
            throw ValidationError("Rates and times must be greater than 0, and a line needs 16 bytes or more.")
        }
        guard minutes * rate * 60 <= 1_000_000 else {
            throw ValidationError("A store is sure to hold 1,000,000 lines; use fewer.")
        }
    }

    func run() throws {
        // Writing to a killed process is expected here.
        signal(SIGPIPE, SIG_IGN)
        let lines = Int(minutes * 60 * rate)
        let plan = EndurancePlan(
            peers: peers, steadfast: steadfast, lines: lines, rate: rate, churn: churn, seed: seed)
        let faults = try withScratch { folder in
            let mesh = EnduranceMesh(self, plan, lines: lines, folder: folder)
            defer { mesh.end() }
            return try mesh.endure()
        }
        guard faults.isEmpty else { throw ExitCode(1) }
    }
}
