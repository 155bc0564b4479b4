package import LatticeAPI

/// Commands that a chat takes with a slash besides its own.
package protocol ChatExtension: Sendable {
    /// None of them one of `CommandWord`; without the slash.
    var words: [String] { get }
    /// A line for each word, for `/help`: what it takes and what it does.
    var usage: [(call: String, summary: String)] { get }
    /// All there is to say of a command, with an example.
    ///
    /// - Parameter topic: one of the words, and perhaps what follows it, as in `event create`.
    func help(_ topic: String) -> [String]
    /// What to say before a command that takes some seconds; `nil` for the rest.
    func foreword(_ word: String) -> String?
    /// Does what was typed after `/word`.
    func run(_ word: String, _ rest: String, on node: any MeshNode) async -> WallOutput
}

extension ChatExtension {
    package func foreword(_ word: String) -> String? { nil }
}
