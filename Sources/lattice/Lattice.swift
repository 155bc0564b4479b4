import ArgumentParser
import Glibc
import LatticeChat
import LatticeCommands
import LatticeHost
import LatticeNode
import LatticePictureDecoder
import LatticeSettings

/// Entry point: parses arguments, assembles the parts, runs them, and exits with one of six codes.
@main
struct Lattice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lattice",
        abstract: "Talk with people on the same network and leave posts at places. No server, no account.",
        discussion: """
            Start it in two terminals, or on two machines of one network:

              lattice chat --name alice
              lattice chat --name bob

            Exit codes: 0 done, 1 failed, 2 wrong usage, 69 nobody there (or the identity is in use), 75 try again.
            """,
        version: ProgramVersion.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Talk",
                subcommands: [ChatCommand.self] + shared(SharedCommands.messages + SharedCommands.past) + [
                    PipeCommand.self
                ]),
            CommandGroup(name: "Posts", subcommands: shared(SharedCommands.posts)),
            CommandGroup(name: "People and events", subcommands: shared(SharedCommands.people)),
            CommandGroup(name: "Contacts and blocking", subcommands: shared(SharedCommands.known)),
            CommandGroup(
                name: "Background node",
                subcommands: [
                    RunCommand.self, SayCommand.self, WatchCommand.self, PeersCommand.self, StatsCommand.self,
                ]),
            CommandGroup(name: "Browser and IRC", subcommands: [WebCommand.self, IRCCommand.self]),
            CommandGroup(name: "Invitations", subcommands: [InviteCommand.self, JoinCommand.self, ShareCommand.self]),
            CommandGroup(name: "Troubleshooting", subcommands: [DoctorCommand.self]),
            CommandGroup(name: "Storage", subcommands: shared(SharedCommands.store)),
            CommandGroup(
                name: "Identity and secrets",
                subcommands: [IdentityCommand.self, PassphraseCommand.self, WipeCommand.self]),
            CommandGroup(name: "Settings", subcommands: [ConfigCommand.self, ManualCommand.self]),
        ]
    )

    /// Casts one by one: casting the whole array looks up conformances of all types at run time, for each element.
    private static func shared(_ types: [any Manualled.Type]) -> [any ParsableCommand.Type] {
        types.map { $0 as any ParsableCommand.Type }
    }

    /// Keeps closed standard descriptors occupied by something that acts as if it were closed. Otherwise the next file
    /// or socket would get the number, and receive text meant for people.
    private static func holdStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one. Opened in the wrong direction, so that reading and writing fail with
            // EBADF.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    static func main() async {
        if PictureChild.isAsked(CommandLine.arguments) { PictureChild.run() }
        holdStandardDescriptors()
        ProcessMemory.prepare()
        // A closed reader is reported by write(2), and not by a signal that ends the program without a goodbye.
        signal(SIGPIPE, SIG_IGN)
        // Swift reads the arguments, including the program's name, from /proc/self/cmdline.
        if CommandLine.arguments.isEmpty {
            WrongUsage.end(
                Failure(.failed, "cannot read the arguments without /proc; mount it: mount -t proc proc /proc"))
        }
        HelpPrinter.answer(Array(CommandLine.arguments.dropFirst()))
        WrongUsage.check(Array(CommandLine.arguments.dropFirst()))
        if let objection = ClosedMeshChoice.objection(to: Array(CommandLine.arguments.dropFirst())) {
            WrongUsage.end(objection, about: "passphrase", helpCall: helpCall)
        }
        if let objection = PassphraseReader.objection(to: Array(CommandLine.arguments.dropFirst())) {
            WrongUsage.end(objection, about: "passphrase_file", helpCall: helpCall)
        }
        do {
            try await Settings.$current.withValue(try settings()) {
                var command = try parsed(words)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            }
        } catch let error as Failure {
            WrongUsage.end(error)
        } catch let error as QuietEnd {
            Glibc.exit(error.exitCode)
        } catch {
            end(with: error)
        }
    }

    /// Parses a command without subcommands directly: parsing from the root makes every command on the way describe its
    /// arguments several times. Errors and help are still produced from the root.
    private static func parsed(_ words: [String]) throws -> any ParsableCommand {
        let asksForHelp = words.prefix { $0 != "--" }.contains { ["--help", "-h"].contains($0) }
        if let first = words.first, !asksForHelp,
            let type = configuration.subcommands.first(where: { $0.configuration.commandName == first }),
            type.configuration.subcommands.isEmpty
        {
            do {
                return try type.parseAsRoot(Array(words.dropFirst()))
            } catch {
                return try parseAsRoot(words)
            }
        }
        return try parseAsRoot(words)
    }

    /// Help, version and the path of the settings must work even if the settings are broken.
    private static func settings() throws(Failure) -> Settings {
        let words = Array(CommandLine.arguments.dropFirst())
        let asks = ["--help", "-h", "--version", "--generate-completion-script", "--experimental-dump-help"]
        let options = words.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
        let isAsked = options.contains(where: asks.contains)
        guard let first = words.first, first != "help", !isAsked, first != "manual",
            words.prefix(2) != ["config", "path"]
        else {
            return Settings()
        }
        return try Settings.load(words)
    }

    /// The arguments. In commands about posts, a coordinate may begin with a minus.
    private static var words: [String] {
        let words = Array(CommandLine.arguments.dropFirst())
        let others = [InviteCommand.configuration.commandName]
        guard let first = words.first,
            others.contains(first) || SharedCommands.shell.contains(where: { $0.manual.words == first })
        else { return words }
        return ArgumentWords.shielded(ArgumentWords.withDates(words))
    }

    private static var helpCall: String {
        var type: any ParsableCommand.Type = Lattice.self
        var names: [String] = []
        for word in CommandLine.arguments.dropFirst() {
            guard let next = type.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            else {
                if names.isEmpty { continue }
                break
            }
            type = next
            names.append(word)
        }
        return "lattice \((names + ["--help"]).joined(separator: " "))"
    }

    /// Prints help and version on standard output, or a mistake as one line that says what to do.
    private static func end(with error: any Error) -> Never {
        switch exitCode(for: error) {
        case .success:
            let text = fullMessage(for: error)
            let isHelp = text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ")
            if !text.isEmpty { print(isHelp ? CommonOptions.below(text) : text, terminator: isHelp ? "" : "\n") }
            Glibc.exit(0)
        case .validationFailure:
            let words = Array(CommandLine.arguments.dropFirst())
            let example = SharedCommands.named(words)?.manual.examples.first.map { "lattice \($0)" }
            var message = message(for: error)
            if words.first?.hasPrefix("-") == true, message.hasPrefix("Unknown option"), helpCall != "lattice --help" {
                message += "; the command comes before its options: '\(helpCall.replacing(" --help", with: " …"))'"
            }
            WrongUsage.end(
                ArgumentWords.told(message, example: example), about: UsageField.name(in: message), helpCall: helpCall)
        case let code:
            let text = message(for: error)
            if !text.isEmpty { Report.error(text) }
            Glibc.exit(code.rawValue)
        }
    }
}
