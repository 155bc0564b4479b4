import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeHost

/// A command that is the same in the shell, as `lattice near`, and in the chat, as `/near`: one grammar and one
/// implementation.
protocol WallCommand: AsyncParsableCommand, WallManualled {
    associatedtype Options: WallOptions
    /// What only the shell has: who one is, how one is connected, how the answer is written.
    var options: Options { get }
    /// How many words stand before free text, which a chat takes exactly as it is typed; `nil` if there is no free text.
    static var wordsBeforeText: Int? { get }
    /// Whether it reads or writes files, or works on the store as such: this process does that itself.
    var needsFiles: Bool { get }
    /// Whether it only shows what is kept of a mesh: of whoever is named and is not here it makes nobody.
    var onlyShows: Bool { get }
    /// Reads what takes several words. Apart from `validate`, which comes before an option that does not exist is told of:
    /// what follows that would be taken for one of the words.
    func check() throws
    /// Asks the node and puts its answer into words.
    ///
    /// - Throws: `RequestError`, `WallFailure` or `ValidationError`.
    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput
}

extension WallCommand {
    static var configuration: CommandConfiguration { manual.configuration() }

    static var wordsBeforeText: Int? { nil }

    var needsFiles: Bool { false }

    var onlyShows: Bool { false }

    func check() throws {}

    func run() async throws {
        try check()
        try await WallShell.run(self)
    }

    /// What `perform` came to, whatever that was.
    func output(on node: any MeshNode, context: WallContext) async -> WallOutput {
        do {
            return try await perform(on: node, context: context)
        } catch let error as RequestError {
            return WallOutput(failure: context.told(WallFailure(error)))
        } catch let failure as WallFailure {
            return WallOutput(failure: failure)
        } catch {
            return WallOutput(failure: .usage(ArgumentWords.told(CommandsRoot.message(for: error))))
        }
    }
}
