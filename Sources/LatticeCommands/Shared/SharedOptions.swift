package import ArgumentParser
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeHost
import LatticeNode
import LatticeSettings

/// The options that a shared command takes only in the shell.
protocol SharedOptions: ParsableArguments {
    var person: PersonOptions { get }
    var meshName: MeshName? { get }
    var closed: ClosedMeshOptions { get }
    var json: Bool { get }
    /// Whether a read-only folder is enough.
    var isReadOnly: Bool { get }
    var textClustersMax: Int? { get }
    /// How to hand over new records, and how long to wait for a peer to take them; `nil` if the command writes nothing.
    func handOver(of identity: Identity, in directory: DataDirectory) throws -> (NodeConfiguration, Duration)?
}

extension SharedOptions {
    var isMeshSaid: Bool { meshName != nil || closed.choice.isSaid }
}

struct ChosenMeshOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The mesh; only peers of the same mesh see each other. (default: lattice)", valueName: "mesh"),
        transform: Arguments.meshName)
    var mesh: MeshName?

    @OptionGroup var closed: ClosedMeshOptions
}

/// How long a text may be.
struct TextLengthOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Longest text in characters, 1 to 1000. (default: 140)", valueName: "n"),
        transform: Arguments.number(PostLimit.textClustersRange, "--text-max"))
    var textMax: Int?
}

/// Options of commands that write nothing.
struct ReadingOptions: SharedOptions {
    @OptionGroup(title: CommonOptions.title) var person: PersonOptions

    @OptionGroup(title: CommonOptions.title) var choice: ChosenMeshOptions

    @Flag(help: "Print one JSON object per line.")
    var json = false

    var meshName: MeshName? { choice.mesh }
    var closed: ClosedMeshOptions { choice.closed }
    var textClustersMax: Int? { nil }
    var isReadOnly: Bool { true }

    func handOver(of identity: Identity, in directory: DataDirectory) throws -> (NodeConfiguration, Duration)? { nil }
}

/// Options of commands that write records for others.
package struct WritingOptions: SharedOptions {
    @OptionGroup(title: CommonOptions.title) package var person: PersonOptions

    @Flag(help: "Print one JSON object per line.")
    package var json = false

    @Option(
        help: ArgumentHelp(
            "How long to look for a peer; 0 leaves it for later.", valueName: "seconds"),
        transform: Arguments.number(0...3_600, "--wait"))
    package var wait = 3

    @OptionGroup(title: CommonOptions.title) package var network: NetworkOptions

    package init() {}

    var meshName: MeshName? { network.mesh }
    var closed: ClosedMeshOptions { network.closed }
    var textClustersMax: Int? { nil }
    var isReadOnly: Bool { false }

    func handOver(of identity: Identity, in directory: DataDirectory) throws -> (NodeConfiguration, Duration)? {
        guard wait > 0 else { return nil }
        var configuration = try network.choice.configuration(of: identity, in: directory, room: RoomName("#lobby"))
        // A short-lived node joins no room.
        configuration.rooms = []
        configuration.isBrief = true
        return (configuration, .seconds(wait))
    }
}

struct TextOptions: SharedOptions {
    @OptionGroup(title: CommonOptions.title) var length: TextLengthOptions
    @OptionGroup var writing: WritingOptions

    var person: PersonOptions { writing.person }
    var meshName: MeshName? { writing.meshName }
    var closed: ClosedMeshOptions { writing.closed }
    var json: Bool { writing.json }
    var isReadOnly: Bool { false }
    var textClustersMax: Int? { length.textMax ?? Settings.current.number(.textMax) }

    func handOver(of identity: Identity, in directory: DataDirectory) throws -> (NodeConfiguration, Duration)? {
        try writing.handOver(of: identity, in: directory)
    }
}

/// The names of the options above, which mean nothing in a running chat.
enum ShellOptionNames {
    static let all: Set<String> = [
        "--name", "--data-dir", "--mesh", "--mesh-card", "--json", "--wait", "--text-max", "--peer", "--port",
        "--discovery",
        "--interface", "--invitations", "--context", "--ttl", "--passphrase", "--passphrase-file",
        "--identity-passphrase-file", "--config",
    ]
}
