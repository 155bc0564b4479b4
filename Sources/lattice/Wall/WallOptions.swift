import ArgumentParser
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeNode

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
    var isMeshSaid: Bool { meshName != nil || closed.isSaid }
}

/// Of commands that write nothing.
struct ReadingOptions: WallOptions {
    @OptionGroup var person: PersonOptions

    @Option(
        help: ArgumentHelp("Only peers of the same mesh see each other. (default: lattice)", valueName: "mesh"),
        transform: Arguments.meshName)
    var mesh: MeshName?

    @OptionGroup var closed: ClosedMeshOptions

    @Flag(help: "One JSON object a line on standard output.")
    var json = false

    var meshName: MeshName? { mesh }
    var textClustersMax: Int? { nil }
    var isReadOnly: Bool { true }

    func handOver(of identity: Identity, in directory: DataDirectory) throws -> (NodeConfiguration, Duration)? { nil }
}

/// Of commands whose records others are to get.
struct WritingOptions: WallOptions {
    @OptionGroup var person: PersonOptions

    @Flag(help: "One JSON object a line on standard output.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "How long to look for somebody who takes it; 0 keeps it for later.", valueName: "seconds"),
        transform: Arguments.number(0...3_600, "--wait"))
    var wait = 3

    @OptionGroup var network: NetworkOptions

    var meshName: MeshName? { network.mesh }
    var closed: ClosedMeshOptions { network.closed }
    var textClustersMax: Int? { nil }
    var isReadOnly: Bool { false }

    func handOver(of identity: Identity, in directory: DataDirectory) throws -> (NodeConfiguration, Duration)? {
        guard wait > 0 else { return nil }
        var configuration = try network.configuration(of: identity, in: directory, room: RoomName("#lobby"))
        // Whoever comes by for a moment is in no room.
        configuration.rooms = []
        return (configuration, .seconds(wait))
    }
}

/// Of commands that write a text.
struct TextOptions: WallOptions {
    @Option(
        help: ArgumentHelp("How many characters a text may have, 1 to 1000. (default: 140)", valueName: "n"),
        transform: Arguments.number(WallLimit.textClustersRange, "--text-max"))
    var textMax: Int?

    @OptionGroup var writing: WritingOptions

    var person: PersonOptions { writing.person }
    var meshName: MeshName? { writing.meshName }
    var closed: ClosedMeshOptions { writing.closed }
    var json: Bool { writing.json }
    var isReadOnly: Bool { false }
    var textClustersMax: Int? { textMax ?? Settings.current.number(.textMax) }

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
