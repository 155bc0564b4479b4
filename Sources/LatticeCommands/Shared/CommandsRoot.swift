import ArgumentParser
import LatticeHost

/// The root command under which a chat parses these commands. The program has its own root with more commands.
struct CommandsRoot: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lattice", version: ProgramVersion.text,
        subcommands: SharedCommands.shell.map { $0 as any ParsableCommand.Type })
}
