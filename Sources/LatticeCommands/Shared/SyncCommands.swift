import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeCrypto
import LatticeHost
import LatticeNode
import LatticeSettings

struct SyncCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "sync [now|status]", "Sync with peers, or show the sync status.",
        examples: ["sync", "sync now --wait 60", "sync status"])
    static let configuration = manual.configuration(
        subcommands: [SyncNowCommand.self, SyncStatusCommand.self], default: SyncNowCommand.self)
}

/// Options of `lattice sync`, which meets other peers and takes as long as that needs.
struct SyncOptions: SharedOptions {
    @OptionGroup(title: CommonOptions.title) var person: PersonOptions

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Option(
        help: ArgumentHelp("Time limit, 1 to 86400.", valueName: "seconds"),
        transform: Arguments.number(1...86_400, "--wait"))
    var wait = 30

    @OptionGroup(title: CommonOptions.title) var network: NetworkOptions

    var meshName: MeshName? { network.mesh }
    var closed: ClosedMeshOptions { network.closed }
    var textClustersMax: Int? { nil }
    var isReadOnly: Bool { false }

    func handOver(of identity: Identity, in directory: DataDirectory) throws -> (NodeConfiguration, Duration)? {
        var configuration = try network.choice.configuration(of: identity, in: directory, room: RoomName("#lobby"))
        // A short-lived node joins no room.
        configuration.rooms = []
        configuration.isBrief = true
        return (configuration, .seconds(wait))
    }
}

struct SyncNowCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "sync now [--wait 30]", "Connect, sync with peers, and exit.",
        discussion: """
            Exits with code 0 when in sync, 69 if nobody is there, and 75 if it was not done in time; received records are \
            kept. You do not need it while a chat runs, which syncs all the time.
            """,
        examples: ["sync now", "sync --peer 10.77.1.2:40899 --wait 60"])
    static let configuration = manual.configuration()

    @OptionGroup var options: SyncOptions

    func run() async throws {
        let (session, handOver) = try CommandShell.open(options)
        guard let (configuration, patience) = handOver else { preconditionFailure("it is for others to take") }
        let bar = ProgressBar(json: options.json)
        let end = await session.sync(configuration, atMost: patience) { bar.show($0) }
        bar.erase()
        await session.close()
        let output = SyncAnswer.output(end, seconds: options.wait)
        try CommandShell.show(output, json: options.json)
        if output.exitCode != 0 { throw ExitCode(output.exitCode) }
    }
}

/// The result of `lattice sync` as text and exit code.
enum SyncAnswer {
    static func output(_ end: StoreSession.SyncEnd, seconds: Int) -> CommandOutput {
        switch end {
        case .caughtUp(let progress):
            return CommandOutput([SyncPhrases.caughtUp(progress)], objects: [progress.object])
        case .nobodyThere:
            let message =
                "nobody is there to sync with; peers need the same mesh and network, or give an address: --peer HOST:PORT"
            return CommandOutput(failure: CommandFailure(code: "nobodyThere", message, exitCode: 69))
        case .unfinished(let progress):
            var output = CommandOutput([], objects: [progress.object])
            output.failure = CommandFailure(
                code: "unfinished",
                "\(SyncPhrases.unfinished(progress)) after \(seconds) s; received records are kept. To continue: lattice sync",
                exitCode: 75)
            return output
        case .elsewhere(let note):
            let message =
                "the lattice for this folder, process \(note.process), is in \(note.shownMesh) and syncs only that; "
                + "stop it first, or use that mesh"
            return CommandOutput(failure: CommandFailure(code: "otherMesh", message, exitCode: 69))
        case .byRunningNode:
            let message = "your running chat syncs all the time; type /sync there to sync now"
            return CommandOutput(
                [], remarks: [message],
                objects: [
                    JSONLine([
                        ("event", .text("notice")), ("code", .text("byRunningNode")), ("message", .text(message)),
                    ])
                ])
        }
    }
}

/// Shows progress: an object each time for programs, one line that is redrawn for a person at a terminal.
struct ProgressBar: Sendable {
    private let json: Bool
    private let isTerminal = isatty(2) == 1

    init(json: Bool) {
        self.json = json
    }

    func show(_ progress: SyncProgress) {
        // The answer reports the end.
        guard !progress.isCaughtUp else { return }
        if json {
            do {
                try Report.output("\(progress.object.description)\n")
            } catch {
                return  // Nobody reads the output; the answer reports that.
            }
        } else if isTerminal, progress.total > 0 {
            Report.raw("\r\(SyncPhrases.bar(progress))\u{1B}[K")
        }
    }

    func erase() {
        if isTerminal, !json { Report.raw("\r\u{1B}[K") }
    }
}

struct SyncStatusCommand: SharedCommand {
    static let manual = CommandManual(
        "sync status", "Show what is stored, when you were last in sync, and with whom.",
        discussion: "'since': records of strangers before this date are not stored, for lack of space.",
        examples: ["sync status"])

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let status = try await node.perform(ShowSyncStatus())
        return SyncLines.output(status, context)
    }
}

struct HistoryCommand: SharedCommand {
    static let manual = CommandManual(
        "history [ROOM] [-n 50]", "Show the stored messages of a room.",
        discussion: """
            Nobody need be online. In a chat, '/history 200' shows the last 200 messages. You can omit the '#' of a room, \
            which the shell takes for a comment.
            """,
        examples: ["history", "history park -n 200", "history '#park'"])

    @Argument(help: ArgumentHelp("The room. (default: #lobby)", valueName: "room"), transform: Arguments.roomName)
    var room: RoomName?

    @Option(
        name: [.customShort("n"), .customLong("lines")],
        help: ArgumentHelp("How many messages, 1 to 10000. (default: 50)", valueName: "n"),
        transform: Arguments.number(1...HistoryQuery.limitMax, "-n"))
    var lines = 50

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let query = HistoryQuery(room: try room ?? RoomName("#lobby"), limit: lines)
        let page = try await node.perform(query)
        return HistoryLines.output(page, query, context)
    }
}
