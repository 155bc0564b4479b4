import ArgumentParser
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeHost
import LatticeSettings
import Logging

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show effective settings and where each comes from.",
        discussion: """
            Settings are in one JSON file with // comments: ~/.config/lattice/config.json, or /etc/lattice/config.json if that \
            does not exist. An environment variable such as LATTICE_MESH overrides the file, and an option overrides both.

            For example:

              lattice config show
              lattice config show --config /etc/lattice/config.json --json
              lattice config path
            """,
        subcommands: [ConfigShowCommand.self, ConfigPathCommand.self], defaultSubcommand: ConfigShowCommand.self)
}

struct ConfigShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "List each setting, its value and where it comes from.",
        discussion: """
            Add options of 'lattice run' to see their effect. Secrets are shown as file names only. If 'lattice run' would \
            refuse these settings, for example because others can read a key file, the reasons follow on standard error and \
            the exit code is 2.
            """)

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions
    @OptionGroup(title: CommonOptions.title) var network: NetworkOptions
    @OptionGroup(title: "IRC") var irc: IRCOptions

    @Option(
        help: ArgumentHelp("A room to join; repeatable.", valueName: "#room"),
        transform: Arguments.roomName)
    var room: [RoomName] = []

    @Option(
        help: ArgumentHelp("Log level: debug, info, warning or error.", valueName: "level"),
        transform: Arguments.logLevel)
    var log: Logger.Level?

    @Flag(help: "Print one JSON object per setting.")
    var json = false

    func run() async throws {
        let settings = Settings.current
        let lines = json ? SettingsTable.objects(settings).map(\.description) : SettingsTable.lines(settings)
        let refusals = RunRefusals.found(person.choice, network.choice, irc.choice)
        let objects = refusals.map {
            CommandFailure(code: $0.kind.code, $0.description, exitCode: 2).object.description
        }
        try Report.output((lines + (json ? objects : [])).map { "\($0)\n" }.joined())
        if !json { refusals.forEach { Report.error($0.description) } }
        if !refusals.isEmpty { throw ExitCode(2) }
    }
}

struct ConfigPathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print the path of the settings file, even if it does not exist or is broken.",
        discussion: "For example: ${EDITOR:-nano} \"$(lattice config path)\"")

    @Option(help: ArgumentHelp("The settings file.", valueName: "file"))
    var config: String?

    func run() throws {
        try Report.output("\(Settings.place(config.map { ["--config", $0] } ?? []).path)\n")
    }
}
