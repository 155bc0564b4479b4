import ArgumentParser
import Glibc
import LatticeHost

/// Entry point of the bridge: a program beside a running node, which links what a node does not need.
@main
struct LatticeBridgeProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lattice-bridge",
        abstract: "Join meshes that share no network, over an engine that you run.",
        version: ProgramVersion.text,
        subcommands: [NatsCommand.self, MqttCommand.self, KeyCommand.self])

    static func main() async {
        // A connection that is gone is reported by write(2), and not by a signal that ends the program.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            let command = CommandLine.arguments.dropFirst().first ?? ""
            let isKnown = ["nats", "mqtt", "key"].contains(command)
            let help = isKnown ? "lattice-bridge \(command) --help" : "lattice-bridge --help"
            BridgeJournal.write("\(message(for: error)) (see '\(help)')")
            Glibc.exit(2)
        }
    }
}
