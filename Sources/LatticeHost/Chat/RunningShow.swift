package import LatticeAPI
package import LatticeChat
package import LatticeCore
import LatticeNode
import LatticeSettings

/// Shows one answer of the node that runs for a folder.
package enum RunningShow {
    /// - Throws: `QuietEnd` if no node runs or the node refuses, after the reason has been printed.
    package static func run(
        _ person: PersonChoice, _ mesh: MeshName?, json: Bool,
        ask: (any MeshNode, Me) async throws(RequestError) -> ChatItem.Reply
    ) async throws {
        let output = await output(person, mesh, json: json, ask: ask)
        try CommandShell.show(output, json: json)
        if output.exitCode != 0 { throw QuietEnd(exitCode: output.exitCode) }
    }

    private static func output(
        _ person: PersonChoice, _ mesh: MeshName?, json: Bool,
        ask: (any MeshNode, Me) async throws(RequestError) -> ChatItem.Reply
    ) async -> CommandOutput {
        do {
            try Descriptors.check()
            let directory = try person.directory(isReadOnly: true)
            let reply = try await RunningNode.with(directory, .any) { running in
                try MeshElsewhere.check(running.me, isIn: mesh, in: directory)
                if mesh == nil, !json { try MeshElsewhere.tell(running.me, in: directory) }
                return try await ask(running.client, running.me)
            }
            if let reply { return CommandOutput(answer: reply, Surroundings.ofShell()) }
            return CommandOutput(failure: nothingRuns(for: directory))
        } catch {
            return CommandOutput(failure: CommandShell.failure(error))
        }
    }

    static func nothingRuns(for directory: DataDirectory) -> CommandFailure {
        let name = DisplayText.isolated(directory.name.text)
        return CommandFailure(
            code: "nothingRuns", "no lattice is running as \(name); start 'lattice run' or 'lattice chat'", exitCode: 69
        )
    }
}
