package import LatticeAPI

/// Slash commands that a chat accepts in addition to its own.
package protocol ChatExtension: Sendable {
    /// Command words without the slash. None of them may be a `CommandWord`.
    var words: [String] { get }
    /// A line for each word, for `/help`: what it takes and what it does.
    var usage: [(call: String, summary: String)] { get }
    /// The full help for a command, with an example.
    ///
    /// - Parameter topic: one of the words, optionally with a subcommand, as in `event create`.
    func help(_ topic: String) -> [String]
    /// A line to show before a command that takes some seconds; `nil` for the rest.
    func foreword(_ word: String) -> String?
    /// Runs what was typed after `/word`.
    func run(
        _ word: String, _ rest: String, on node: any MeshNode, progress: @escaping CommandProgress
    ) async -> CommandOutput
}

extension ChatExtension {
    package func foreword(_ word: String) -> String? { nil }

    /// Shows no progress.
    package func run(_ word: String, _ rest: String, on node: any MeshNode) async -> CommandOutput {
        await run(word, rest, on: node, progress: { _ in })
    }
}
