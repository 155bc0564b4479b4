import ArgumentParser
import Glibc

/// Entry point: parses arguments, runs worlds, prints the results, and exits with one of three codes.
@main
struct LatticeSim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lattice-sim",
        abstract: "Simulate whole meshes in one thread from one seed.",
        discussion: """
            One seed is one run: two processes print the same bytes, the wall time aside.

              lattice-sim run --peers 1000 --records 20
              lattice-sim urgent --peers 1000
              lattice-sim sweep --seeds 500
              lattice-sim replay 17 --trace

            Exit codes: 0 done, 1 a judge found a fault, 2 wrong usage.
            """,
        subcommands: [
            ExperimentCommand.self, MeetCommand.self, UrgentCommand.self, SweepCommand.self, ReplayCommand.self,
        ]
    )

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            end(with: error)
        }
    }

    /// Prints help on standard output, or a mistake as one line that says what to do.
    private static func end(with error: any Error) -> Never {
        switch exitCode(for: error) {
        case .success:
            print(fullMessage(for: error))
            Glibc.exit(0)
        case .validationFailure:
            report("\(message(for: error)) (see 'lattice-sim --help')")
            Glibc.exit(2)
        case let code:
            let text = message(for: error)
            if !text.isEmpty { report(text) }
            Glibc.exit(code.rawValue)
        }
    }

    private static func report(_ text: String) {
        let line = Array("lattice-sim: \(text)\n".utf8)
        // If standard error cannot be written, there is no other place to report it.
        _ = write(2, line, line.count)
    }
}
