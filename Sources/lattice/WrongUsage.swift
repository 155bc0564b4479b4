import ArgumentParser
import Glibc
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeHost
import LatticeSettings

/// Reports invalid arguments: a line for people, an object for programs.
enum WrongUsage {
    /// Ends the program if the arguments name an unknown command.
    static func check(_ arguments: [String]) {
        let words = arguments.prefix { !$0.hasPrefix("-") }
        var type: any ParsableCommand.Type = Lattice.self
        for word in words {
            let parts = type.configuration.subcommands
            if let part = parts.first(where: { $0.configuration.commandName == word }) {
                type = part
                continue
            }
            // What else stands there is an argument of the command, not its name.
            let takesNames = SharedCommands.takesArguments(type)
            guard !parts.isEmpty, !takesNames, word != "help" else { return }
            let own = parts.compactMap { $0.configuration.commandName }
            let names = type == Lattice.self ? own + ["help"] : own
            let nearest = Spelling.nearest(to: word.lowercased(), among: names)
            let help = type == Lattice.self ? "lattice --help" : "lattice \(words.first ?? "") --help"
            let hint = nearest.map { "; did you mean \($0)?" } ?? ""
            end("there is no command \(DisplayText.isolated(String(word.prefix(32))))\(hint)", helpCall: help)
        }
    }

    /// - Parameter field: the name that programs know the field by.
    static func end(_ message: String, about field: String? = nil, helpCall: String) -> Never {
        let whole = "\(message) (see '\(helpCall)')"
        guard wantsJSON(CommandLine.arguments.dropFirst()) else {
            Report.error(whole)
            Glibc.exit(2)
        }
        print(CommandFailure.usage(whole, field: field).object.description)
        Glibc.exit(2)
    }

    /// Exits with the reason on standard error, or as JSON if a program asks.
    static func end(_ failure: Failure) -> Never {
        if wantsJSON(CommandLine.arguments.dropFirst()) {
            let told = CommandFailure(code: failure.kind.code, failure.description, exitCode: failure.exitCode)
            print(told.object.description)
        } else {
            Report.error(failure.description)
        }
        Glibc.exit(failure.exitCode)
    }

    /// Commands about posts, and those that act once, give programs their results on standard output, even errors.
    private static func wantsJSON(_ arguments: ArraySlice<String>) -> Bool {
        let others = [
            WipeCommand.configuration, InviteCommand.configuration, ConfigCommand.configuration,
            DoctorCommand.configuration, ShareCommand.configuration,
        ]
        let names = SharedCommands.shell.map { $0.manual.words } + others.compactMap(\.commandName)
        guard let first = arguments.first, names.contains(first) else { return false }
        return arguments.prefix { $0 != "--" }.contains("--json")
    }
}
