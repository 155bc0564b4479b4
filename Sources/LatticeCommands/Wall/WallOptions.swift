package import ArgumentParser
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeHost
import LatticeNode
import LatticeSettings

/// What a command of the wall takes in the shell alone.
protocol WallOptions: ParsableArguments {
    var person: PersonOptions { get }
    var meshName: MeshName? { get }
    var closed: ClosedMeshOptions { get }
    var json: Bool { get }
    /// Whether a folder that cannot be written to will do.
    var isReadOnly: Bool { get }
    var textClustersMax: Int? { get }
    /// How to hand over what was written, and how long to wait for somebody to take it; `nil` if nothing is written.
    func handOver(of identity: Identity, in directory: DataDirectory) throws -> (NodeConfiguration, Duration)?
}

extension WallOptions {
    /// Whether an option says which mesh is meant.
    var isMeshSaid: Bool { meshName != nil || closed.choice.isSaid }
}

/// Which mesh.
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
        transform: Arguments.number(WallLimit.textClustersRange, "--text-max"))
    var textMax: Int?
}

/// Of commands that write nothing.
struct ReadingOptions: WallOptions {
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

/// Of commands whose records others are to get.
package struct WritingOptions: WallOptions {
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
        // Whoever comes by for a moment is in no room.
        configuration.rooms = []
        configuration.isBrief = true
        return (configuration, .seconds(wait))
    }
}

/// Of commands that write a text.
struct TextOptions: WallOptions {
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

/// The options above by name, which mean nothing in a chat that runs already.
enum ShellOptionNames {
    static let all: Set<String> = [
        "--name", "--data-dir", "--mesh", "--json", "--wait", "--text-max", "--peer", "--port", "--discovery",
        "--interface", "--invitations", "--context", "--ttl", "--passphrase", "--passphrase-file",
        "--identity-passphrase-file", "--config",
    ]
}
