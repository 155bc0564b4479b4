import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeCrypto
import LatticeNode

/// `lattice sync`
struct SyncCommand: AsyncParsableCommand, WallManualled {
    static let manual = WallManual(
        "sync [now|status]", "Get what others have and you lack, or show how that stands.",
        examples: ["sync", "sync now --wait 60", "sync status"])
    static let configuration = manual.configuration(
        subcommands: [SyncNowCommand.self, SyncStatusCommand.self], default: SyncNowCommand.self)
}

/// Of `lattice sync`: it is to meet somebody, and takes as long as that takes.
struct SyncOptions: WallOptions {
    @OptionGroup var person: PersonOptions

    @Flag(help: "One JSON object a line on standard output.")
    var json = false

    @Option(
        help: ArgumentHelp("How long it may take in all, 1 to 86400.", valueName: "seconds"),
        transform: Arguments.number(1...86_400, "--wait"))
    var wait = 30

    @OptionGroup var network: NetworkOptions

    var meshName: MeshName? { network.mesh }
    var closed: ClosedMeshOptions { network.closed }
    var textClustersMax: Int? { nil }
    var isReadOnly: Bool { false }

    func handOver(of identity: Identity, in directory: DataDirectory) throws -> (NodeConfiguration, Duration)? {
        var configuration = try network.configuration(of: identity, in: directory, room: RoomName("#lobby"))
        // Whoever comes by for a moment is in no room.
        configuration.rooms = []
        return (configuration, .seconds(wait))
    }
}

/// `lattice sync now`
struct SyncNowCommand: AsyncParsableCommand, WallManualled {
    static let manual = WallManual(
        "sync now [--wait 30]", "Connect, get what others have and you lack, give them what they lack, and end.",
        discussion: """
            Ends with code 0 when nothing is missing any more, 69 if nobody is there, 75 if it was not done in time: what \
            came by then is kept. Beside a running chat it is not needed: that does it all the time.
            """,
        examples: ["sync now", "sync --peer 10.77.1.2:40899 --wait 60"])
    static let configuration = manual.configuration()

    @OptionGroup var options: SyncOptions

    func run() async throws {
        let (session, handOver) = try WallShell.open(options)
        guard let (configuration, patience) = handOver else { preconditionFailure("it is for others to take") }
        let bar = ProgressBar(json: options.json)
        let end = await session.sync(configuration, atMost: patience) { bar.show($0) }
        bar.erase()
        await session.close()
        let output = SyncAnswer.output(end, seconds: options.wait)
        try WallShell.show(output, json: options.json)
        if output.exitCode != 0 { throw ExitCode(output.exitCode) }
    }
}

/// How `lattice sync` ended, in words and in a code.
enum SyncAnswer {
    static func output(_ end: WallSession.SyncEnd, seconds: Int) -> WallOutput {
        switch end {
        case .caughtUp(let progress):
            return WallOutput([SyncPhrases.caughtUp(progress)], objects: [progress.object])
        case .nobodyThere:
            let message =
                "nobody is there to compare with; others need the same mesh and network, or name one: --peer HOST:PORT"
            return WallOutput(failure: WallFailure(code: "nobodyThere", message, exitCode: 69))
        case .unfinished(let progress):
            var output = WallOutput([], objects: [progress.object])
            output.failure = WallFailure(
                code: "unfinished",
                "\(SyncPhrases.unfinished(progress)) after \(seconds) s; what came is kept: go on with lattice sync",
                exitCode: 75)
            return output
        case .elsewhere(let note):
            let message =
                "what runs for this folder, process \(note.process), is in \(note.shownMesh) and compares nothing of another; "
                + "end it first, or name that mesh"
            return WallOutput(failure: WallFailure(code: "otherMesh", message, exitCode: 69))
        case .byRunningNode:
            let message = "a chat that runs for this folder does it all the time; /sync there does it at once"
            return WallOutput(
                [], remarks: [message],
                objects: [
                    JSONLine([
                        ("event", .text("notice")), ("code", .text("byRunningNode")), ("message", .text(message)),
                    ])
                ])
        }
    }
}

/// How far it is: for programs an object each time, for a person at a terminal one line that stands still.
struct ProgressBar: Sendable {
    private let json: Bool
    private let isTerminal = isatty(2) == 1

    init(json: Bool) {
        self.json = json
    }

    func show(_ progress: SyncProgress) {
        // The last one is told by the answer.
        guard !progress.isCaughtUp else { return }
        if json {
            do {
                try Report.output("\(progress.object.description)\n")
            } catch {
                return  // Nobody reads it; the answer says so.
            }
        } else if isTerminal, progress.total > 0 {
            Report.raw("\r\(SyncPhrases.bar(progress))\u{1B}[K")
        }
    }

    func erase() {
        if isTerminal, !json { Report.raw("\r\u{1B}[K") }
    }
}

/// `lattice sync status`
struct SyncStatusCommand: WallCommand {
    static let manual = WallManual(
        "sync status", "Show what is kept and since when, when you were caught up, and who gave and took how much.",
        discussion: "'since' is the date before which, for want of room, nothing of strangers is kept.",
        examples: ["sync status"])

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        guard case .syncStatus(let status) = try await node.perform(.syncStatus) else {
            preconditionFailure("each request names its answer")
        }
        return SyncLines.output(status, context)
    }
}

/// `lattice history`
struct HistoryCommand: WallCommand {
    static let manual = WallManual(
        "history [ROOM] [-n 50]", "Show what was said in a room, as far as it is kept here.",
        discussion: """
            Nobody has to be there. In a chat, '/history 200' shows the last 200 lines. The '#' of a room can be left out, \
            since a shell takes it for a remark.
            """,
        examples: ["history", "history park -n 200", "history '#park'"])

    @Argument(help: ArgumentHelp("Which room. (default: #lobby)", valueName: "room"), transform: Arguments.roomName)
    var room: RoomName?

    @Option(
        name: [.customShort("n"), .customLong("lines")],
        help: ArgumentHelp("How many lines, the last ones, 1 to 10000. (default: 50)", valueName: "n"),
        transform: Arguments.number(1...HistoryQuery.limitMax, "-n"))
    var lines = 50

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let query = HistoryQuery(room: try room ?? RoomName("#lobby"), limit: lines)
        guard case .history(let page) = try await node.perform(.history(query)) else {
            preconditionFailure("each request names its answer")
        }
        return HistoryLines.output(page, query, context)
    }
}
