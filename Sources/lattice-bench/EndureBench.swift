import ArgumentParser
import Foundation

/// A mesh of whole processes that talk for a long time while some of them go and come back; watched from outside.
struct EndureBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endure",
        abstract: "Many lines over a long time, with peers that are killed and come back: nothing lost, nothing grows.",
        discussion: """
            Ends with code 1 if a line is lost or kept twice, if memory or descriptors grow, if lines come later and later, or if the \
            dates of lines run ahead of the clock. Descriptors are told to the superuser alone.
            """)

    @OptionGroup var target: TargetOptions

    @Option(help: "How many processes.")
    var peers = 8

    @Option(help: "How many of them stay from the beginning to the end.")
    var steadfast = 3

    @Option(help: "Lines a second, of all of them together.")
    var rate = 20.0

    @Option(help: "For how long, in minutes.")
    var minutes = 5.0

    @Option(help: "Seconds between one who goes and the next, on average; 0 is nobody.")
    var churn = 20.0

    @Option(help: "Lines that every second one said before it knew the others.")
    var past = 200

    @Option(help: "Bytes of a line's text.")
    var bytes = 100

    @Option(help: "Seconds between two looks at the processes.")
    var every = 5.0

    @Option(help: "What all chance comes from.")
    var seed: UInt64 = 1

    func validate() throws {
        guard (2...64).contains(peers), (1...peers).contains(steadfast) else {
            throw ValidationError("There are 2 to 64 processes, and 1 or more of them stay.")
        }
        guard rate > 0, minutes > 0, churn >= 0, past >= 0, bytes >= 16, every > 0 else {
            throw ValidationError("Rates and times are more than nothing, and a line has 16 bytes or more.")
        }
        guard minutes * rate * 60 <= 1_000_000 else {
            throw ValidationError("More than 1,000,000 lines are more than a store keeps for sure.")
        }
    }

    func run() throws {
        // Whoever was killed reads no more, which is what is wanted.
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
