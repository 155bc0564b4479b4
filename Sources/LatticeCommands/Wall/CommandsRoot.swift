import ArgumentParser
import LatticeHost

/// The root below which a chat parses these commands. The program has another one, with its other commands.
struct CommandsRoot: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lattice", version: ProgramVersion.text,
        subcommands: WallCommands.shell.map { $0 as any ParsableCommand.Type })
}
