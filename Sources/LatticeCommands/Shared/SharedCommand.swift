import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeHost

/// A command that is the same in the shell, as `lattice near`, and in the chat, as `/near`: one grammar and one
/// implementation.
protocol SharedCommand: AsyncParsableCommand, Manualled {
    associatedtype Options: SharedOptions
    /// Options that only the shell has: identity, network, output format.
    var options: Options { get }
    /// The number of words before free text, which a chat takes exactly as typed; `nil` if there is no free text.
    static var wordsBeforeText: Int? { get }
    /// Options without a value, as `--draft`, of a command with free text: in a chat the word behind one belongs to the text.
    static var flags: Set<String> { get }
    /// Whether it reads or writes files, or works on the store itself: then this process carries it out.
    var needsFiles: Bool { get }
    /// Whether it only reads a mesh's records. Then a named person who does not exist here is not created.
    var onlyShows: Bool { get }
    /// Whether new records are handed over when it is done.
    var handsOver: Bool { get }
    /// Parses arguments of several words. This is not part of `validate`, which runs before unknown options are reported: the
    /// words after such an option would count as part of the argument.
    func check() throws
    /// Asks the node and formats its answer.
    ///
    /// - Throws: `RequestError`, `CommandFailure` or `ValidationError`.
    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput
}

extension SharedCommand {
    static var configuration: CommandConfiguration { manual.configuration() }

    static var wordsBeforeText: Int? { nil }

    static var flags: Set<String> { [] }

    var needsFiles: Bool { false }

    var onlyShows: Bool { false }

    var handsOver: Bool { true }

    func check() throws {}

    func run() async throws {
        try check()
        try await CommandShell.run(self)
    }

    /// The result of `perform`, or its error, as output.
    func output(on node: any MeshNode, context: CommandContext) async -> CommandOutput {
        do {
            return try await perform(on: node, context: context)
        } catch let error as RequestError {
            return CommandOutput(failure: context.told(CommandFailure(error)))
        } catch let failure as CommandFailure {
            return CommandOutput(failure: failure)
        } catch {
            return CommandOutput(failure: .usage(ArgumentWords.told(CommandsRoot.message(for: error))))
        }
    }
}
