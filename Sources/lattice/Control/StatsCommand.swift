import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeHost
import LatticeNode
import LatticeSettings

struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show links, queues and counters of the running node.",
        discussion: """
            It asks the running node of the same folder: 'lattice run', or a chat. Prometheus gets the same figures with \
            --metrics.

            For example:
              lattice stats
              lattice stats --watch --interval 5
            """)

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions
    @OptionGroup var running: RunningOptions

    @Flag(help: "Print one JSON object; with --watch one per line.")
    var json = false

    @Flag(help: "Refresh until Ctrl-C, and show rates.")
    var watch = false

    @Option(
        help: ArgumentHelp("With --watch: time between refreshes. (default: 2)", valueName: "seconds"),
        transform: Arguments.number(1...3_600, "--interval"))
    var interval: Int?

    func validate() throws {
        guard interval == nil || watch else {
            throw ValidationError("--interval needs --watch")
        }
    }

    func run() async throws {
        if watch {
            return try await StatsWatch(person: person.choice, mesh: running.mesh, json: json, seconds: interval ?? 2)
                .run()
        }
        try await RunningShow.run(person.choice, running.mesh, json: json) { node, _ throws(RequestError) in
            .stats(try await StatsWatch.stats(of: node))
        }
    }
}

struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "List peers: state, hops, round-trip time, address, and how they were found.",
        discussion: "As the running node of the same folder sees them: 'lattice run', or a chat.")

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions
    @OptionGroup var running: RunningOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        try await RunningShow.run(person.choice, running.mesh, json: json) { node, me throws(RequestError) in
            let peers = try await node.perform(ListPeers()).peers
            let people = try await node.perform(ListKnownPeople()).people
            // They are called as a chat calls them.
            var conversation = Conversation(
                me: me, verifiedMark: Surroundings.ofShell().isUTF8 ? Roster.verifiedMark : "*")
            conversation.know(people)
            conversation.take(ContactMarks(people, muted: []))
            conversation.meet(peers)
            return .peers(peers, shown: peers.map(conversation.shown))
        }
    }
}

/// What is asked of whatever runs for a folder, in whichever mesh that is.
struct RunningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The running node must be in this mesh. (default: any)", valueName: "mesh"),
        transform: Arguments.meshName)
    var mesh: MeshName?
}
