import ArgumentParser
import Glibc
import LatticeAPI
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeHost
import LatticeNode
import LatticeSettings
import LatticeWire
import Logging

struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Chat with everybody on the network.",
        discussion: """
            Type a line and press Enter; /help lists the commands. In a pipe, each input line is sent and each message is \
            printed as one line. If 'lattice run' or another chat already runs for the same folder, this chat uses its node; \
            when that ends, this chat runs its own.
            """
    )

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions
    @OptionGroup(title: CommonOptions.title) var network: NetworkOptions
    @OptionGroup(title: "Metrics") var metrics: MetricsOptions

    @Option(
        help: ArgumentHelp("The room to join. (default: #lobby)", valueName: "#room"), transform: Arguments.roomName)
    var room: RoomName?

    @Option(
        help: ArgumentHelp(
            "Key of a private room: the first line of this file ('-' is standard input).", valueName: "file"))
    var roomKeyFile: String?

    @Option(
        help: ArgumentHelp("Hold input until n peers are connected.", valueName: "n"),
        transform: Arguments.number(0...64, "--wait"))
    var wait = 0

    @Option(
        help: ArgumentHelp("Exit with code 75 if --wait takes longer than this.", valueName: "seconds"),
        transform: Arguments.number(0...86_400, "--timeout"))
    var timeout: Int?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(help: "No line editor, for screen readers.")
    var plain = false

    @Flag(help: "No colours (also when NO_COLOR is set).")
    var noColor = false

    @OptionGroup(title: CommonOptions.title) var logging: LogOptions

    func validate() throws {
        guard roomKeyFile == nil || room != nil else {
            throw ValidationError("--room-key-file needs --room")
        }
    }

    func run() async throws { try await run(by: nil) }

    /// - Parameter link: the invitation link, if there is one.
    func run(by link: InvitationLink?) async throws {
        try Descriptors.check()
        try network.choice.check()
        let directory = try person.choice.directory()
        let settings = Settings.current
        let key = link == nil ? try network.choice.meshKey() : nil
        if link == nil {
            let wish = try RunningNode.Wish(network.mesh, key: key)
            repeat {
                if let end = try await chatAttached(directory, key: key) {
                    return try finish(end)
                }
            } while try await !Ownership.claim(directory, unless: wish, takesBrief: false)
        } else {
            try await Ownership.claim(directory)
        }
        let lobby = try RoomName("#lobby")
        let identity = try person.choice.identity(in: directory, isRemembered: false)
        var configuration = try network.choice.configuration(of: identity, in: directory, room: lobby)
        if let link {
            try link.apply(to: &configuration, options: network.choice)
        } else {
            configuration.meshKey = key
        }
        MeshElsewhere.reportClosed(configuration.mesh, key: configuration.meshKey, in: directory)
        if let key = configuration.meshKey { ClosedMeshChoice.compare(key, of: configuration.mesh, in: directory) }
        Ownership.openArchive(for: &configuration, in: directory)
        let book = directory.joinedRooms(of: configuration.mesh, key: configuration.meshKey)
        let last = configuration.isStoreClosed ? nil : book.read().last
        let room = room ?? last ?? settings.rooms.first ?? lobby
        configuration.rejoin(book, named: [room])
        try await enterPrivateRoom(room, configuration)
        // Signals are caught before anything is acquired that must be released.
        let signals = await ProgramSignal.caught(.interrupt, .terminate, .hangup)
        let host = try await Host(configuration, directory: directory, logger: Self.logger(logging))
        host.portRemark.map(Report.remark)
        let meter = try await metrics.said?.listening(host.node)
        let events = await host.node.events()
        let front = try front(of: host.node, host.me, room, directory)
        let end = await host.run {
            await MetricsFront.serving(meter) {
                await withTaskExecutorPreference(host.node.taskExecutor) {
                    await front.run(events: events, interrupted: { await Self.wait(for: signals) })
                }
            }
        }
        configuration.archive?.close()
        try finish(end)
    }

    /// Called before anything is said or announced.
    private func enterPrivateRoom(_ room: RoomName, _ configuration: NodeConfiguration) async throws {
        if configuration.isStoreClosed, room.text != "#lobby" {
            throw Failure(
                .failed, "the store could not be opened, so \(room) may be private; run 'lattice store check'")
        }
        guard let roomKeyFile else { return }
        let key = TypedKey(try PassphraseReader.roomKey(file: roomKeyFile))
        guard let archive = configuration.archive else {
            throw Failure(
                .failed, "a private room needs the store, which could not be opened; run 'lattice store check'")
        }
        do {
            _ = try await archive.rooms.enter(room, key, as: configuration.name, at: Surroundings.present())
        } catch {
            throw Failure(error.code == .invalid ? .usage : .failed, error.words)
        }
    }

    func front(
        of node: any MeshNode, _ me: Me, _ room: RoomName, _ directory: DataDirectory
    ) throws -> ChatFront {
        let isPlain = plain || Settings.current.flag(.plain)
        let isColorless = noColor || Settings.current.flag(.noColor)
        let slash = DoctorSlash(
            others: SlashCommands(
                hasColor: Surroundings.chatHasColor(json: json, plain: isPlain, noColor: isColorless),
                drawsPictures: !json && !isPlain && !TerminalDevice.plainWanted),
            doctor: Doctor(
                wish: try Doctor.wish(network.choice, key: nil), folder: directory.path, seconds: Doctor.secondsInChat))
        let face = try ChatFace.make(
            json: json, plain: isPlain, noColor: isColorless, me: me, historyPath: directory.historyPath,
            extraWords: slash.words)
        var settings = ChatSettings(
            room: room, isInteractive: face.isInteractive, now: Surroundings.present, calendar: .here)
        settings.isForPrograms = json
        settings.keepsTyped = face.keepsTyped
        settings.countsUnread = face.hasPrompt
        if !Surroundings.ofChat().isUTF8 { settings.verifiedMark = "*" }
        settings.waitCount = wait
        settings.timeout = timeout.map { Duration.seconds($0) }
        return ChatFront(
            node: node, me: me, screen: face.screen, renderer: face.renderer, settings: settings, slash: slash)
    }

    private func finish(_ end: ChatEnd) throws {
        if end == .outputClosed { Report.error("standard output was closed; left") }
        throw ExitCode(end.exitCode)
    }

    /// Returns at the first signal, and the chat ends with a goodbye.
    @Sendable static func wait(for signals: AsyncStream<ProgramSignal>) async {
        for await _ in signals { break }
        // If the goodbye hangs, the next signal ends the program at once.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }

    private static func logger(_ options: LogOptions) -> Logger {
        let level = options.log ?? .critical
        if options.format == .json { return ServiceLog.logger(.init(level), .json) }
        var logger = Logger(label: ServiceLog.label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}
