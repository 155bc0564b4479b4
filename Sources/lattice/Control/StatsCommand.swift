import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeNode

/// `lattice stats`
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show what is open and waiting, and what was turned down and why.",
        discussion: "Of what runs for the same folder: 'lattice run', or a chat.")

    @OptionGroup var person: PersonOptions

    @Flag(help: "One JSON object on standard output.")
    var json = false

    func run() async throws {
        try await RunningShow.run(person, json: json) { node throws(RequestError) in
            guard case .stats(let stats) = try await node.perform(.stats) else {
                preconditionFailure("each request names its answer")
            }
            return .stats(stats)
        }
    }
}

/// `lattice peers`
struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Show who is there: state, hops, round trip, address, and how they were found.",
        discussion: "As what runs for the same folder sees it: 'lattice run', or a chat.")

    @OptionGroup var person: PersonOptions

    @Flag(help: "One JSON object on standard output.")
    var json = false

    func run() async throws {
        try await RunningShow.run(person, json: json) { node throws(RequestError) in
            guard case .peers(let peers) = try await node.perform(.peers) else {
                preconditionFailure("each request names its answer")
            }
            return .peers(peers, shown: peers.map { DisplayText.isolated($0.name) })
        }
    }
}

/// Shows one answer of what runs for a folder.
enum RunningShow {
    /// - Throws: `ExitCode` where nothing runs, or it refuses; that was told.
    static func run(
        _ person: PersonOptions, json: Bool, ask: (any MeshNode) async throws(RequestError) -> ChatItem.Reply
    ) async throws {
        let output = await output(person, json: json, ask: ask)
        try WallShell.show(output, json: json)
        if output.exitCode != 0 { throw ExitCode(output.exitCode) }
    }

    private static func output(
        _ person: PersonOptions, json: Bool, ask: (any MeshNode) async throws(RequestError) -> ChatItem.Reply
    ) async -> WallOutput {
        do {
            try Descriptors.check()
            let directory = try person.directory(isReadOnly: true)
            let reply = try await RunningNode.with(directory, .any) { try await ask($0.client) }
            if let reply { return WallOutput(answer: reply) }
            let name = DisplayText.isolated(directory.name.text)
            return WallOutput(
                failure: WallFailure(
                    code: "nothingRuns", "nothing runs for \(name); start 'lattice run' or 'lattice chat'", exitCode: 69
                ))
        } catch {
            return WallOutput(failure: WallShell.failure(error))
        }
    }
}
